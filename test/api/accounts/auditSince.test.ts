import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase, findDriftsSince, printAudit } from '../../../bin/audit.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let client: Client;
let owner: Connection;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  owner = await connect(api.databaseUrl);
});
afterAll(async () => {
  await owner.close();
  await api.close();
});

const BOUND = 60_000;
const EPOCH = new Date(0);
const BALANCE = 'invoice balance is total less what is applied';
const driftsSince = async (since: Date) => {
  const { drifts, unchecked } = await findDriftsSince(api.databaseUrl, since, BOUND);
  expect(unchecked).toEqual([]);
  return drifts.map(({ check, object }) => [check, object]).sort();
};

const issue = (customer: number) => client.make('/invoices', { customer, items: [{ unit_cost: 10 }] });

/** A time between the changes before and after it. */
async function now(): Promise<Date> {
  await pause(5);
  const time = new Date();
  await pause(5);
  return time;
}

test('an audit since a time reports the drifts of customers that changed since then, and no others', async () => {
  const [quiet, busy] = [
    await client.make('/customers', { name: 'Quiet' }),
    await client.make('/customers', { name: 'Busy' }),
  ];
  const [old, other] = [await issue(quiet.id), await issue(busy.id)];
  const since = await now();
  await owner.query(`update invoice set balance = 4 where id in (${old.id}, ${other.id})`);
  expect(await driftsSince(since)).toEqual([]);
  await client.patch(`/customers/${busy.id}`, { name: 'Busy again' });
  const found = await driftsSince(since);
  expect(found).toContainEqual([BALANCE, `invoice ${other.number}`]);
  expect(found.filter(([, object]) => object?.includes(old.number))).toEqual([]);
  const all = (await auditDatabase(api.databaseUrl)).map(({ check, object }) => [check, object]).sort();
  expect(await driftsSince(EPOCH)).toEqual(all);
  expect(all).toContainEqual([BALANCE, `invoice ${old.number}`]);
  const lines: string[] = [];
  const print = (...args: string[]) => printAudit(api.databaseUrl, args, (line) => lines.push(line));
  expect(await print('--since', since.toISOString())).toBe(1);
  expect(lines[0]).toContain(`invoice ${other.number}: `);
  await owner.query(`update invoice set balance = 10 where id in (${old.id}, ${other.id})`);
  expect(await print('60', '--since', since.toISOString())).toBe(0);
  expect(lines.at(-1)).toMatch(`Books that changed since ${since.toISOString()} are clean: `);
  for (const args of [['--since'], ['--since', 'yesterday'], ['--before', 'now'], ['1', '2']]) {
    expect(await print(...args)).toBe(1);
    expect(lines.at(-1)).toContain('Usage: perennial audit');
  }
});

test.each([
  ['a parent that paid the invoice of its child', 'parent'],
  ['a child whose invoice its parent paid', 'child'],
  ['a customer that another one was merged into', 'survivor'],
])('the audit since a change of %s finds clean books', async (_, changed) => {
  const parent = (await client.make('/customers', { name: 'Parent' })).id;
  const child = (await client.make('/customers', { name: 'Child', parent_customer: parent })).id;
  const survivor = (await client.make('/customers', { name: 'Survivor' })).id;
  const merged = (await client.make('/customers', { name: 'Merged' })).id;
  await client.make('/credit_balance_adjustments', { customer: merged, amount: 7 });
  const { id: invoice } = await issue(child);
  await client.make('/payments', {
    customer: parent,
    amount: 12,
    applied_to: [{ type: 'invoice', invoice, amount: 10 }],
  });
  expect(await client.post(`/customers/${survivor}/merge`, { customer: merged })).toMatchObject({ status: 200 });
  expect(await client.patch(`/customers/${child}`, { parent_customer: null })).toMatchObject({ status: 200 });
  await client.make('/payments', { amount: 3 }); // of nobody yet
  const since = await now();
  const ids: Record<string, number> = { parent, child, survivor };
  await client.patch(`/customers/${ids[changed]}`, { name: 'Changed' });
  await client.make('/payments', { customer: ids[changed], amount: 1 });
  expect(await driftsSince(since)).toEqual([]);
});

test('an entry without an event and a payment without a customer are checked, too', async () => {
  const quiet = (await client.make('/customers', { name: 'Quiet' })).id;
  const { id, number } = await issue(quiet);
  const { id: payment } = await client.make('/payments', { amount: 3 });
  const since = await now();
  const entry = (account: string, amount: number) =>
    `(${client.account.id}, '3f2b8a10-0000-4000-8000-000000000001', '${account}', 'usd', ${amount}, 'issue', ${quiet}, ${id}, now(), now())`;
  await owner.query(
    `insert into ledger_entry (account_id, posting, ledger_account, currency, amount, reason, customer_id, invoice_id, document_at, posted_at)
     values ${entry('receivable', 5)}, ${entry('cash', -5)}`,
  );
  const receivable = 'receivable in the ledger is the balance of the invoice';
  await owner.query(`update payment set balance = 2 where id = ${payment}`);
  const found = await driftsSince(since);
  expect(found).toContainEqual([receivable, `invoice ${number}`]);
  expect(found).toContainEqual([
    'payment balance is its amount less what is applied or refunded',
    `payment ${payment}`,
  ]);
});
