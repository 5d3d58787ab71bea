import { beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { customerOfEachTest } from '../../support/goldCustomers.ts';
import { dayOf2027 as day, goldSubscriptions } from '../../support/goldSubscriptions.ts';

/**
 * Requests that first bill due periods take the numbers of all documents at the end, because the series stay locked until the commit: the
 * database refuses to write rows of documents and subscriptions after the first number of a transaction.
 */

const REFUSE = `create function refuse_after_number() returns trigger security definer language plpgsql as $$
begin
  if exists (select 1 from numbering where xmin::text = (pg_current_xact_id()::text::bigint % 4294967296)::text) then
    raise exception '% is written after a number', tg_table_name;
  end if;
  return null;
end; $$`;
const WRITTEN = ['invoice', 'line_item', 'credit_note', 'ledger_entry', 'subscription', 'wakeup'];

const gold = goldSubscriptions((client) =>
  client.make('/plans', { id: 'annual', name: 'Annual', amount: 100, interval: 'year' }),
);
const { change, cancel } = gold;
const { begin, invoices } = customerOfEachTest(gold);
beforeAll(async () => {
  const owner = new pg.Client({ connectionString: gold.api.databaseUrl });
  await owner.connect();
  await owner.query(REFUSE);
  for (const table of WRITTEN) {
    const events = table === 'subscription' ? 'insert or update' : 'insert';
    await owner.query(`create trigger number_last after ${events} on ${table} execute function refuse_after_number()`);
  }
  await owner.end();
});
/** The numbers of its invoices, without their prefix, and their totals. */
const issued = async () =>
  (await invoices()).map(({ number, total }) => ({ number: Number(number.replace('INV-', '')), total }));

test.each<[string, object, (id: number) => Promise<{ status: number }>, number[]]>([
  ['a change that is billed at once', {}, (id) => change(id, { quantity: 2, prorate: 'now' }), [10, 10, 10, 7.09]], // 14.19 - 7.10, 22/31 each
  ['a plan of another interval', {}, (id) => change(id, { plan: 'annual' }), [10, 10, 10, 92.9]], // 100.00 - 7.10
  ['a change with the renewal', {}, (id) => change(id, { quantity: 2, when: 'renewal' }), [10, 10, 10]],
  ['a pause', { bill_in: 'arrears' }, (id) => change(id, { paused: true }), [10, 10]],
  ['a cancellation', { bill_in: 'arrears' }, (id) => cancel(id), [10, 10, 2.9]], // 9/31
  [
    'a renewal',
    { cycles: 2, contract_renewal_mode: 'manual' },
    (id) => gold.api.sandbox.post(`/subscriptions/${id}/renew`, { start: 'now' }),
    [10, 10],
  ],
])('%s', async (_, terms, request, expected) => {
  const id = await begin(terms);
  gold.moveTo(day(5, 10)); // the periods of 1 April and 1 May are due
  expect((await request(id)).status).toBe(200);
  const documents = await issued();
  expect(documents.map(({ total }) => total)).toEqual(expected);
  const taken = documents.map(({ number }) => number);
  expect(taken).toEqual(taken.map((_number, index) => (taken[0] ?? 0) + index));
});

test('a kept change that was due, before a request that changes nothing else', async () => {
  const id = await begin();
  await change(id, { quantity: 3, when: 'renewal' });
  gold.moveTo(day(5, 10));
  expect((await change(id, { quantity: 3 })).body).toMatchObject({ quantity: 3, pending_change: null });
  expect((await issued()).map(({ total }) => total)).toEqual([10, 30, 30]);
});

test('no request failed, and the books are right', async () => {
  expect(gold.api.faults).toEqual([]);
  await gold.expectCleanBooks();
});
