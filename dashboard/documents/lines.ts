import type { Row } from '../kinds/kind.ts';
import { digitsOf, retypedNumber, sentNumber } from '../typedNumbers.ts';
import type { Formats } from '../written.ts';
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
}

/** The value of a field for lines. */
export interface Lines {
  lines: readonly Line[];
}

/** The most lines that a document may have. */
export const MOST_LINES = 1000;

let made = 0;

/** A line with nothing in it. */
export function newLine(): Line {
  made += 1;
  const texts = { id: '', item: '', name: '', description: '', quantity: '', unitCost: '' };
  return { key: `new-${made}`, ...texts, discounts: [], taxes: [] };
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
  };
}

const rowIn = (value: unknown): Row => (typeof value === 'object' && value !== null ? { ...value } : {});

/** Whether nothing was typed into a line. Such lines are not sent. */
export const isBlank = ({ id, item, name, description, quantity, unitCost, discounts, taxes }: Line): boolean =>
  [id, item, name, description, quantity, unitCost].every((text) => text.trim() === '') &&
  discounts.length + taxes.length === 0;

/** The lines that are sent. Errors of the API count these. */
export const filledIn = ({ lines }: Lines): Line[] => lines.filter((line) => !isBlank(line));

/** The lines as the API takes them. A text that is no number is sent as it is, for the API to refuse. */
export function sentLines(value: Lines, formats: Formats): object[] {
  return filledIn(value).map(({ id, item, name, description, quantity, unitCost, discounts, taxes }) => {
    const isKnown = id !== '';
    const optional = (field: string, text: string, sent: unknown) =>
      text.trim() !== '' ? { [field]: sent } : isKnown ? { [field]: null } : {};
    return {
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

/** The columns of rows by their number. */
const COLUMNS: readonly (readonly (keyof Line)[])[] = [
  ['name'],
  ['name', 'unitCost'],
  ['name', 'quantity', 'unitCost'],
  ['name', 'description', 'quantity', 'unitCost'],
];

/** Lines from the rows of a spreadsheet: name; name and unit cost; name, quantity and unit cost; or with a description. A head is left out. */
export function pastedLines(text: string, formats: Formats): Line[] {
  const rows = cellsIn(text);
  const width = Math.min(COLUMNS.length, Math.max(1, ...rows.map((row) => row.length)));
  const columns = COLUMNS[width - 1] ?? [];
  const numbers = columns.flatMap((column, place) => (column === 'quantity' || column === 'unitCost' ? [place] : []));
  const isNumber = (cell: string | undefined) => cell !== undefined && readable(cell, formats) !== null;
  const [head, ...rest] = rows;
  const isHead =
    head !== undefined &&
    numbers.length > 0 &&
    numbers.every((place) => head[place] !== '' && !isNumber(head[place])) &&
    rest.some((row) => numbers.some((place) => isNumber(row[place])));
  return (isHead ? rest : rows).map((row) => {
    const typed = columns.map((column, place): [string, string] => {
      const cell = row[place] ?? '';
      return [column, numbers.includes(place) ? (readable(cell, formats) ?? cell) : cell];
    });
    return { ...newLine(), ...Object.fromEntries(typed) };
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
