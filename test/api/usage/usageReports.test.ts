import { beforeAll, expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, MARCH } from '../../support/goldSubscriptions.ts';
import { meteredSubscriptions } from '../../support/meteredSubscriptions.ts';

/** Reports of usage: their keys, corrections and batches, and what is refused. */

const metered = meteredSubscriptions();
const { advanceTo, begin, billedUsage, expectCleanBooks, invoices, moveTo, read, report, usageOf } = metered;
const TODAY = day(3, 20);

let id: number;
let addon: number;
beforeAll(async () => {
  id = await begin({ addons: [{ plan: 'calls' }] });
  addon = (await read(id)).addons[0].id;
  moveTo(TODAY);
});

const batch = async (usage: object[]) =>
  (await metered.api.sandbox.post(`/subscriptions/${id}/usage/batch`, { usage })).body;
const countOf = async (subscription: number) => (await usageOf(subscription)).length;

test('a report has an answer with the usage, for now if it names no time', async () => {
  const { status, body } = await metered.api.sandbox.post(`/subscriptions/${id}/usage`, {
    quantity: 2.125,
    idempotency_key: 'now',
    addon,
  });
  expect({ status, body }).toEqual({
    status: 201,
    body: {
      id: expect.any(Number),
      object: 'usage',
      subscription: id,
      addon,
      quantity: 2.125,
      timestamp: TODAY,
      idempotency_key: 'now',
      billed: false,
      invoice: null,
      period_start: null,
      period_end: null,
      created_at: TODAY,
    },
  });
});

test('a report of the second in which a plan becomes metered counts', async () => {
  const own = await begin({ bill_in: 'arrears' });
  moveTo(TODAY + 0.5);
  expect((await metered.change(own, { plan: 'calls' })).status).toBe(200);
  expect(await report(own, 4, TODAY)).toMatchObject({ status: 201, body: { timestamp: TODAY } });
  expect(await report(own, 4, TODAY - 1)).toMatchObject(refused({ param: 'timestamp' }));
  await advanceTo(own, APRIL);
  expect((await billedUsage(own)).flat().filter(([plan]) => plan === 'calls')).toEqual([
    ['calls', 4, 0.25, 1, TODAY, null],
  ]);
  moveTo(TODAY);
});

test('a key counts for good: the same report changes nothing, another one is refused', async () => {
  const own = await begin({ plan: 'calls', bill_in: 'arrears' });
  moveTo(TODAY);
  const sent = { idempotency_key: 'once', timestamp: day(3, 10) };
  const first = await report(own, 3, 0, sent);
  const again = await report(own, 3, 0, sent);
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
  const other = refused({ param: 'idempotency_key', message: expect.stringContaining('other usage') });
  expect(await report(own, 4, 0, sent)).toMatchObject(other);
  expect(await report(own, 3, day(3, 11), { idempotency_key: 'once' })).toMatchObject(other);
  await advanceTo(own, APRIL);
  expect(await report(own, 3, 0, sent)).toMatchObject({ status: 201, body: { billed: true } });
  expect(await billedUsage(own)).toEqual([[['calls', 3, 0.25, 0.75, MARCH, null]]]);
  await metered.cancel(own);
  expect(await report(own, 3, 0, sent)).toMatchObject({ status: 201 });
  expect(await report(own, 4, 0, sent)).toMatchObject(other);
  moveTo(TODAY);
});

test('an Idempotency-Key of the request repeats its answer', async () => {
  const body = { quantity: 1, idempotency_key: 'keyed', addon };
  const headers = { 'idempotency-key': 'usage 1' };
  const send = () => metered.api.sandbox.post(`/subscriptions/${id}/usage`, body, headers);
  const first = await send();
  expect((await send()).body).toEqual(first.body);
  expect(await usageOf(id, '?filter[idempotency_key]=keyed')).toHaveLength(1);
});

test.each([
  ['a quantity of zero', 'quantity', { quantity: 0 }],
  ['a quantity with seven decimals', 'quantity', { quantity: 0.1234567 }],
  ['a quantity that is text', 'quantity', { quantity: 'many' }],
  ['no quantity', 'quantity', { quantity: null }],
  ['no key', 'idempotency_key', { idempotency_key: null }],
  ['a key that is too long', 'idempotency_key', { idempotency_key: 'k'.repeat(256) }],
  ['a key with NUL', 'idempotency_key', { idempotency_key: 'a\u0000b' }],
  ['a time more than a minute in the future', 'timestamp', { timestamp: TODAY + 61 }],
  ['a time before the start', 'timestamp', { timestamp: MARCH - 1 }],
  ['a time that is text', 'timestamp', { timestamp: 'today' }],
  ['an unknown add-on', 'addon', { addon: 999_999 }],
  ['a plan that bills no usage', 'addon', { addon: null }],
  ['an unknown field', 'unit', { unit: 'calls' }],
  ['a correction of nothing', 'quantity', { quantity: -1000 }],
])('%s is refused and records nothing', async (_, param, wrong) => {
  const before = await countOf(id);
  const body = { quantity: 1, idempotency_key: 'wrong', timestamp: TODAY, addon, ...wrong };
  const answer = await metered.api.sandbox.post(`/subscriptions/${id}/usage`, body);
  expect(answer).toMatchObject(refused({ param }));
  expect(await countOf(id)).toBe(before);
});

test('a subscription of another account, and one that does not exist, have no usage', async () => {
  const { sandbox } = await metered.api.open('Other');
  const body = { quantity: 1, idempotency_key: 'other' };
  expect((await sandbox.post(`/subscriptions/${id}/usage`, body)).status).toBe(404);
  expect((await sandbox.get(`/subscriptions/${id}/usage`)).status).toBe(404);
  expect((await sandbox.get(`/subscriptions/${id}/upcoming_usage`)).status).toBe(404);
  expect((await metered.api.sandbox.post('/subscriptions/999999/usage', body)).status).toBe(404);
});

test('usage after the end is refused, usage before it is not', async () => {
  const own = await begin({ plan: 'calls' });
  moveTo(TODAY);
  await metered.cancel(own);
  moveTo(TODAY + 3600);
  const late = await report(own, 1, TODAY);
  expect(late).toMatchObject(refused({ param: 'timestamp', message: expect.stringContaining('had ended') }));
  expect((await report(own, 1, TODAY - 1)).status).toBe(201);
  moveTo(TODAY);
});

test('corrections lower the usage of their period, never below zero, also of a billed one', async () => {
  const own = await begin({ plan: 'calls', bill_in: 'arrears' });
  moveTo(TODAY);
  await report(own, 5, day(3, 10));
  expect((await report(own, -3, day(3, 12))).status).toBe(201);
  const tooMuch = refused({ param: 'quantity', message: expect.stringContaining('without this correction it is 2') });
  expect(await report(own, -2.5, day(3, 12))).toMatchObject(tooMuch);
  await advanceTo(own, APRIL);
  moveTo(APRIL + 60);
  expect(await report(own, -2.5, day(3, 12))).toMatchObject(tooMuch);
  expect((await report(own, -2, day(3, 12))).status).toBe(201);
  await advanceTo(own, day(5));
  expect(await billedUsage(own)).toEqual([
    [['calls', 2, 0.25, 0.5, MARCH, null]],
    [
      ['calls', 1, -0.5, -0.5, MARCH, 'Usage correction, Quantity: 2'],
      ['calls', 0, 0.25, 0, APRIL, null],
      [null, 1, 0.5, 0.5, undefined, null],
    ],
  ]);
  const [, april] = await invoices(own);
  expect(april).toMatchObject({ total: 0 }); // 0.50 go to the credit balance
  await expectCleanBooks();
  moveTo(TODAY);
});

test('each report of a batch is judged alone', async () => {
  const one = { quantity: 1, idempotency_key: 'batch 1', addon };
  expect((await batch([one])).results).toMatchObject([{ status: 'created' }]);
  const { results } = await batch([
    one,
    { ...one, quantity: 2 },
    { ...one, idempotency_key: 'batch 2', timestamp: MARCH - 1 },
    { ...one, idempotency_key: 'batch 3' },
    { ...one, idempotency_key: 'batch 3' },
    { ...one, idempotency_key: 'batch 4', quantity: -1_000_000 },
    { ...one, idempotency_key: 'batch 5', addon: null },
  ]);
  expect(results).toMatchObject([
    { status: 'repeated', usage: { quantity: 1 } },
    { status: 'refused', error: { code: 'idempotency_mismatch', param: 'idempotency_key' } },
    { status: 'refused', error: { code: 'state_conflict', param: 'timestamp' } },
    { status: 'created', usage: { idempotency_key: 'batch 3' } },
    { status: 'repeated', usage: { idempotency_key: 'batch 3' } },
    { status: 'refused', error: { param: 'quantity' } },
    { status: 'refused', error: { code: 'parameter_invalid', param: 'addon' } },
  ]);
  expect(await usageOf(id, '?filter[idempotency_key]=batch 4')).toEqual([]);
});

test('a batch has at most 1,000 reports, each with valid fields', async () => {
  const usage = Array.from({ length: 1001 }, (_, index) => ({ quantity: 1, idempotency_key: `many ${index}`, addon }));
  const sent = (some: object[]) => metered.api.sandbox.post(`/subscriptions/${id}/usage/batch`, { usage: some });
  expect(await sent(usage)).toMatchObject(refused({ param: 'usage' }));
  expect(await sent([{ quantity: 1 }])).toMatchObject(refused({ param: 'usage[0][idempotency_key]' }));
  const { status, body } = await sent(usage.slice(1));
  expect([status, body.results.length]).toEqual([200, 1000]);
});

test.each([
  ['a quantity of the plan', { plan: 'calls', quantity: 2 }, 'quantity'],
  ['a quantity of an add-on', { addons: [{ plan: 'calls', quantity: 2 }] }, 'addons[0][quantity]'],
  ['a threshold of a plan without usage', { usage_thresholds: [{ quantity: 5 }] }, 'usage_thresholds[0][plan]'],
  ['a threshold of zero', { plan: 'calls', usage_thresholds: [{ quantity: 0 }] }, 'usage_thresholds[0][quantity]'],
])('%s is refused', async (_, body, param) => {
  const customer = await metered.customerWith();
  const answer = await metered.api.sandbox.post('/subscriptions', { customer, plan: 'gold', ...body });
  expect(answer).toMatchObject(refused({ param }));
});

test('a threshold is announced once in each period', async () => {
  const own = await begin({
    plan: 'calls',
    bill_in: 'arrears',
    usage_thresholds: [{ quantity: 10 }, { quantity: 20 }],
  });
  expect(await read(own)).toMatchObject({
    usage_thresholds: [
      { plan: 'calls', quantity: 10 },
      { plan: 'calls', quantity: 20 },
    ],
  });
  const told = async () => {
    const { body } = await metered.api.sandbox.get(
      `/events?related_to=subscription,${own}&type=subscription.usage_threshold`,
    );
    return body
      .map(({ data }: { data: { object: { usage_threshold: object } } }) => data.object.usage_threshold)
      .reverse();
  };
  const compareAt = async (seconds: number) => {
    await advanceTo(own, seconds + 10);
    moveTo(seconds + 20);
  };
  moveTo(day(3, 10));
  await report(own, 9, day(3, 10));
  await compareAt(day(3, 10));
  expect(await told()).toEqual([]);
  await report(own, 2, day(3, 10));
  await report(own, 0.5, day(3, 10));
  await compareAt(day(3, 11));
  const march = [{ plan: 'calls', quantity: 10, usage: 11.5, period_start: MARCH }];
  expect(await told()).toEqual(march);
  await report(own, 1, day(3, 11));
  await compareAt(day(3, 12));
  expect(await told()).toEqual(march);
  await report(own, 30, day(3, 12));
  await advanceTo(own, APRIL); // the bill compares before it takes the usage
  const both = [...march, { plan: 'calls', quantity: 20, usage: 42.5, period_start: MARCH }];
  expect(await told()).toEqual(both);
  moveTo(day(4, 2));
  await report(own, 10, day(4, 2));
  await compareAt(day(4, 2));
  expect(await told()).toEqual([...both, { plan: 'calls', quantity: 10, usage: 10, period_start: APRIL }]);
  await expectCleanBooks();
});
