import { readFileSync, writeFileSync } from 'node:fs';

/** One line of the table. `met` null: nothing is aimed at. */
export interface Figure {
  what: string;
  figure: string;
  reference: string;
  ratio: string;
  aim: string;
  met: boolean | null;
  /** What bounds it, in a few words. */
  bound?: string;
}

const COLUMNS = ['what', 'figure', 'reference', 'ratio', 'aim', 'met'] as const;

const text = (figure: Figure, column: (typeof COLUMNS)[number]): string => {
  if (column !== 'met') return figure[column];
  if (figure.met === null) return '';
  return figure.met ? 'yes' : 'no';
};

/** The figures as a table of markdown. */
export function tableOf(figures: readonly Figure[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = figures.map((figure) => row(COLUMNS.map((column) => text(figure, column))));
  return [row(COLUMNS), row(COLUMNS.map(() => '---')), ...lines].join('\n');
}

/** One line for the terminal as soon as a figure is there. */
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

/** Replaces what stands between the markers `<!-- name -->` and `<!-- /name -->` of a file. Throws when it has none. */
export function writeBetween(file: string, name: string, content: string): void {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const whole = readFileSync(file, 'utf8');
  const [from, to] = [whole.indexOf(open), whole.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for ${name}`);
  writeFileSync(file, `${whole.slice(0, from + open.length)}\n${content}\n${whole.slice(to)}`);
}

export const fixed = (value: number, digits = 0): string => value.toFixed(digits);
