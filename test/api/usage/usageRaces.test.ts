import { expect, test } from '@jest/globals';
import { insertUsage } from '../../../db/queries/usage/recording.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Answer } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, MARCH, MAY } from '../../support/goldSubscriptions.ts';
import { meteredSubscriptions } from '../../support/meteredSubscriptions.ts';
import { expectUsageAddsUp } from '../../support/usageWalk.ts';

/** Usage is billed once, whatever happens at the same time. */

const metered = meteredSubscriptions();
const { advanceTo, begin, billedUsage, expectCleanBooks, moveTo, report, usageOf } = metered;

const post = (id: number, body: object) => metered.api.sandbox.post(`/subscriptions/${id}/usage`, body);
const postBatch = (id: number, usage: object[]) =>
  metered.api.sandbox.post(`/subscriptions/${id}/usage/batch`, { usage });

test('64 clients that send the same keys at once record each key once', async () => {
  const id = await begin({ plan: 'calls', bill_in: 'arrears' });
  moveTo(day(3, 20));
  const usage = Array.from({ length: 20 }, (_, index) => ({ quantity: 1, idempotency_key: `same ${index}` }));
  const single = Array.from({ length: 44 }, (_, index) => post(id, usage[index % 20] ?? {}));
  const batches = Array.from({ length: 20 }, () => postBatch(id, usage));
  const answers = await Promise.all([...single, ...batches]);
  expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
  expect(await usageOf(id)).toHaveLength(20);
  const ids = answers.flatMap(({ body }) => body.results?.map((one: Answer['body']) => one.usage.id) ?? body.id);
  expect(new Set(ids).size).toBe(20);
  await advanceTo(id, APRIL);
  expect(await billedUsage(id)).toEqual([[['calls', 20, 0.25, 5, MARCH, null]]]);
});

test('billed and unbilled usage add up to what was sent while it is reported, billed and canceled', () =>
  expectUsageAddsUp(metered, 1));

test('a period that ends amid a batch: what commits after the bill is late usage of the next one', async () => {
  const id = await begin({ plan: 'calls', bill_in: 'arrears' });
  moveTo(APRIL);
  const usedAt = (seconds: number) => new Date(seconds * 1000);
  const reports = [
    { addonId: null, quantity: '8', usedAt: usedAt(APRIL - 1), key: 'before the end' },
    { addonId: null, quantity: '4', usedAt: usedAt(APRIL), key: 'after it' },
  ];
  await inTransaction(metered.api.em, async (em) => {
    const key = { accountId: metered.api.sandbox.account.id, subscriptionId: id, systemNow: usedAt(APRIL) };
    await insertUsage(em, key, reports);
    await advanceTo(id, APRIL);
  });
  await advanceTo(id, MAY);
  expect(await billedUsage(id)).toEqual([
    [['calls', 0, 0.25, 0, MARCH, null]],
    [
      ['calls', 1, 2, 2, MARCH, 'Late usage, Quantity: 8'],
      ['calls', 4, 0.25, 1, APRIL, null],
    ],
  ]);
  await expectCleanBooks();
});

test('usage whose report commits after the final invoice becomes a pending line', async () => {
  const customer = await metered.customerWith();
  const id = await begin({ plan: 'calls', customer });
  moveTo(day(3, 20));
  const { account } = metered.api.sandbox;
  const reports = [{ addonId: null, quantity: '8', usedAt: null, key: 'slow' }];
  await inTransaction(metered.api.em, async (em) => {
    const key = { accountId: account.id, subscriptionId: id, systemNow: new Date(day(3, 20) * 1000) };
    expect(await insertUsage(em, key, reports)).toMatchObject({ answers: [{ fault: null, isNew: true }] });
    expect((await metered.cancel(id)).status).toBe(200); // a report that is not committed locks nothing
  });
  expect(await usageOf(id)).toMatchObject([{ billed: false }]);
  await advanceTo(id, day(3, 20) + 120);
  expect(await usageOf(id)).toMatchObject([{ billed: true }]);
  const pending = (await metered.api.sandbox.get(`/customers/${customer}/line_items`)).body;
  expect(pending).toMatchObject([{ amount: 2 }]);
  await expectCleanBooks();
});

test('a batch is one statement', async () => {
  const id = await begin({ plan: 'calls' });
  moveTo(day(3, 20));
  const usage = Array.from({ length: 1000 }, (_, index) => ({ quantity: 1, idempotency_key: `of many ${index}` }));
  const statements = await metered.api.statements(() => postBatch(id, usage));
  expect(statements.filter((text) => !text.includes('lookup.'))).toEqual([
    expect.stringContaining('insert into usage_record'),
  ]);
  expect(await usageOf(id, '?filter[billed]=false&per_page=100')).toHaveLength(100);
});

test('a report is one statement, and waits for no lock of customer or subscription', async () => {
  const id = await begin({ plan: 'calls' });
  moveTo(day(3, 20));
  const statements = await metered.api.statements(() => report(id, 1, day(3, 10)));
  expect(statements.filter((text) => !text.includes('lookup.'))).toEqual([
    expect.stringContaining('insert into usage_record'),
  ]);
  await inTransaction(metered.api.em, async (em) => {
    await em.execute('select 1 from subscription s join customer c on c.id = s.customer_id where s.id = ? for update', [
      id,
    ]);
    expect((await report(id, 1, day(3, 10))).status).toBe(201);
  });
});

test('corrections at the same time never take more than there is', async () => {
  const id = await begin({ plan: 'calls', bill_in: 'arrears' });
  moveTo(day(3, 20));
  await report(id, 10, day(3, 10));
  const answers = await Promise.all(Array.from({ length: 16 }, () => report(id, -1, day(3, 11))));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  await advanceTo(id, APRIL);
  expect(await billedUsage(id)).toEqual([[['calls', 0, 0.25, 0, MARCH, null]]]);
});

test('two subscriptions of a customer that are billed at the same instant bill their own usage', async () => {
  const customer = await metered.customerWith();
  const ids = [await begin({ plan: 'calls', customer, bill_in: 'arrears' })];
  ids.push(await begin({ plan: 'calls', customer, bill_in: 'arrears' }));
  moveTo(day(3, 20));
  for (const [index, id] of ids.entries()) await report(id, (index + 1) * 4, day(3, 10));
  await Promise.all(ids.map((id) => advanceTo(id, APRIL)));
  expect(await Promise.all(ids.map(billedUsage))).toEqual([
    [[['calls', 4, 0.25, 1, MARCH, null]]],
    [[['calls', 8, 0.25, 2, MARCH, null]]],
  ]);
  await expectCleanBooks();
});
