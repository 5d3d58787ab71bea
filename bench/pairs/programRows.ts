import type { Checkout } from './checkout.ts';

/** A row that needs no running checkout. `measure` returns figures by their names. */
export interface ProgramRow {
  name: string;
  unit: string;
  measure(checkout: Checkout, temporalProgram: string): Promise<Record<string, number>>;
}

export const programRows: ProgramRow[] = [
  {
    name: 'calculation',
    unit: 'ms CPU',
    measure: async ({ calculation }) => {
      const { plain, full } = calculation.calculate();
      return {
        'Calculation of 1,000 lines': plain.cpu,
        'Calculation of 1,000 lines, discounts and taxes': full.cpu,
      };
    },
  },
  {
    name: 'pdf',
    unit: 'ms CPU',
    measure: async ({ pdfs }) => {
      const { sizes } = await pdfs.renderPdfs();
      return Object.fromEntries(sizes.map(({ lines, cpu }) => [`PDF of an invoice of ${lines} lines`, cpu]));
    },
  },
  {
    name: 'startup',
    unit: '',
    measure: async ({ startUp }, temporalProgram) => {
      const { firstSeconds, warmSeconds, idleMiB } = await startUp.startUp(temporalProgram);
      return {
        '`npm start` with an empty data folder, seconds': firstSeconds,
        '`npm start`, seconds': warmSeconds,
        'Memory at rest, MiB': idleMiB,
      };
    },
  },
];
