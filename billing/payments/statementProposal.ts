import { visibleLine } from '../look/visibleText.ts';
import { Refusal } from '../refusal.ts';
import { recordsOf } from './csv.ts';
import type { CellFormat, DateFormat } from './statementCells.ts';
import {
  columnKey,
  mappable,
  missingColumn,
  namesOf,
  nextLine,
  SEPARATORS,
  type StatementColumns,
} from './statementCsv.ts';
import { type ColumnRole, headerKey, placesOf } from './statementHeaders.ts';
import {
  type Below,
  cellsAt,
  filled,
  type Header,
  namedPlaces,
  type Places,
  unnamedPlaces,
} from './statementPlaces.ts';
import { dateFormatOf, decimalSeparatorOf, isAmount, isDay } from './statementSamples.ts';

/** What a request says about a CSV, and the country of its account. Null: it does not say this. */
export interface KnownFormat {
  columns: StatementColumns | null;
  dateFormat: DateFormat | null;
  decimalSeparator: CellFormat['decimalSeparator'];
  skipRows: number | null;
  country: string | null;
}

/** How to read a CSV. */
export interface ProposedFormat {
  /** Names that a mapping can have, in the order of the header. */
  names: string[];
  /** Null: no columns with days and amounts were found. */
  columns: StatementColumns | null;
  /** Null: nothing shows it. */
  dateFormat: DateFormat | null;
  decimalSeparator: CellFormat['decimalSeparator'];
  skipRows: number;
}

/** Bounds of the search for a header: lines before it, its characters, names in all lines together, and headers that are tried. */
const MOST_SKIPPED = 100;
const MOST_HEADER = 65_536;
const MOST_NAMES = 10_000;
const MOST_TRIED = 5;

/** Bounds of what is looked at below a header: records, characters of all, and of a cell. */
const MOST_RECORDS = 1000;
const MOST_BELOW = 1_000_000;
const MOST_CHARACTERS = 100;

/**
 * Proposes how to read a CSV of a bank: the line of its header, columns by the words of banks and by what their cells hold, and how days and
 * amounts are written. Keeps what the request says. Throws a Refusal for a text without columns.
 */
export function proposeFormat(text: string, known: KnownFormat): ProposedFormat {
  const headers = headersIn(text, known.skipRows);
  const byWidth = headers.toSorted((one, other) => widthOf(other) - widthOf(one));
  const { columns } = known;
  if (columns) {
    const header = headers.find(({ names }) => missingColumn(names.map(columnKey), columns) === null);
    if (header) return formatWith(belowOf(text, header), columns, known);
  } else {
    const found =
      firstOf(headers.filter(hasKnownNames), text, namedPlaces) ??
      firstOf(byWidth.filter(hasOnlyWords), text, unnamedPlaces);
    if (found) return formatWith(found.below, columnsAt(found), known);
  }
  const [widest] = byWidth;
  if (!widest) throw new Refusal('parameter_invalid', 'The statement has no header with several columns', 'csv');
  const { dateFormat, decimalSeparator } = known;
  return { names: mappable(widest.names), columns, dateFormat, decimalSeparator, skipRows: widest.line };
}

/** The lines that may be the header, with each separator that separates them. */
function headersIn(text: string, skipRows: number | null): Header[] {
  const headers: Header[] = [];
  let start = 0;
  let count = 0;
  for (let line = 0; line <= (skipRows ?? MOST_SKIPPED) && start < text.length && count < MOST_NAMES; line += 1) {
    const end = nextLine(text, start);
    const csv = text.slice(start, start + MOST_HEADER);
    for (const separator of line >= (skipRows ?? 0) ? SEPARATORS : []) {
      const names = namesOf(csv, separator);
      count += names.length;
      if (filled(names) > 1) headers.push({ line, end, separator, names, keys: keysOf(names) });
    }
    start = end;
  }
  return headers;
}

/** Number of columns up to the last one with a name. */
function widthOf({ names }: Header): number {
  return names.findLastIndex((name) => name !== '') + 1;
}

function keysOf(names: readonly string[]): string[] {
  const usable = new Set(mappable(names));
  return names.map((name) => (usable.has(name) ? headerKey(name) : ''));
}

function hasKnownNames({ keys }: Header): boolean {
  const has = (role: ColumnRole) => placesOf(keys, role).length > 0;
  return has('date') && (has('amount') || has('credit'));
}

function hasOnlyWords({ names }: Header): boolean {
  return names.every((name) => !isDay(name) && !isAmount(name));
}

interface Found {
  below: Below;
  places: Places;
}

/** The first header below which columns of days and amounts are found; the first few are tried. */
function firstOf(headers: readonly Header[], text: string, places: (below: Below) => Places | null): Found | null {
  for (const header of headers.slice(0, MOST_TRIED)) {
    const below = belowOf(text, header);
    const found = places(below);
    if (found) return { below, places: found };
  }
  return null;
}

/** Records below a header that have several cells. */
function belowOf(text: string, header: Header): Below {
  const records: string[][] = [];
  let count = 0;
  for (const record of recordsOf(text.slice(header.end, header.end + MOST_BELOW), header.separator)) {
    count += 1;
    if (count > MOST_RECORDS) break;
    if (record instanceof Refusal) continue;
    const cells = record.map((cell) => visibleLine(cell.slice(0, MOST_CHARACTERS)).trim());
    if (filled(cells) > 1) records.push(cells);
  }
  return { header, records };
}

function columnsAt({ below, places }: Found): StatementColumns {
  const at = (place: number | undefined) => (place === undefined ? null : (below.header.names[place] ?? null));
  const { date, amount, reference, sender, currency, debit, direction, payer } = places;
  return {
    date: at(date) ?? '',
    amount: at(amount) ?? '',
    reference: at(reference),
    sender: at(sender),
    currency: at(currency),
    debit: at(debit),
    direction: at(direction),
    payer: at(payer),
  };
}

/** The format of the cells in these columns. */
function formatWith(below: Below, columns: StatementColumns, known: KnownFormat): ProposedFormat {
  const { line, names } = below.header;
  const keys = names.map(columnKey);
  const cells = (name: string | null) => (name === null ? [] : cellsAt(below, keys.indexOf(columnKey(name))));
  const amounts = [...cells(columns.amount), ...cells(columns.debit)];
  return {
    names: mappable(names),
    columns,
    dateFormat: known.dateFormat ?? dateFormatOf(cells(columns.date), known.country),
    decimalSeparator: known.decimalSeparator ?? decimalSeparatorOf(amounts),
    skipRows: line,
  };
}
