import { isCurrency } from '../money/money.ts';
import type { StatementColumns } from './statementCsv.ts';
import { directionOf } from './statementDirection.ts';
import { type ColumnRole, isOtherAmount, placesOf, rankOf, senderPlace } from './statementHeaders.ts';
import { isAmount, isDay, isNegative, isTelling } from './statementSamples.ts';

// Which columns of a statement have what: by their names, and by what their cells hold.

/** Bounds of what is looked at: cells that show what a column has, and columns. */
const MOST_SAMPLED = 50;
const MOST_COLUMNS = 20;

/** A line that may be the header. */
export interface Header {
  /** Number of lines before it. */
  line: number;
  /** Where the next line begins. */
  end: number;
  separator: string;
  names: readonly string[];
  /** Names as words are compared; empty for columns that a mapping cannot name. */
  keys: readonly string[];
}

/** Records below a header, and the cells of its columns in them. */
export interface Below {
  header: Header;
  records: readonly (readonly string[])[];
}

export type Places = Readonly<Partial<Record<keyof StatementColumns, number | undefined>>> & {
  date: number;
  amount: number;
};

/** Number of texts that are not empty. */
export function filled(names: readonly string[]): number {
  return names.filter((name) => name !== '').length;
}

/** Cells of a column that are not empty. */
export function cellsAt({ records }: Below, place: number | undefined): string[] {
  return place === undefined ? [] : records.map((cells) => cells[place] ?? '').filter((cell) => cell !== '');
}

/** Whether most of a column's first cells pass a test. */
function isMostly(below: Below, place: number, test: (cell: string) => boolean): boolean {
  const cells = cellsAt(below, place).slice(0, MOST_SAMPLED);
  return cells.length > 0 && cells.filter(test).length * 2 >= cells.length;
}

/** Columns by their names, if their cells are as they say. Without any rows, the names alone count. */
export function namedPlaces(below: Below): Places | null {
  const { keys } = below.header;
  const isEmpty = below.records.length === 0;
  const holding = (role: ColumnRole, test: (cell: string) => boolean) =>
    placesOf(keys, role)
      .slice(0, MOST_COLUMNS)
      .find((place) => isEmpty || isMostly(below, place, test));
  const date = holding('date', isDay);
  const money = moneyPlaces(below, holding);
  return date === undefined || money === null ? null : textPlaces(below, { date, ...money });
}

/** Columns of amounts: one with signs, or those of credits and debits. */
function moneyPlaces(
  below: Below,
  holding: (role: ColumnRole, test: (cell: string) => boolean) => number | undefined,
): { amount: number; debit?: number } | null {
  const { keys } = below.header;
  const amount = holding('amount', isAmount);
  const [credit, debit] = [holding('credit', isAmount), holding('debit', isAmount)];
  const [named] = placesOf(keys, 'credit');
  // A statement may have only debits, or only credits.
  const credits = credit ?? (debit !== undefined && cellsAt(below, named).length === 0 ? named : undefined);
  const [debits = debit] = placesOf(keys, 'debit').filter(
    (place) => cellsAt(below, place).length === 0 && debit === undefined,
  );
  const isSigned = cellsAt(below, amount).some(isNegative) || cellsAt(below, debits).length === 0;
  if (amount !== undefined && (isSigned || credits === undefined)) return { amount };
  if (credits === undefined) return null;
  return debits === undefined ? { amount: credits } : { amount: credits, debit: debits };
}

/** Columns of days and amounts by their cells, below a header in words that are not known. Null: it is not certain which has the amounts. */
export function unnamedPlaces(below: Below): Places | null {
  const { keys } = below.header;
  const places = keys.flatMap((key, place) => (key === '' ? [] : [place])).slice(0, MOST_COLUMNS);
  const date = places.find((place) => isMostly(below, place, isDay));
  const isOfMoney = (place: number) =>
    isMostly(below, place, isAmount) && isMostly(below, place, isTelling) && !isMostly(below, place, isDay);
  const amounts = places.filter((place) => isOfMoney(place) && !isOtherAmount(keys[place] ?? ''));
  const signed = amounts.filter((place) => cellsAt(below, place).some(isNegative));
  const [amount, another] = signed.length > 0 ? signed : amounts;
  if (date === undefined || amount === undefined || another !== undefined) return null;
  const found = textPlaces(below, { date, amount });
  if (found.reference !== undefined) return found;
  const used = new Set(Object.values(found));
  const lengthOf = (place: number) =>
    cellsAt(below, place)
      .join('')
      .replace(/[^\p{L}]/gu, '').length;
  const [longest] = places
    .filter((place) => !used.has(place))
    .toSorted((one, other) => lengthOf(other) - lengthOf(one));
  return longest === undefined ? found : { ...found, reference: longest };
}

/**
 * The other columns. Texts are found by their names alone: another statement of the same bank has the same columns then, and its rows are
 * known again.
 */
function textPlaces(below: Below, money: Places): Places {
  const { keys } = below.header;
  const used = new Set<number | undefined>([money.date, money.amount, money.debit]);
  const free = (role: ColumnRole) => placesOf(keys, role).filter((place) => !used.has(place));
  const take = (place: number | undefined) => {
    used.add(place);
    return place;
  };
  const payer = take(free('payer')[0]);
  const direction = take(money.debit === undefined ? directionPlace(below, free('direction'), money) : undefined);
  const currency = take(
    free('currency').find((place) => isMostly(below, place, (cell) => isCurrency(cell.toLowerCase()))),
  );
  const reference = take(free('reference')[0]);
  const sender = senderPlace(keys, payer ?? null);
  const texts = {
    payer,
    direction,
    currency,
    reference,
    sender: sender === null || used.has(sender) ? undefined : sender,
  };
  return { ...money, ...texts };
}

/** The column that says whether money came in, if amounts have no signs. One with a name for something else has only words for it. */
function directionPlace(below: Below, places: readonly number[], { amount }: Places): number | undefined {
  if (cellsAt(below, amount).some(isNegative)) return undefined;
  const { keys } = below.header;
  const isDirection = (cell: string) => directionOf(cell.replace(/\.$/, '')) !== null;
  return places.find((place) => {
    const isNamed = rankOf(keys[place] ?? '', 'direction') === 0;
    return isMostly(below, place, isDirection) && (isNamed || cellsAt(below, place).every(isDirection));
  });
}
