import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { planWithoutStep } from '../../../db/queries/audit/forgotten.ts';
import { CLOCKS_START, enqueueDue, readClockWork, sweepIdleClocks } from '../../../db/queries/clocks/clocks.ts';
import { readBacklog } from '../../../db/queries/processes/queues.ts';
import { sweepWakeups } from '../../../db/queries/processes/sweep.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import { reconcile } from '../../../workers/reconcile.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { takeDueWork } from '../../support/dueWork.ts';

/** Wake-ups of a later version, in a database to which an earlier one has been returned. */

const HOUR = 3_600_000;
let api: TestApi;
let client: Client;
let sql: Connection;
let customer: number;
let invoice: number;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  sql = await connect(api.databaseUrls.system);
  await client.patch('/account', { statement_day: 'last' });
  await work();
  ({ id: customer } = await client.make('/customers', { name: 'Payer', email: 'payer@example.com' }));
  const items = [{ name: 'x', unit_cost: 10 }];
  ({ id: invoice } = await client.make('/invoices', { customer, items, payment_terms: 'NET 30' }));
});
afterAll(async () => {
  await sql.close();
  await api.close();
});

const wakeups = () =>
  api.em.execute<{ rule: string }[]>(
    `select process || '/' || rule as rule, at from wakeup where account_id = ? order by 1`,
    [client.account.id],
  );

/** Takes all steps that are due. */
async function work(): Promise<void> {
  await takeDueWork(api, {
    accountId: client.account.id,
    now: () => Date.now() / 1000,
  });
}

test('a step that this version does not know stays, is not taken, and is counted', async () => {
  const known = await wakeups();
  const due = new Date(Date.now() - HOUR);
  const put = (process: string, id: number, rule: string) =>
    api.em.execute(
      `insert into wakeup (account_id, process, subject_id, rule, at, step, time_base) values (?, ?, ?, ?, ?, 'unknown', 'real')`,
      [client.account.id, process, id, rule, due],
    );
  await put('invoice', invoice, 'later_rule');
  await put('chasing', customer, 'later_rule');
  await put('later_process', 7, 'begin');
  const unknown = ['chasing/later_rule', 'invoice/later_rule', 'later_process/begin'];
  const rules = async () => (await wakeups()).map(({ rule }) => rule);
  const all = [...known.map(({ rule }) => rule), ...unknown].toSorted();
  await client.patch(`/invoices/${invoice}`, { payment_terms: 'NET 60' });
  await client.patch(`/customers/${customer}`, { statement_day: '15' });
  expect(await rules()).toEqual(all);
  await work();
  expect(await rules()).toEqual(all);
  await api.em.execute("delete from outbox where topic <> 'event'");
  const now = new Date();
  expect(await sweepWakeups(sql, { now, before: now, limit: 100 })).toBe(0);
  expect((await readBacklog(sql, now)).stepsUnknown).toBe(3);
  await reconcile(sql, now);
  const topics = await api.em.execute('select distinct topic from outbox where topic = ?', ['later_process']);
  expect(topics).toEqual([]);
  await api.em.execute(`delete from wakeup where rule = 'later_rule' or process = 'later_process'`);
});

test('a clock neither waits for a step that this version does not know, nor wakes its process', async () => {
  const accountId = client.account.id;
  const { id } = await client.make('/test_clocks', { frozen_time: Math.floor(Date.now() / 1000) });
  await api.em.execute(
    `insert into wakeup (account_id, process, subject_id, rule, at, step, time_base, clock_id)
     select account_id, 'invoice', ?, 'later_rule_' || day, frozen_at + day * interval '1 day', 'unknown', 'clock', id
     from test_clock, (values (0), (1)) d (day) where account_id = ? and id = ?`,
    [invoice, accountId, id],
  );
  const clocked = 'select topic from outbox where account_id = ? and clock_id = ?';
  await sweepIdleClocks(sql, CLOCKS_START, { now: new Date(), limit: 100 });
  expect(await api.em.execute(clocked, [accountId, id])).toEqual([]);
  await api.em.execute(
    `update test_clock set status = 'advancing', advances = 1, target_at = frozen_at + interval '2 days' where account_id = ? and id = ?`,
    [accountId, id],
  );
  expect(await readClockWork(api.em, { accountId, id }, new Date())).toMatchObject({ due: 0, nextAt: null });
  await enqueueDue(api.em, { accountId, id }, new Date());
  expect(await api.em.execute(clocked, [accountId, id])).toEqual([]);
  await api.em.execute('delete from wakeup where clock_id = ?', [id]);
});

test('a step that an earlier version has deleted is planned again', async () => {
  const before = await wakeups();
  expect(before.map(({ rule }) => rule)).toEqual(['chasing/statement', 'invoice/past_due']);
  await api.em.execute('delete from wakeup where account_id = ?', [client.account.id]);
  expect((await auditDatabase(api.databaseUrl)).map(({ object }) => object).toSorted()).toEqual([
    `customer ${customer}`,
    `invoice ${invoice}`,
    expect.stringMatching(/^invoice INV-/),
  ]);
  expect(await planWithoutStep(sql, new Date())).toBe(2);
  expect(await planWithoutStep(sql, new Date())).toBe(0);
  await work();
  expect(await wakeups()).toEqual(before);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});
