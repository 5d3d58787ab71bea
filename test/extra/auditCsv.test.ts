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

/** The audit log as CSV, read by programs of others: Python's csv module, and pandas where it is installed. */

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

test('every entry is one row with as many cells as the heading, texts come back, and none is a formula', async () => {
  const { sandbox } = api;
  for (const text of HOSTILE) {
    const by = { actor: 'api_key', actorId: 1, actorName: text } as const;
    const act = { accountId: sandbox.account.id, by, kind: 'change', operation: 'hostile', reason: text } as const;
    const work = () => inTransaction(api.deps.em, async (em) => logAct(em, act, new Date()));
    await withAccount(sandbox.account.id, () => comingFrom({ ip: '203.0.113.7', userAgent: text }, work));
  }
  const response = await fetch(`${sandbox.url}/audit_log?operation=hostile`, {
    headers: { ...basic(sandbox.key), accept: 'text/csv' },
  });
  const file = join(await scratchFolder('audit-csv'), 'audit_log.csv');
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  const { stdout } = await promisify(execFile)(fromRun('PYTHON_CLIENT'), ['-c', PROGRAM, file]);
  const { heading, rows, pandas } = JSON.parse(stdout);
  expect(rows.map((row: string[]) => row.length)).toEqual(HOSTILE.map(() => heading.length));
  const column = (name: string) => rows.map((row: string[]) => row[heading.indexOf(name)]).toReversed();
  const guarded = HOSTILE.map((text) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text));
  for (const name of ['actor.name', 'reason', 'user_agent'])
    expect({ name, texts: column(name) }).toEqual({ name, texts: guarded });
  expect(column('id').every((id: string) => /^\d+$/.test(id))).toBe(true);
  expect(column('created_at').every((at: string) => new Date(at).toISOString() === at)).toBe(true);
  expect(rows.flat().filter((cell: string) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  if (pandas) expect(pandas.map((row: string[]) => row.length)).toEqual(rows.map((row: string[]) => row.length));
});
