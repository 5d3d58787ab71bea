import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { storedRows, withoutIdentity } from '../../support/dryRuns.ts';
import { customerOfEachTest } from '../../support/goldCustomers.ts';
import { APRIL, dayOf2027 as day, goldSubscriptions, HALF, MARCH } from '../../support/goldSubscriptions.ts';

/** `GET /subscriptions/:id/upcoming_invoices`: what a subscription to which nothing happens will bill. */

const gold = goldSubscriptions(async ({ make }) => {
  await make('/coupons', { id: 'two', name: 'Two bills', value: 20, is_percent: true, duration: 2 });
  await make('/tax_rates', { id: 'vat', name: 'VAT', value: 19 });
  await make('/items', { id: 'line', name: 'Line', unit_cost: 1.25 });
  await make('/plans', { id: 'dear', name: 'Dear', amount: 1_000_000, interval: 'month' });
  await make('/plans', { id: 'dearer', name: 'Dearer', amount: 9_999_999, interval: 'year' });
});
const { begin, customer, invoices } = customerOfEachTest(gold);

const upcoming = (id: number, query = '') => gold.api.sandbox.get(`/subscriptions/${id}/upcoming_invoices${query}`);

test('an account asks for a few at a time: others wait, and beyond that they are refused', async () => {
  const id = await begin();
  const asking = await gold.api.em.fork().transactional(async (em) => {
    await em.execute('select 1 from customer where id = ? for update', [customer()]);
    const answers = Array.from({ length: 25 }, () => upcoming(id));
    const first = await Promise.race(answers);
    expect(first).toMatchObject(refused({ code: 'rate_limited' }, 429));
    return answers;
  });
  const statuses = (await Promise.all(asking)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array(22).fill(200), ...Array(3).fill(429)]); // two at work, 20 wait
});

const subscriptions: [what: string, body: object, change: object][] = [
  ['in advance', {}, {}],
  ['with a coupon for two bills, taxes and an add-on', { discounts: ['two'], taxes: ['vat'] }, {}],
  ['with an add-on', { addons: [{ catalog_item: 'line', quantity: 3 }] }, {}],
  ['in arrears', { bill_in: 'arrears' }, {}],
  ['some days ahead', { bill_in_advance_days: 5 }, {}],
  ['on a day of the month', { snap_to_nth_day: 20 }, {}],
  ['after a trial', { trial_days: 40 }, {}],
  ['with a contract that renews', { cycles: 2, contract_renewal_mode: 'auto' }, {}],
  ['with a change within the period', {}, { quantity: 3 }],
  ['with a change that waits for the next period', {}, { quantity: 7, when: 'renewal' }],
  ['paused at the end of the period until a day', {}, { pause_at_period_end: true, resume_at: day(5, 20) }],
];

test.each(subscriptions)('a subscription %s bills what is foreseen', async (_, body, change) => {
  const id = await begin(body);
  gold.moveTo(HALF);
  await gold.change(id, change);
  const before = await invoices();
  const { status, body: foreseen } = await upcoming(id, '?count=4');
  expect([status, foreseen.invoices.length, foreseen.as_of]).toEqual([200, 4, HALF]);
  for (const { date } of foreseen.invoices) await gold.advanceTo(id, Math.max(date, HALF));
  const billed = (await invoices()).slice(before.length, before.length + 4);
  expect(billed.map(withoutIdentity)).toEqual(foreseen.invoices.map(withoutIdentity));
});

test('nothing is stored, one invoice is the default, and there are at most 12', async () => {
  const id = await begin();
  const before = await storedRows(gold.api.em);
  const { body } = await upcoming(id);
  expect(body).toMatchObject({
    invoices: [{ id: null, number: null, date: APRIL, total: 10 }],
    credit_notes: [],
    as_of: MARCH,
  });
  expect((await upcoming(id, '?count=12')).body.invoices).toHaveLength(12);
  expect(await storedRows(gold.api.em)).toEqual(before);
  for (const count of ['0', '13', '-1', 'all'])
    expect(await upcoming(id, `?count=${count}`)).toMatchObject(refused({ param: 'count' }));
  expect((await upcoming(2_147_483_000)).status).toBe(404);
});

test('a subscription that has ended, is paused or is to be canceled bills no more than it will', async () => {
  const canceled = await begin();
  await gold.cancel(canceled);
  expect((await upcoming(canceled, '?count=3')).body.invoices).toEqual([]);
  const paused = await begin({ paused: true });
  expect((await upcoming(paused, '?count=3')).body.invoices).toEqual([]);
  const ending = await begin({ cycles: 2 });
  expect((await upcoming(ending, '?count=3')).body.invoices).toMatchObject([{ date: APRIL }]);
});

// A second of a month at 1,000,000.00 costs 0.37: without the date, each amount would differ.
test.each([[{ quantity: 2, prorate: 'now' }], [{ plan: 'dearer' }]])(
  'the change %j costs what its preview showed a minute before',
  async (change) => {
    const id = await begin({ plan: 'dear' });
    gold.moveTo(HALF);
    const { as_of: at } = (await upcoming(id)).body;
    const dated = { ...change, proration_date: at };
    const { body: shown } = await gold.api.sandbox.patch(`/subscriptions/${id}?dry_run=1`, dated);
    expect(shown.as_of).toBe(HALF);
    gold.moveTo(HALF + 60);
    const later = (await gold.api.sandbox.patch(`/subscriptions/${id}?dry_run=1`, change)).body;
    expect(later.invoices[0].total).not.toBe(shown.invoices[0].total);
    expect((await gold.change(id, dated)).status).toBe(200);
    expect((await invoices()).at(-1)).toMatchObject({ total: shown.invoices[0].total, date: HALF + 60 });
    await gold.expectCleanBooks();
  },
);

test.each([
  ['in advance', {}, '&prorate=true'],
  ['in arrears', { bill_in: 'arrears' }, ''],
])('a cancellation %s credits or bills what its preview showed a minute before', async (_, terms, query) => {
  const id = await begin({ plan: 'dear', ...terms });
  gold.moveTo(HALF);
  const path = (date: string) => `/subscriptions/${id}?${date}${query}`;
  const at = `proration_date=${(await upcoming(id)).body.as_of}`;
  const { body: shown } = await gold.api.sandbox.delete(`${path(at)}&dry_run=1`);
  gold.moveTo(HALF + 60);
  const { body: later } = await gold.api.sandbox.delete(`${path('')}&dry_run=1`);
  const totalsIn = ({ invoices: bills, credit_notes: notes }: typeof shown) =>
    [...bills, ...notes].map(({ total }: { total: number }) => total);
  expect(totalsIn(later)).not.toEqual(totalsIn(shown));
  const before = (await invoices()).length;
  expect(await gold.cancel(id, `?${at}${query}`)).toMatchObject({ body: { canceled_at: HALF + 60 } });
  const notes = (await gold.api.sandbox.get(`/credit_notes?filter[customer]=${customer()}`)).body;
  expect(totalsIn({ invoices: (await invoices()).slice(before), credit_notes: notes })).toEqual(totalsIn(shown));
  await gold.expectCleanBooks();
});

test('a cancellation counts from no time outside its period', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  for (const date of [MARCH - 1, HALF + 1])
    expect(await gold.cancel(id, `?prorate=true&proration_date=${date}`)).toMatchObject(
      refused({ param: 'proration_date' }),
    );
});

test('documents of a change up to as_of are written at once, and later ones follow', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  const { body } = await gold.api.sandbox.patch(`/subscriptions/${id}?dry_run=2`, { quantity: 3, prorate: 'now' });
  expect(body.invoices.map(({ date }: { date: number }) => date <= body.as_of)).toEqual([true, false]);
});

test('a cancellation has its reason', async () => {
  const given = { cancellation_reason: 'too_expensive', cancellation_comment: 'Too dear for us' };
  const id = await begin();
  for (const more of [{}, { cancel_at_period_end: false }, { quantity: 9 }])
    expect(await gold.change(id, { ...given, ...more })).toMatchObject(
      refused({ code: 'state_conflict', param: 'cancellation_reason' }),
    );
  expect(await gold.change(id, { cancellation_comment: 'Rain' })).toMatchObject(
    refused({ code: 'state_conflict', param: 'cancellation_comment' }),
  );
  const ending = await gold.change(id, { cancel_at_period_end: true, ...given });
  expect(ending.body).toMatchObject({ cancel_at_period_end: true, ...given });
  const later = { ...given, cancellation_comment: 'We sell the shop' };
  const told = await gold.change(id, { cancellation_comment: later.cancellation_comment });
  expect(told.body).toMatchObject({ cancel_at_period_end: true, ...later });
  expect(await gold.change(id, { ...later, when: 'renewal', quantity: 2 })).toMatchObject({ status: 200 });
  expect(await gold.change(id, { ...given, when: 'renewal', quantity: 3 })).toMatchObject(refused({ param: 'when' }));
  expect((await gold.api.sandbox.get(`/subscriptions/${id}`)).body).toMatchObject(later);
  const kept = await gold.change(id, { cancel_at_period_end: false, ...later });
  expect(kept.body).toMatchObject({ cancellation_reason: null, cancellation_comment: null });
  const canceled = await gold.cancel(id, '?cancellation_reason=switched&cancellation_comment=To%20another');
  expect(canceled.body).toMatchObject({
    status: 'canceled',
    cancellation_reason: 'switched',
    cancellation_comment: 'To another',
  });
  const other = await begin();
  expect(await gold.cancel(other, '?cancellation_reason=rain')).toMatchObject(
    refused({ param: 'cancellation_reason' }),
  );
});

test('subscriptions are listed by the end of their trial', async () => {
  const ids = [await begin({ trial_days: 14 }), await begin(), await begin({ trial_days: 60 })];
  const own = `filter[customer]=${customer()}`;
  const { body } = await gold.api.sandbox.get(
    `/subscriptions?${own}&filter[trial_end][gte]=${HALF}&sort=trial_end asc`,
  );
  expect(body.map(({ id }: { id: number }) => id)).toEqual([ids[2]]);
});
