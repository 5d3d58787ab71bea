import { readFileSync, writeFileSync } from 'node:fs';

/** One line of the table. `met` null: there is no target. */
export interface Figure {
  what: string;
  figure: string;
  reference: string;
  ratio: string;
  aim: string;
  met: boolean | null;
  /** The limiting factor, in a few words. */
  bound?: string;
}

const COLUMNS = ['what', 'figure', 'reference', 'ratio', 'aim', 'met'] as const;

const text = (figure: Figure, column: (typeof COLUMNS)[number]): string => {
  if (column !== 'met') return figure[column];
  if (figure.met === null) return '';
  return figure.met ? 'yes' : 'no';
};

/** The figures as a Markdown table. */
export function tableOf(figures: readonly Figure[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = figures.map((figure) => row(COLUMNS.map((column) => text(figure, column))));
  return [row(COLUMNS), row(COLUMNS.map(() => '---')), ...lines].join('\n');
}

/** One line for the terminal, printed as soon as a figure is measured. */
export function lineOf(figure: Figure): string {
  const { what, figure: value, reference, ratio, aim } = figure;
  const met = figure.met === null ? '' : figure.met ? '  met' : '  NOT MET';
  return [
    `${what}: ${value}`,
    reference && `reference ${reference}`,
    ratio && `ratio ${ratio}`,
    aim && `aim ${aim}${met}`,
  ]
    .filter(Boolean)
    .join('; ');
}

/** Replaces the text between the markers `<!-- name -->` and `<!-- /name -->` of a file. Throws when a marker is missing. */
export function writeBetween(file: string, name: string, content: string): void {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const whole = readFileSync(file, 'utf8');
  const [from, to] = [whole.indexOf(open), whole.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for ${name}`);
  writeFileSync(file, `${whole.slice(0, from + open.length)}\n${content}\n${whole.slice(to)}`);
}

export const fixed = (value: number, digits = 0): string => value.toFixed(digits);
