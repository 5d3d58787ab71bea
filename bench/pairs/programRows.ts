import { startUp } from '../rows/startUp.ts';
import type { Checkout } from './checkout.ts';

/** A row that needs no running checkout. `measure` returns figures by their names. */
export interface ProgramRow {
  name: string;
  measure(checkout: Checkout, temporalProgram: string): Promise<Record<string, number>>;
}

export const programRows: ProgramRow[] = [
  {
    name: 'calculation',
    measure: async ({ calculation }) => {
      const { plain, full } = calculation.calculate();
      return {
        'Calculation of 1,000 lines, ms CPU': plain.cpu,
        'Calculation of 1,000 lines, discounts and taxes, ms CPU': full.cpu,
      };
    },
  },
  {
    name: 'pdf',
    measure: async ({ pdfs }) => {
      const { sizes } = await pdfs.renderPdfs();
      return Object.fromEntries(sizes.map(({ lines, cpu }) => [`PDF of an invoice of ${lines} lines, ms CPU`, cpu]));
    },
  },
  {
    name: 'startup',
    measure: async ({ folder }, temporalProgram) => {
      const { firstSeconds, warmSeconds, idleMiB } = await startUp(temporalProgram, folder);
      return {
        '`npm start` with an empty data folder, seconds': firstSeconds,
        '`npm start`, seconds': warmSeconds,
        'Memory at rest, MiB': idleMiB,
      };
    },
  },
];
