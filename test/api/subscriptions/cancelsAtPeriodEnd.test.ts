import { expect, test } from '@jest/globals';
import { type Answer, refused } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, goldSubscriptions, JULY, JUNE, MARCH, MAY } from '../../support/goldSubscriptions.ts';

/** Cancellations at the end of the period, in arrears and with bills ahead. The test takes the steps as their processes would. */

const gold = goldSubscriptions(({ make }) => make('/coupons', { id: 'twice', name: 'Twice', value: 10, duration: 2 }));
const { change, customerWith, expectCleanBooks, invoices } = gold;

const CANCEL = { cancel_at_period_end: true };
const KEEP = { cancel_at_period_end: false };
const ARREARS = { bill_in: 'arrears' };
const AHEAD = { bill_in_advance_days: 5 };

const begunWith = async (terms: object, at: number) => {
  const id = await gold.begin({ customer: await customerWith(), ...terms });
  await gold.advanceTo(id, at);
  return id;
};

const isVoided = ({ status }: Answer['body']) => status === 'voided';

/** Date of each invoice that is not voided, and amount, start and end of its lines: `[date, [amount, start, end], …]`. */
const owed = async (id: number) =>
  (await invoices(id))
    .filter((invoice) => !isVoided(invoice))
    .map(({ date, items }) => [
      date,
      ...items.map(({ amount, period_start, period_end }: Answer['body']) => [amount, period_start, period_end]),
    ]);

const voided = async (id: number) => (await invoices(id)).filter(isVoided).map(({ date }) => date);

/** Expects that a subscription was active until one second before it was canceled, and what it owes then and months later. */
async function expectEnd(id: number, at: number, bills: unknown[]): Promise<void> {
  await gold.advanceTo(id, at - 1);
  expect(await gold.read(id)).toMatchObject({ status: 'active', period_end: at, ...CANCEL });
  await gold.advanceTo(id, at);
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: at, period_end: null, mrr: 0 });
  expect(await owed(id)).toEqual(bills);
  await gold.advanceTo(id, at + 100 * 86_400);
  expect(await owed(id)).toEqual(bills);
  await expectCleanBooks();
}

test('in arrears: the final bill has the last period once, each price for its time, and pending lines', async () => {
  const id = await begunWith(ARREARS, day(3, 16));
  await change(id, { quantity: 3 });
  expect((await change(id, CANCEL)).body).toMatchObject({ status: 'active', canceled_at: null, ...CANCEL });
  const { customer } = await gold.read(id);
  await gold.api.sandbox.make(`/customers/${customer}/line_items`, { name: 'Setup', unit_cost: 7 });
  expect(await owed(id)).toEqual([]);
  await gold.advanceTo(id, APRIL - 1);
  expect(await owed(id)).toEqual([]);
  await expectEnd(id, APRIL, [
    [
      APRIL,
      [4.84, MARCH, day(3, 16)], // 10.00 x 15 days of 31 = 4.838…
      [15.48, day(3, 16), APRIL], // 3 x 10.00 x 16 days of 31 = 15.483…
      [7, undefined, undefined],
    ],
  ]);
  const [final] = await invoices(id);
  expect(final).toMatchObject({ total: 27.32, number: expect.any(String) }); // 4.84 + 15.48 + 7.00
});

test('in arrears: a paused part of the last period is not billed', async () => {
  const id = await begunWith(ARREARS, day(3, 11));
  await change(id, { paused: true, resume_at: day(3, 21) });
  await change(id, CANCEL);
  await expectEnd(id, APRIL, [
    [
      APRIL,
      [3.23, MARCH, day(3, 11)], // 10.00 x 10 days of 31 = 3.225…
      [3.55, day(3, 21), APRIL], // 10.00 x 11 days of 31 = 3.548…
    ],
  ]);
});

test('in arrears: a contract ends with its last period, which is billed, and is not renewed', async () => {
  const id = await begunWith({ ...ARREARS, cycles: 2, contract_renewal_mode: 'auto' }, day(3, 10));
  await change(id, CANCEL);
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ status: 'active', period_end: MAY, contract_period_end: MAY });
  await expectEnd(id, MAY, [
    [APRIL, [10, MARCH, APRIL]],
    [MAY, [10, APRIL, MAY]],
  ]);
});

test('ahead: set before the bill of the next period, that period is never billed', async () => {
  const id = await begunWith(AHEAD, day(3, 10));
  await change(id, CANCEL);
  await gold.advanceTo(id, day(3, 27)); // 1 April less five days
  expect(await invoices(id)).toHaveLength(1);
  await expectEnd(id, APRIL, [[MARCH, [10, MARCH, APRIL]]]);
  expect(await voided(id)).toEqual([]);
});

test('ahead: set after the bill of the next period, that bill is voided, and the period is not billed again', async () => {
  const id = await begunWith(AHEAD, day(3, 28));
  expect(await owed(id)).toEqual([
    [MARCH, [10, MARCH, APRIL]],
    [day(3, 27), [10, APRIL, MAY]],
  ]);
  await change(id, CANCEL);
  await change(id, CANCEL);
  await expectEnd(id, APRIL, [[MARCH, [10, MARCH, APRIL]]]);
  expect(await voided(id)).toEqual([day(3, 27)]);
});

test('ahead: a contract that would be renewed ends after its last cycle, whether the next one is billed or not', async () => {
  const terms = { ...AHEAD, cycles: 2, contract_renewal_mode: 'auto' };
  const cycles = [
    [MARCH, [10, MARCH, APRIL]],
    [day(3, 27), [10, APRIL, MAY]],
  ];
  const before = await begunWith(terms, day(4, 10));
  await change(before, CANCEL);
  await expectEnd(before, MAY, cycles);
  expect(await voided(before)).toEqual([]);
  const after = await begunWith(terms, day(4, 27)); // the next contract is billed on 26 April, 1 May less five days
  await change(after, CANCEL);
  await expectEnd(after, MAY, cycles);
  expect(await voided(after)).toEqual([day(4, 26)]);
});

test('ahead: set at creation, the first period is billed before it begins, and is the only one', async () => {
  const id = await begunWith({ ...AHEAD, ...CANCEL, start_date: day(3, 4) }, day(3, 4)); // fewer than five days are left
  await expectEnd(id, day(4, 4), [[MARCH, [10, day(3, 4), day(4, 4)]]]);
  expect(await voided(id)).toEqual([]);
});

test.each([
  ['in arrears', ARREARS, [APRIL, [10, MARCH, APRIL]]],
  ['ahead', AHEAD, [MARCH, [10, MARCH, APRIL]]],
])('%s: a process that comes months late ends it at the same time, with the same bills', async (_, terms, bill) => {
  const id = await begunWith(terms, day(3, 10));
  await change(id, CANCEL);
  await gold.advanceTo(id, JULY);
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: APRIL });
  expect(await owed(id)).toEqual([bill]);
  await expectCleanBooks();
});

test.each([
  ['in arrears', ARREARS, day(3, 28), APRIL, [[APRIL, [10, MARCH, APRIL]]]],
  [
    'in arrears, in the next period',
    ARREARS,
    day(4, 3),
    MAY,
    [
      [APRIL, [10, MARCH, APRIL]],
      [MAY, [10, APRIL, MAY]],
    ],
  ],
  ['ahead, when the next bill is due', AHEAD, day(3, 28), APRIL, [[MARCH, [10, MARCH, APRIL]]]],
])('%s: it does not matter whether the process or the request comes first', async (_, terms, at, end, bills) => {
  const inOrder = await begunWith(terms, at);
  const late = await begunWith(terms, day(3, 10));
  gold.moveTo(at);
  for (const id of [inOrder, late]) expect((await change(id, CANCEL)).body).toMatchObject({ period_end: end });
  expect(await voided(late)).toEqual(await voided(inOrder));
  for (const id of [inOrder, late]) await expectEnd(id, end, bills);
});

test.each([
  ['in advance', {}, MARCH],
  ['in arrears', ARREARS, APRIL],
  ['ahead', AHEAD, MARCH],
])('%s: after the end of the period it cannot be undone, also if the process has not come', async (_, terms, date) => {
  const inOrder = await begunWith({ ...terms, ...CANCEL }, day(4, 3));
  const late = await begunWith({ ...terms, ...CANCEL }, day(3, 10));
  gold.moveTo(day(4, 3));
  const message = 'Subscription is canceled and can no longer be changed';
  for (const id of [inOrder, late]) {
    expect(await change(id, KEEP)).toMatchObject(refused({ message }));
    await gold.advanceTo(id, JULY);
    expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: APRIL });
    expect(await owed(id)).toEqual([[date, [10, MARCH, APRIL]]]);
  }
  await expectCleanBooks();
});

/** Date and total of each invoice that is not voided. */
const totals = async (id: number) =>
  (await invoices(id)).filter((invoice) => !isVoided(invoice)).map(({ date, total }) => [date, total]);

test.each([
  ['in arrears', ARREARS, day(3, 10), day(3, 20), []],
  ['in arrears, in its last second', ARREARS, day(3, 10), APRIL - 1, []],
  ['ahead, before the bill of the next period', AHEAD, day(3, 10), day(3, 20), []],
  ['ahead, after the time of that bill', AHEAD, day(3, 10), day(3, 29), []],
  ['ahead, after that bill was voided', AHEAD, day(3, 28), day(3, 29), [day(3, 27)]],
  ['ahead, in its last second', AHEAD, day(3, 28), APRIL - 1, [day(3, 27)]],
])('%s: undone, it bills on as if it had never been set', async (_, terms, set, undone, taken) => {
  const discounted = { ...terms, discounts: ['twice'] };
  const [id, never] = [await begunWith(discounted, set), await begunWith(discounted, set)];
  await change(id, CANCEL);
  await gold.advanceTo(id, undone);
  expect((await change(id, KEEP)).body).toMatchObject({ status: 'active', period_end: APRIL, ...KEEP });
  for (const one of [id, never]) await gold.advanceTo(one, JUNE);
  expect(await voided(id)).toEqual(taken);
  expect(await owed(id)).toEqual(await owed(never));
  // The coupon takes 10 % off two bills: 10.00 - 1.00 = 9.00.
  const isArrears = terms === ARREARS;
  const dates = isArrears ? [APRIL, MAY, JUNE] : [MARCH, day(3, 27), day(4, 26), day(5, 27)];
  expect(await totals(id)).toEqual(dates.map((date, index) => [date, index < 2 ? 9 : 10]));
  expect(await gold.read(id)).toMatchObject({ status: 'active', period_start: JUNE, period_end: JULY });
  await expectCleanBooks();
});

test('no request failed with a server error', () => {
  expect(gold.api.faults).toEqual([]);
});
