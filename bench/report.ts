import { readFileSync, writeFileSync } from 'node:fs';

/** One line of the table. `aim`: the target. `met`: whether it is met; null without a target. */
export interface Figure {
  what: string;
  figure: string;
  reference: string;
  ratio: string;
  aim: string;
  met: boolean | null;
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

/** A figure on one line for the terminal. */
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
