import type { Row } from '../kinds/kind.ts';
import { digitsOf, type Formats, retypedNumber, sentNumber } from '../written.ts';
import { type Adjustment, adjustmentsOf, retypedAdjustments, sentAdjustments } from './adjustments.ts';

/** A line as it stands in the editor. Numbers are the text as it was typed, in the way of the language. */
export interface Line {
  /** Names the line as long as the editor is open. */
  key: string;
  /** Its id in the API; empty: it is new. */
  id: string;
  /** Id of the item of the catalog that it comes from; empty: none. */
  item: string;
  name: string;
  description: string;
  quantity: string;
  unitCost: string;
  discounts: readonly Adjustment[];
  taxes: readonly Adjustment[];
  /** Fields that the editor does not show, of a line that was copied: its type, whether it is taxed, its period. */
  copied: Row;
}

/** The value of a field for lines. */
export interface Lines {
  lines: readonly Line[];
}

/** The most lines that a document may have. */
export const MOST_LINES = 1000;

/** A line with nothing in it. */
export function newLine(): Line {
  const texts = { id: '', item: '', name: '', description: '', quantity: '', unitCost: '' };
  return { key: crypto.randomUUID(), ...texts, discounts: [], taxes: [], copied: {} };
}

/** The lines of a document, or one empty line. */
export function linesOf(row: Row | null, formats: Formats): Lines {
  const items: unknown = row?.items;
  const lines = Array.isArray(items) ? items.map((item: unknown) => lineOf(rowIn(item), formats)) : [];
  return { lines: lines.length > 0 ? lines : [newLine()] };
}

function lineOf(row: Row, formats: Formats): Line {
  const text = (name: string) => (typeof row[name] === 'string' ? row[name] : '');
  const number = (name: string) => (typeof row[name] === 'number' ? formats.typedNumber(digitsOf(row[name])) : '');
  return {
    key: row.id === undefined ? newLine().key : `line-${row.id}`,
    id: String(row.id ?? ''),
    item: text('catalog_item') || String(rowIn(row.catalog_item).id ?? ''),
    name: text('name'),
    description: text('description'),
    quantity: number('quantity'),
    unitCost: number('unit_cost'),
    discounts: adjustmentsOf(row.discounts, 'coupon', formats),
    taxes: adjustmentsOf(row.taxes, 'tax_rate', formats),
    copied: row.id === undefined ? copiedOf(row) : {},
  };
}

/** Fields of a line that the editor does not show. */
const HIDDEN = ['type', 'taxable', 'discountable', 'period_start', 'period_end', 'metadata'];

const copiedOf = (row: Row): Row =>
  Object.fromEntries(HIDDEN.flatMap((name) => (row[name] == null ? [] : [[name, row[name]]])));

const rowIn = (value: unknown): Row => (typeof value === 'object' && value !== null ? { ...value } : {});

/** Whether nothing was typed into a line. Such lines are not sent. */
export const isBlank = ({ id, item, name, description, quantity, unitCost, discounts, taxes }: Line): boolean =>
  [id, item, name, description, quantity, unitCost].every((text) => text.trim() === '') &&
  discounts.length + taxes.length === 0;

/** The lines that are sent. Errors of the API count these. */
export const filledIn = ({ lines }: Lines): Line[] => lines.filter((line) => !isBlank(line));

/** The lines as the API takes them. A text that is no number is sent as it is, for the API to refuse. */
export function sentLines(value: Lines, formats: Formats): object[] {
  return filledIn(value).map(({ id, item, name, description, quantity, unitCost, discounts, taxes, copied }) => {
    const isKnown = id !== '';
    const optional = (field: string, text: string, sent: unknown) =>
      text.trim() !== '' ? { [field]: sent } : isKnown ? { [field]: null } : {};
    return {
      ...copied,
      ...(isKnown ? { id: Number(id) } : {}),
      ...(item === '' ? {} : { catalog_item: item }),
      ...optional('name', name, name),
      ...optional('description', description, description),
      ...optional('quantity', quantity, sentNumber(quantity, formats)),
      ...optional('unit_cost', unitCost, sentNumber(unitCost, formats)),
      ...(isKnown || discounts.length > 0 ? { discounts: sentAdjustments(discounts, 'coupon', formats) } : {}),
      ...(isKnown || taxes.length > 0 ? { taxes: sentAdjustments(taxes, 'tax_rate', formats) } : {}),
    };
  });
}

/** Lines whose numbers were typed in one language, as they are typed in another. */
export const retypedLines = ({ lines }: Lines, languages: readonly [Formats, Formats]): Lines => ({
  lines: lines.map((line) => ({
    ...line,
    quantity: retypedNumber(line.quantity, languages),
    unitCost: retypedNumber(line.unitCost, languages),
    discounts: retypedAdjustments(line.discounts, languages),
    taxes: retypedAdjustments(line.taxes, languages),
  })),
});

/** Moves a line by some places, as far as there are places. */
export function moved(lines: readonly Line[], place: number, by: number): readonly Line[] {
  const target = Math.min(lines.length - 1, Math.max(0, place + by));
  const line = lines[place];
  if (!line || target === place) return lines;
  const others = lines.toSpliced(place, 1);
  return others.toSpliced(target, 0, line);
}

/** The cells of rows that were copied from a spreadsheet: separated by tabs, in quotes where they have lines of their own. */
function cellsIn(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/gy;
  const plain = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  while (cell.lastIndex <= plain.length) {
    const match = cell.exec(plain);
    if (!match) break;
    const [, quoted, bare = '', end = ''] = match;
    rows.at(-1)?.push((quoted === undefined ? bare : quoted.replaceAll('""', '"')).trim());
    if (end === '') break;
    if (end === '\n') rows.push([]);
  }
  return rows.filter((row) => row.some((one) => one !== ''));
}

/** Whether a pasted text has rows of a spreadsheet. One cell is pasted as it is. */
export const hasRows = (text: string): boolean => /\t|\n./.test(text.trim());

/** A pasted text with more rows is not read. */
const MOST_ROWS = 20_000;

/** How many rows a text has, at the most. */
export const rowsIn = (text: string): number => text.split('\n').length;

type Column = 'name' | 'description' | 'quantity' | 'unitCost' | null;

/**
 * Lines from the rows of a spreadsheet. Columns of texts are name and description; columns of numbers are the unit cost, or quantity and unit
 * cost, and a third one is left out if it is their product. A head is left out. Null: the columns could be others.
 */
export function pastedLines(text: string, formats: Formats): Line[] | null {
  if (rowsIn(text) > MOST_ROWS) return null;
  const rows = cellsIn(text);
  const amounts = rows.map((row) => row.map((cell) => readable(cell, formats)));
  const width = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const isHead =
    (amounts[0] ?? []).every((amount) => amount === null) && amounts.slice(1).some((row) => row.some(Boolean));
  const [from, body] = isHead ? [1, amounts.slice(1)] : [0, amounts];
  const columns = columnsOf(rows.slice(from), body, { width, formats });
  return (
    columns &&
    rows.slice(from).map((row, place) => {
      const typed = columns.flatMap((column, index): [string, string][] => {
        if (column === null) return [];
        const isNumber = column === 'quantity' || column === 'unitCost';
        return [[column, (isNumber ? body[place]?.[index] : null) ?? row[index] ?? '']];
      });
      return { ...newLine(), ...Object.fromEntries(typed) };
    })
  );
}

/** Rows of few columns, and those without any number, are read by how many columns they have. */
const USUAL: readonly (readonly Column[])[] = [
  ['name'],
  ['name', 'unitCost'],
  ['name', 'quantity', 'unitCost'],
  ['name', 'description', 'quantity', 'unitCost'],
];

/** What the columns of rows are; null: that is not clear. A column is one of numbers if most of its cells are. */
function columnsOf(
  rows: readonly (readonly string[])[],
  amounts: readonly (readonly (string | null)[])[],
  { width, formats }: { width: number; formats: Formats },
): readonly Column[] | null {
  const filled = (index: number) => rows.filter((row) => row[index]).length;
  const numbers = Array.from({ length: width }, (_, index) => index).filter((index) => {
    const count = amounts.filter((row) => row[index]).length;
    return count > 0 && count * 2 >= filled(index);
  });
  // What is no number in the place of one is shown as wrong at its line.
  if (numbers.length === 0 || (width <= 3 && !numbers.includes(0))) return USUAL[width - 1] ?? null;
  const texts = Array.from({ length: width }, (_, index) => index).filter((index) => !numbers.includes(index));
  const value = (row: readonly (string | null)[], index: number | undefined) =>
    Number(formats.plainNumber((index === undefined ? null : row[index]) ?? '') ?? Number.NaN);
  const isProduct = amounts.every((row) => {
    const [one, other, product] = numbers.map((index) => value(row, index));
    return Math.abs((one ?? 0) * (other ?? 0) - (product ?? Number.NaN)) < 0.01;
  });
  const kept = numbers.length === 3 && isProduct ? numbers.slice(0, 2) : numbers;
  if (texts.length === 0 || texts.length > 2 || kept.length > 2) return null;
  const roles: readonly Column[] = kept.length === 1 ? ['unitCost'] : ['quantity', 'unitCost'];
  return Array.from({ length: width }, (_, index): Column => {
    if (texts.includes(index)) return texts[0] === index ? 'name' : 'description';
    return roles[kept.indexOf(index)] ?? null;
  });
}

/** An amount such as `€ 1.200,50` without its currency; null: it is no number, or could be two. */
function readable(cell: string, formats: Formats): string | null {
  const bare = cell.replace(/[\p{Sc}\s]|\b[A-Z]{3}\b/gu, '');
  return formats.plainNumber(bare) === null ? null : bare;
}

/** The line and the field that an error of the API names: `items[3][unit_cost]`. Null: another one. */
export function lineAt(param: string | null): { place: number; field: string } | null {
  const [, place, field] = /^items\[(\d+)\](?:\[(\w+)\])?/.exec(param ?? '') ?? [];
  return place === undefined ? null : { place: Number(place), field: field ?? 'name' };
}
