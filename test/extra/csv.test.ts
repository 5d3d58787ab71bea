import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { logAct } from '../../commands/kernel/auditLog.ts';
import { withAccount } from '../../db/tenant.ts';
import { comingFrom } from '../../db/tracing.ts';
import { inTransaction } from '../../db/transaction.ts';
import { basic, startApi, type TestApi } from '../support/api.ts';
import { fromRun } from '../support/environment.ts';
import { scratchFolder } from '../support/scratch.ts';

/** CSV of the audit log, a report and a list, read by programs of others: Python's csv module, and pandas where it is installed. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const HOSTILE = [
  '=HYPERLINK("https://evil.example","Click")',
  '+1+1',
  '-2+3',
  '@SUM(A1:A9)',
  '\t=1+1',
  '\r=1+1',
  'a "quoted" word, a comma; and a semicolon',
  'two\nlines',
  'two\r\nlines',
  '日本語 und Ümläute 😀',
  ' leading and trailing ',
];

const PROGRAM = `
import csv, json, sys
with open(sys.argv[1], newline='', encoding='utf-8') as file:
    rows = list(csv.reader(file))
read = {'heading': rows[0], 'rows': rows[1:], 'pandas': None}
try:
    import pandas
    frame = pandas.read_csv(sys.argv[1], dtype=str, keep_default_na=False)
    read['pandas'] = frame.values.tolist()
except ImportError:
    pass
print(json.dumps(read))
`;

/** A text as the CSV has it: one that a spreadsheet would take for a formula begins with an apostrophe. */
const asText = (text: string): string => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text);

/** The rows of a path as those programs read them. Each has as many cells as the heading. */
async function readBack(path: string, count: number) {
  const { sandbox } = api;
  const response = await fetch(`${sandbox.url}${path}`, { headers: { ...basic(sandbox.key), accept: 'text/csv' } });
  const file = join(await scratchFolder('csv'), 'read.csv');
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  const { stdout } = await promisify(execFile)(fromRun('PYTHON_CLIENT'), ['-c', PROGRAM, file]);
  const { heading, rows, pandas }: { heading: string[]; rows: string[][]; pandas: string[][] | null } =
    JSON.parse(stdout);
  expect(rows.map((row) => row.length)).toEqual(Array.from({ length: count }, () => heading.length));
  const columnOf = (name: string): string[] => rows.map((row) => row[heading.indexOf(name)] ?? '');
  return { rows, columnOf, pandas };
}

test('every entry is one row with as many cells as the heading, texts come back, and none is a formula', async () => {
  const { sandbox } = api;
  for (const text of HOSTILE) {
    const by = { actor: 'api_key', actorId: 1, actorName: text } as const;
    const act = { accountId: sandbox.account.id, by, kind: 'change', operation: 'hostile', reason: text } as const;
    const work = () => inTransaction(api.deps.em, async (em) => logAct(em, act, new Date()));
    await withAccount(sandbox.account.id, () => comingFrom({ ip: '203.0.113.7', userAgent: text }, work));
  }
  const { rows, columnOf, pandas } = await readBack('/audit_log?operation=hostile', HOSTILE.length);
  const column = (name: string) => columnOf(name).toReversed();
  const guarded = HOSTILE.map(asText);
  for (const name of ['actor.name', 'reason', 'user_agent'])
    expect({ name, texts: column(name) }).toEqual({ name, texts: guarded });
  expect(column('id').every((id) => /^\d+$/.test(id))).toBe(true);
  expect(column('created_at').every((at) => new Date(at).toISOString() === at)).toBe(true);
  expect(rows.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  if (pandas) expect(pandas.map((row) => row.length)).toEqual(rows.map((row) => row.length));
});

test('a report and a list with hostile names: texts come back, and negative amounts are numbers', async () => {
  const { sandbox } = api;
  const names = HOSTILE.filter((text) => !/[\t\r\n]/.test(text)).map((text) => text.trim());
  for (const name of names) {
    const { id } = await sandbox.make('/customers', { name });
    await sandbox.make('/credit_balance_adjustments', { customer: id, currency: 'usd', amount: 1234.5 });
  }
  const report = await readBack('/reports/aging', names.length);
  expect(report.columnOf('name').toSorted()).toEqual(names.map(asText).toSorted());
  expect(report.columnOf('net')).toEqual(names.map(() => '-1234.5'));
  const list = await readBack('/customers?columns=id,name,created_at', names.length);
  expect(list.columnOf('name').toSorted()).toEqual(names.map(asText).toSorted());
  expect(list.columnOf('created_at').every((at) => new Date(at).toISOString() === at)).toBe(true);
});
