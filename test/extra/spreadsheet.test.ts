import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basic, startApi, type TestApi } from '../support/api.ts';
import { fromRun } from '../support/environment.ts';
import { scratchFolder } from '../support/scratch.ts';

/** Spreadsheets of reports, read by a program of others: openpyxl. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date('2028-02-29T18:00:00Z') });
});
afterAll(() => api.close());

const PROGRAM = `
import datetime, json, sys, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
def of(cell):
    value = cell.value
    if isinstance(value, datetime.datetime): value = value.isoformat()
    return [value, cell.data_type, cell.number_format]
sheet = book['Report']
print(json.dumps({
    'sheets': book.sheetnames,
    'rows': [[of(cell) for cell in row] for row in sheet.iter_rows()],
    'frozen': sheet.freeze_panes,
    'bold': [sheet['A1'].font.b, sheet['A2'].font.b],
    'widths': [sheet.column_dimensions[letter].width for letter in 'ABC'],
    'about': [[cell.value for cell in row] for row in book['About'].iter_rows()],
}))
`;

type Cell = [value: string | number | boolean | null, type: string, format: string];
interface Book {
  sheets: string[];
  rows: Cell[][];
  frozen: string;
  bold: boolean[];
  widths: number[];
  about: (string | number)[][];
}

async function readBack(path: string, headers = {}): Promise<Book> {
  const { sandbox } = api;
  const response = await fetch(`${sandbox.url}${path}`, { headers: { ...basic(sandbox.key), ...headers } });
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="\w+\.xlsx"$/);
  const file = join(await scratchFolder('xlsx'), 'read.xlsx');
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  const { stdout } = await promisify(execFile)(fromRun('PYTHON_CLIENT'), ['-c', PROGRAM, file], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

/** Texts, and how a cell has them. The API refuses some of them, so they are written into the database. */
const HOSTILE = [
  ['=cmd()', '=cmd()'],
  ['+1+1', '+1+1'],
  ['@SUM(A1)', '@SUM(A1)'],
  ['control\u0001\u000b signs', 'control\uFFFD\uFFFD signs'],
  ['_x0041_ is no A', '_x005F_x0041_ is no A'],
  ['שלום עולם', 'שלום עולם'],
  ['日本語 😀 <b>&"', '日本語 😀 <b>&"'],
  ['two\nlines', 'two\nlines'],
  ['long '.repeat(8000), `${'long '.repeat(8000).slice(0, 32_766)}…`],
] as const;

test('texts are texts, amounts are numbers with the digits of their currency, days are days', async () => {
  const { sandbox } = api;
  const { id: customer } = await sandbox.make('/customers', { name: 'Ada' });
  const owed = { customer, date: Date.parse('2028-01-31T12:00:00Z') / 1000 };
  await sandbox.make('/invoices', { ...owed, currency: 'usd', items: [{ unit_cost: 1234.5 }] });
  await sandbox.make('/invoices', { ...owed, currency: 'jpy', items: [{ unit_cost: 1234 }] });
  await sandbox.make('/invoices', { ...owed, currency: 'kwd', items: [{ unit_cost: 0.125 }] });
  const items = await readBack('/reports/open_items?format=xlsx');
  const [heading = [], jpy = [], kwd = [], usd = [], , ...totals] = items.rows;
  const column = (row: Cell[], title: string) => row[heading.findIndex(([value]) => value === title)];
  expect(items.sheets).toEqual(['Report', 'About']);
  expect([items.frozen, items.bold]).toEqual(['A2', [true, false]]);
  expect(items.widths).toEqual([11, 28, 11]);
  expect([jpy, kwd, usd].map((row) => column(row, 'Open'))).toEqual([
    [1234, 'n', '#,##0'],
    [0.125, 'n', '#,##0.000'],
    [1234.5, 'n', '#,##0.00'],
  ]);
  expect(column(usd, 'Date')).toEqual(['2028-01-31T00:00:00', 'd', 'yyyy-mm-dd']);
  expect(column(usd, 'Customer')).toEqual([customer, 'n', 'General']);
  expect(totals.map((row) => [column(row, 'Currency')?.[0], column(row, 'Open')?.[0]])).toEqual([
    ['jpy', 1234],
    ['kwd', 0.125],
    ['usd', 1234.5],
  ]);
  expect(Object.fromEntries(items.about)).toMatchObject({
    Report: 'Open items',
    'End of the day': '2028-02-29',
    Rows: 3,
    'Entries posted until': '2028-03-01T00:00:00.000Z',
  });
  const few = await readBack('/reports/open_items?format=xlsx&currency=usd&group_by=date:month');
  expect(Object.fromEntries(few.about)).toMatchObject({ currency: 'usd', group_by: 'date:month', Rows: 1 });
  await sandbox.make('/credit_balance_adjustments', { customer, currency: 'usd', amount: 2000 });
  const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const aging = await readBack('/reports/aging?currency=usd', { accept: media });
  const net = aging.rows[0]?.findIndex(([value]) => value === 'Net') ?? 0;
  expect(aging.rows[1]?.[net]).toEqual([-765.5, 'n', '#,##0.00']); // 1234.50 - 2000
});

test('values of custom fields are numbers, days and flags, as far as they fit', async () => {
  const { sandbox } = await api.open('Typed');
  const fields = { visits: 'integer', since: 'date', key: 'boolean' };
  const add = async (metadata: object) => {
    const { id } = await sandbox.make('/customers', { name: 'Ada', metadata });
    await sandbox.make('/credit_balance_adjustments', { customer: id, currency: 'usd', amount: 1 });
  };
  await add({ visits: 'many', since: 'ever', key: 'no' });
  for (const [id, type] of Object.entries(fields))
    await sandbox.make('/custom_fields', { id, type, name: id, object: 'customer' });
  await add({ visits: '-5', since: '2028-02-29', key: 'true' });
  await add({ since: '1815-12-10' }); // before the days of spreadsheets
  const path = `/reports/credits?format=xlsx&fields=${Object.keys(fields)}`;
  const { rows } = await readBack(path, basic(sandbox.key));
  expect(rows.slice(1, 4).map((row) => row.slice(-3).map(([value, type]) => [value, type]))).toEqual([
    [
      ['many', 's'],
      ['ever', 's'],
      ['no', 's'],
    ],
    [
      [-5, 'n'],
      ['2028-02-29T00:00:00', 'd'],
      [true, 'b'],
    ],
    [
      [null, 'n'],
      ['1815-12-10', 's'],
      [null, 'n'],
    ],
  ]);
});

test('hostile names come back as texts that a cell can have', async () => {
  const { sandbox } = api;
  for (const [name] of HOSTILE) {
    const { id } = await sandbox.make('/customers', { name: 'Hostile' });
    await sandbox.make('/credit_balance_adjustments', { customer: id, currency: 'eur', amount: 1 });
    await api.em.fork().execute('alter table customer alter column name type text');
    await api.em.fork().execute('update customer set name = ? where id = ?', [name, id]);
  }
  const { rows } = await readBack('/reports/credits?currency=eur&format=xlsx');
  const cells = rows.slice(1, 1 + HOSTILE.length).map((row) => row[1]);
  expect(cells.map((cell) => cell?.[1])).toEqual(HOSTILE.map(() => 's'));
  expect(cells.map((cell) => cell?.[0]).toSorted()).toEqual(HOSTILE.map(([, read]) => read).toSorted());
});
