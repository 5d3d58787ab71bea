import { Refusal } from '../refusal.ts';
import { amountIn, type CellFormat, type DateFormat, dateFormats, dayOf, decimalSeparators } from './statementCells.ts';

// What cells of a statement show: whether they are days or amounts, and how these are written.

/** Countries whose banks write the month before the day. */
const MONTH_FIRST: ReadonlySet<string> = new Set(['US', 'CA', 'PH', 'PR', 'GU', 'VI', 'AS', 'MP', 'FM', 'MH', 'PW']);

/** Longer cells are neither days nor amounts. */
const MOST_CHARACTERS = 60;

export function isDay(cell: string): boolean {
  return startsAsDay(cell) && dateFormats.some((format) => isDayAs(cell, format));
}

function isDayAs(cell: string, format: DateFormat): boolean {
  return dayOf(cell, format) !== null;
}

function startsAsDay(cell: string): boolean {
  return /^\d/.test(cell) && cell.length <= MOST_CHARACTERS;
}

export function isAmount(cell: string): boolean {
  const isLikely = /\d/.test(cell) && cell.length <= MOST_CHARACTERS;
  return (
    isLikely &&
    decimalSeparators.some((decimalSeparator) => isRead(() => amountIn(cell, 'amount', { decimalSeparator })))
  );
}

/** Whether an amount looks like one: it has decimals, a sign, or that of a currency. */
export function isTelling(cell: string): boolean {
  return /^[+\-\u2212(]|[+\-\u2212)]$|\p{Sc}|[.,]\d{2}\D*$/u.test(cell);
}

export function isNegative(cell: string): boolean {
  return /[-\u2212(]/.test(cell);
}

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** The format in which most cells are days. If several fit alike, the country says whether the month is first. Null: in none. */
export function dateFormatOf(cells: readonly string[], country: string | null): DateFormat | null {
  const isMonthFirst = country !== null && MONTH_FIRST.has(country);
  const formats = dateFormats.toSorted((one, other) => Number(hasMonthFirst(other)) - Number(hasMonthFirst(one)));
  let best: { format: DateFormat; count: number } | null = null;
  for (const format of isMonthFirst ? formats : dateFormats) {
    const count = cells.filter((cell) => startsAsDay(cell) && isDayAs(cell, format)).length;
    if (count > (best?.count ?? 0)) best = { format, count };
  }
  return best?.format ?? null;
}

function hasMonthFirst(format: DateFormat): boolean {
  return format.startsWith('MM');
}

/**
 * The character before the decimals of amounts, where cells like `3.000` need it and other cells show it. Null: each cell shows its own, or
 * nothing shows it.
 */
export function decimalSeparatorOf(cells: readonly string[]): CellFormat['decimalSeparator'] {
  const shown = cells.filter((cell) => cell.length <= MOST_CHARACTERS).map(shownSeparator);
  if (!shown.includes('either')) return null;
  const [hasPoint, hasComma] = [shown.includes('.'), shown.includes(',')];
  if (hasPoint === hasComma) return null;
  return hasPoint ? '.' : ',';
}

/** The separator that an amount shows; `either`: it may be thousands or three decimals; `none`: it has no decimals. */
function shownSeparator(cell: string): '.' | ',' | 'either' | 'none' {
  const marks = cell
    .replace(/[^.,\d]|[.,](?!\d)/g, '')
    .replace(/\d+/g, '0')
    .replaceAll('0', '');
  const last = marks.at(-1);
  if (last === undefined) return 'none';
  const point = last === '.' ? '.' : ',';
  const isMixed = new Set(marks).size > 1;
  if (isMixed) return point;
  if (marks.length > 1) return point === '.' ? ',' : '.';
  return /[.,]\d{3}\D*$/.test(cell) ? 'either' : point;
}
