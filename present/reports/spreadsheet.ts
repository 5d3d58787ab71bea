import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Row, WorksheetWriter } from '@cj-tech-master/excelts';
import { minorUnits } from '../../billing/money/money.ts';
import {
  type Asked,
  type Cell,
  type CellType,
  type Column,
  isOfDay,
  type ReportInSlices,
  typedCell,
} from '../../billing/reports/report.ts';
import { type AboutReport, givenLimits } from './report.ts';

/** Most characters of a cell: spreadsheets have no more. */
const MOST_CHARACTERS = 32_767;
/** Width of columns, in characters. */
const WIDTHS: Readonly<Record<CellType, number>> = {
  text: 28,
  integer: 11,
  number: 13,
  money: 16,
  day: 12,
  boolean: 9,
};
const DAY_FORMAT = 'yyyy-mm-dd';

interface Written {
  about: AboutReport;
  asked: Asked;
  report: ReportInSlices;
}

/**
 * A report as a spreadsheet (Office Open XML): its rows with totals for each currency, and a second sheet that says what it is. It is written
 * as it is read. Texts are never formulas. Numbers have at most 15 digits, as in every spreadsheet.
 */
export function reportAsXlsx(about: AboutReport, asked: Asked, report: ReportInSlices): Readable {
  const bytes = new PassThrough();
  writeWorkbook(bytes, { about, asked, report }).catch((error: unknown) => {
    bytes.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  return bytes;
}

async function writeWorkbook(bytes: PassThrough, { about, asked, report }: Written): Promise<void> {
  const { WorkbookWriter } = await import('@cj-tech-master/excelts'); // it takes 0.3 s to load, and few processes need it
  const made = { created: asked.knownAt, modified: asked.knownAt };
  const book = new WorkbookWriter({ ...made, stream: bytes, useStyles: true, useSharedStrings: false });
  const sheet = book.addWorksheet('Report', { views: [{ state: 'frozen', ySplit: 1 }] });
  const rows = await writeRows(sheet, report, bytes);
  sheet.commit();
  const second = book.addWorksheet('About');
  writeAbout(second, { about, asked, report }, rows);
  second.commit();
  await book.commit();
}

/** Writes the heading, all rows and the totals. Returns the number of rows. */
async function writeRows(sheet: WorksheetWriter, report: ReportInSlices, bytes: PassThrough): Promise<number> {
  const { columns } = report;
  sheet.columns = columns.map(({ type }) => ({ width: WIDTHS[type] }));
  finish(sheet.addRow(columns.map(({ title }) => fitting(title))), 'bold');
  let count = 0;
  for await (const slice of report.slices) {
    for (const { cells } of slice) finish(rowOf(sheet, columns, cells));
    count += slice.length;
    await taken(bytes);
  }
  const totals = report.totals();
  if (totals.length > 0) sheet.addRow([]).commit();
  for (const total of totals) finish(rowOf(sheet, columns, total), 'bold');
  return count;
}

function finish(row: Row, weight?: 'bold'): void {
  if (weight) row.font = { bold: true };
  row.commit();
}

/** Waits until the reader has taken what was written. Throws when it takes no more. */
async function taken(bytes: PassThrough): Promise<void> {
  await immediate();
  if (bytes.writableNeedDrain) await Promise.race([once(bytes, 'drain'), once(bytes, 'close')]);
  if (bytes.destroyed) throw new Error('nobody reads the spreadsheet any more');
}

function rowOf(sheet: WorksheetWriter, columns: readonly Column[], cells: Readonly<Record<string, Cell>>): Row {
  const shown = columns.map((column) => typedCell(column, cells[column.id] ?? null));
  const row = sheet.addRow(shown.map(({ type, value }) => typed(type, value)));
  for (const [index, { type, value }] of shown.entries()) {
    const format = value === null ? null : formatOf(type, String(cells.currency));
    if (format !== null) row.getCell(index + 1).numFmt = format;
  }
  return row;
}

function typed(type: CellType, cell: Cell): string | number | boolean | Date | null {
  if (cell === null || typeof cell === 'boolean') return cell;
  if (type === 'day' && isShownDay(String(cell))) return new Date(`${cell}T00:00:00Z`);
  return type === 'text' || type === 'day' ? fitting(String(cell)) : Number(cell);
}

/** Whether spreadsheets have a day: they count from 1900, and differ in its first two months. */
function isShownDay(day: string): boolean {
  return day >= '1900-03-01' && day.length === 10;
}

function formatOf(type: CellType, currency: string): string | null {
  if (type === 'day') return DAY_FORMAT;
  if (type !== 'money') return null;
  const digits = minorUnits(currency);
  return digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`;
}

/** A text as a cell can have it: without characters that XML forbids, without escapes of spreadsheets, cut after their most characters. */
function fitting(text: string): string {
  const plain = text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\t\n\u0020-\uFFFD]/g, '\uFFFD')
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_');
  const cut = plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS - 1)}…` : plain;
  return cut.toWellFormed();
}

/** The parameters that were given, with those of custom fields each in a line. */
function parametersOf(asked: Asked): [string, string][] {
  const { metadata: _all, ...others } = givenLimits(asked);
  const fields = Object.entries(asked.metadata).map(([code, value]) => [`metadata[${code}]`, value] as const);
  return [...Object.entries(others), ...fields].map(([name, value]) => [name, fitting(String(value))]);
}

function writeAbout(sheet: WorksheetWriter, { about, asked, report }: Written, rows: number): void {
  const { days, zone, knownAt } = asked;
  const span: [string, string][] = isOfDay(about.name)
    ? [['End of the day', days.lastDay]]
    : [
        ['First day', days.firstDay],
        ['Last day', days.lastDay],
      ];
  const said: [string, string | number][] = [
    ['Report', about.title],
    ['Definition', about.definition],
    ...span,
    ['Time zone', zone],
    ['Entries posted until', knownAt.toISOString()],
    ...parametersOf(asked),
    ['Last event', report.lastEvent ?? 'none'],
    ['Rows', rows],
  ];
  sheet.columns = [{ width: 22 }, { width: 100 }];
  for (const [label, value] of said) {
    const row = sheet.addRow([label, value]);
    row.getCell(1).font = { bold: true };
    row.getCell(2).alignment = { wrapText: true, vertical: 'top', horizontal: 'left' };
    row.commit();
  }
}
