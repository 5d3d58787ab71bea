import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase, printAudit } from '../../../bin/audit.ts';
import { runBounded } from '../../../bin/boundedChecks.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import { basic, type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { withLongestBlockBelow } from '../../support/eventLoop.ts';

let api: TestApi;
let owner: Connection;
beforeAll(async () => {
  api = await startApi();
  owner = await connect(api.databaseUrl);
});
afterEach(async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]));
afterAll(async () => {
  await owner.close();
  await api.close();
});

const NUMBERS = 'invoice: every number that the series has passed is that of a document, or it is known why not';

async function business(name: string): Promise<{ client: Client; issue: () => Promise<string> }> {
  const client = (await api.open(name)).sandbox;
  const { id: customer } = await client.make('/customers', { name });
  const issue = async () => (await client.make('/invoices', { customer, items: [{ unit_cost: 1 }] })).number;
  return { client, issue };
}

/** The answer of the audit as text: parsing it in this process would block the event loop, too. */
async function readText({ key }: Client): Promise<string> {
  const answer = await fetch(`${api.origin}/sandbox/api/numbering/audit`, { headers: basic(key) });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** Changes the invoice series directly in the database. */
const setSeries = ({ account }: Client, set: string) =>
  owner.query(`update numbering set ${set} where account_id = ${account.id} and series = 'invoice'`);

test('a series that jumps by a billion is reported and audited as one range', async () => {
  const { client, issue } = await business('Jumps');
  expect(await issue()).toBe('INV-00001');
  await client.patch('/account', { numbering: { invoice: { next: 999_999_999 } } });
  expect([await issue(), await issue()]).toEqual(['INV-999999999', 'INV-1000000000']);
  const { body } = await client.get('/numbering/audit');
  const skipped = { count: 999_999_997, reason: 'skipped', document: null };
  expect(body.series).toContainEqual({
    series: 'invoice',
    prefix: 'INV-',
    first: 'INV-00001',
    last: 'INV-1000000000',
    missing: [{ first: 'INV-00002', last: 'INV-999999998', ...skipped }],
  });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  await setSeries(client, 'next = 2000000000');
  expect(await auditDatabase(api.databaseUrl)).toEqual([
    {
      check: NUMBERS,
      accountId: client.account.id,
      object: 'INV-1000000001 to INV-1999999999',
      stored: 'unknown',
      recomputed: 'a reason',
    },
  ]);
  await setSeries(client, 'next = 1000000001');
});

test('the audit finds the one unexplained number among a hundred thousand gaps', async () => {
  const { client, issue } = await business('Gaps');
  await issue();
  const { id } = client.account;
  await setSeries(client, 'next = 200002');
  // Every second number has its own explanation, each other one a range. 100,001 has none.
  await owner.query(
    `insert into numbering_gap (account_id, series, prefix, first, last, reason, created_at)
     select ${id}, 'invoice', 'INV-', v, v, 'changed', now() from generate_series(2, 200001) v where v <> 100001`,
  );
  expect(await auditDatabase(api.databaseUrl)).toMatchObject([{ check: NUMBERS, accountId: id, object: 'INV-100001' }]);
  const { result, milliseconds } = await withLongestBlockBelow(100, () => readText(client));
  expect(milliseconds).toBeLessThan(100);
  const body = JSON.parse(result);
  const { missing } = body.series.find((one: { series: string }) => one.series === 'invoice');
  expect(missing).toHaveLength(200_000);
  expect(missing.filter(({ reason }: { reason: string }) => reason === 'unknown')).toEqual([
    { first: 'INV-100001', last: 'INV-100001', count: 1, reason: 'unknown', document: null },
  ]);
  await owner.query(`delete from numbering_gap where account_id = ${id}`);
  await setSeries(client, 'next = 2');
});

test('the number of prefixes of a series is limited to what can be audited', async () => {
  const { client } = await business('Prefixes');
  const take = (prefix: string) => client.patch('/account', { numbering: { invoice: { prefix } } });
  for (let n = 1; n < 100; n++) expect((await take(`P${n}-`)).status).toBe(200);
  expect(await take('P100-')).toMatchObject(
    refused({ param: 'numbering[invoice][prefix]', message: expect.stringContaining('at most 100 prefixes') }),
  );
  expect((await take('INV-')).status).toBe(200);
});

test('two accounts whose checks time out leave time for the third, whose drift is found', async () => {
  const ids: number[] = [];
  for (const name of ['Slow', 'Slow too', 'Drifted']) ids.push((await api.open(name)).sandbox.account.id);
  const [slow = 0, slowToo = 0, drifted = 0] = ids;
  const check = {
    name: 'a check',
    sql: `select id as "accountId", 'thing' as object, 'one' as stored, 'two' as recomputed,
        case when id in (${slow}, ${slowToo}) then pg_sleep(60) end as slept
      from account where id in (${ids.join()})`,
  };
  const { drifts, unchecked } = await runBounded(owner, check, 5000);
  expect(unchecked.map(({ accounts }) => accounts)).toEqual([`account ${slow}`, `account ${slowToo}`]);
  expect(drifts).toMatchObject([{ check: 'a check', accountId: drifted, object: 'thing' }]);
});

test("a check that cannot finish is named, the others continue, and the exit code differs from a drift's", async () => {
  const { client, issue } = await business('Locked');
  const number = await issue();
  const lines: string[] = [];
  const other = await connect(api.databaseUrl);
  await other.query('begin');
  await other.query('lock table numbering in access exclusive mode'); // blocks checks that run before the one of balances
  const print = () => printAudit(api.databaseUrl, ['2'], (line) => lines.push(line));
  try {
    expect(await print()).toBe(2);
    expect(lines).toEqual([
      ...Array(lines.length - 1).fill(
        expect.stringMatching(/^not checked: .*account \d+.*: (invoice|credit_note|receipt): every number/),
      ),
      expect.stringContaining('could not be completed'),
    ]);
    await owner.query(`update invoice set balance = 0.5 where account_id = ${client.account.id}`);
    expect(await print()).toBe(1);
    expect(lines).toContainEqual(expect.stringContaining(`invoice ${number}: invoice balance is`));
  } finally {
    await other.query('rollback');
    await other.close();
    await owner.query(`update invoice set balance = 1 where account_id = ${client.account.id}`);
  }
  expect(await printAudit(api.databaseUrl, [], () => undefined)).toBe(0);
  expect(await printAudit(api.databaseUrl, ['soon'], () => undefined)).toBe(1);
});
