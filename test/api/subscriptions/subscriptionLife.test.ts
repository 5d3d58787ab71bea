import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { takeSubscriptionSteps } from '../../support/subscriptionSteps.ts';

/** The life of a subscription. The test takes its steps as its process would. */

const MARCH = Date.UTC(2027, 2, 1) / 1000;
const APRIL = Date.UTC(2027, 3, 1) / 1000;
const MAY = Date.UTC(2027, 4, 1) / 1000;
let now = MARCH;
let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  customer = (await api.sandbox.make('/customers', { name: 'Living', currency: 'usd' })).id;
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  await api.sandbox.post('/plans', { id: 'free', name: 'Free', amount: 0, interval: 'month' });
});
afterAll(() => api.close());

const takeSteps = (id: number, client: Client = api.sandbox) =>
  takeSubscriptionSteps(api.em, { accountId: client.account.id, id }, new Date(now * 1000));

const read = async (id: number, client: Client = api.sandbox) => (await client.get(`/subscriptions/${id}`)).body;
const invoicesOf = async (id: number) => (await api.sandbox.get(`/invoices?filter[subscription]=${id}`)).body;
const start = (body: object) => api.sandbox.make('/subscriptions', { customer, plan: 'gold', ...body });

test('a subscription goes from not started to active to finished; finished ones are listed on request', async () => {
  now = MARCH;
  const { id } = await start({ start_date: APRIL, cycles: 1 });
  expect(await read(id)).toMatchObject({
    status: 'not_started',
    period_start: null,
    period_end: null,
    canceled_at: null,
    contract_period_start: APRIL,
    contract_period_end: MAY,
    contract_renewal_mode: 'none',
  });
  now = APRIL;
  await takeSteps(id);
  expect(await read(id)).toMatchObject({ status: 'active', period_start: APRIL, period_end: MAY });
  const [invoice] = await invoicesOf(id);
  const line = { type: 'plan', plan: 'gold', quantity: 1, amount: 10, period_start: APRIL, period_end: MAY };
  expect(invoice).toMatchObject({ subscription: id, date: APRIL, total: 10, items: [line] });
  now = MAY;
  await takeSteps(id);
  expect(await read(id)).toMatchObject({ status: 'finished', canceled_at: null, mrr: 0 });
  const listed = async (query: string) =>
    (await api.sandbox.get(`/subscriptions${query}`)).body.map((one: { id: number }) => one.id);
  expect(await listed('')).not.toContain(id);
  expect(await listed('?finished=0')).not.toContain(id);
  expect(await listed('?canceled=1')).not.toContain(id);
  expect(await listed('?finished=1')).toContain(id);
  expect(await listed('?filter[status]=finished')).toEqual([id]);
});

test('a subscription with a term that is to be canceled runs to the end of its term', async () => {
  now = MARCH;
  const { id } = await start({ cycles: 2 });
  await takeSteps(id);
  await api.sandbox.patch(`/subscriptions/${id}`, { cancel_at_period_end: true });
  now = APRIL;
  await takeSteps(id);
  expect(await invoicesOf(id)).toHaveLength(2);
  expect(await read(id)).toMatchObject({ status: 'active', period_end: MAY, contract_period_end: MAY });
  now = MAY;
  await takeSteps(id);
  expect(await invoicesOf(id)).toHaveLength(2);
  expect(await read(id)).toMatchObject({ status: 'canceled', canceled_at: MAY, period_start: null, period_end: null });
});

test('with a snap day the first period is short, billed by its share, and no cycle', async () => {
  const MID_MARCH = Date.UTC(2027, 2, 20) / 1000;
  now = MID_MARCH;
  const { id } = await start({ snap_to_nth_day: 1, cycles: 1, quantity: 2 });
  await takeSteps(id);
  const subscription = { snap_to_nth_day: 1, period_start: MID_MARCH, period_end: APRIL, recurring_total: 20, mrr: 20 };
  expect(await read(id)).toMatchObject({ ...subscription, contract_period_start: MID_MARCH, contract_period_end: MAY });
  // 2 x 10.00 x 12 days of 31 = 7.741…
  const share = {
    quantity: 1,
    unit_cost: 7.74,
    amount: 7.74,
    prorated: true,
    period_start: MID_MARCH,
    period_end: APRIL,
  };
  expect(await invoicesOf(id)).toMatchObject([{ total: 7.74, items: [{ type: 'plan', plan: 'gold', ...share }] }]);
  now = APRIL;
  await takeSteps(id);
  expect(await read(id)).toMatchObject({ status: 'active', period_start: APRIL, period_end: MAY });
  const [, whole] = await invoicesOf(id);
  expect(whole).toMatchObject({
    total: 20,
    items: [{ quantity: 2, unit_cost: 10, period_start: APRIL, period_end: MAY }],
  });
  expect(whole.items[0]).not.toHaveProperty('prorated');
  now = MAY;
  await takeSteps(id);
  expect(await read(id)).toMatchObject({ status: 'finished' });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('bills have the shipping address of their subscription, and the tax rates of its country', async () => {
  await api.sandbox.post('/tax_rates', { id: 'moms', name: 'Moms', value: 25 });
  await api.sandbox.post('/tax_rules', { tax_rate: 'moms', country: 'SE' });
  now = MARCH;
  const { id } = await start({ ship_to: { name: 'Dock 5', country: 'SE' } });
  expect(await read(id)).toMatchObject({ recurring_total: 12.5, mrr: 10, ship_to: { name: 'Dock 5', country: 'SE' } }); // 10 x 1.25
  await takeSteps(id);
  await api.sandbox.patch(`/subscriptions/${id}`, { ship_to: { name: 'Dock 6', country: 'NO' } });
  expect(await read(id)).toMatchObject({ recurring_total: 10 });
  now = APRIL;
  await takeSteps(id);
  expect(await invoicesOf(id)).toMatchObject([
    { total: 12.5, ship_to: { name: 'Dock 5', country: 'SE' } },
    { total: 10, ship_to: { name: 'Dock 6', country: 'NO' } },
  ]);
  await api.sandbox.patch(`/subscriptions/${id}`, { ship_to: null });
  expect(await read(id)).toMatchObject({ ship_to: null });
});

test('a start that missed more than twelve periods needs backfill, and is billed in order', async () => {
  now = APRIL;
  const longAgo = Date.UTC(2026, 0, 1) / 1000; // 16 periods with that of April
  const body = { customer, plan: 'gold', start_date: longAgo };
  const message = 'Start date would bill more than 12 missed periods at once';
  expect(await api.sandbox.post('/subscriptions', body)).toMatchObject(refused({ param: 'start_date', message }));
  const { id } = await start({ start_date: longAgo, backfill: true });
  await takeSteps(id);
  const dates = (await invoicesOf(id)).map(({ date }: { date: number }) => date);
  expect(dates).toEqual(Array.from({ length: 16 }, (_, n) => Date.UTC(2026, n) / 1000));
});

test('a period that costs nothing has a paid invoice', async () => {
  now = MARCH;
  const { id } = await start({ plan: 'free' });
  await takeSteps(id);
  expect(await invoicesOf(id)).toMatchObject([{ total: 0, paid: true, closed: true, status: 'paid' }]);
});

test('periods use the time zone that the account had at the start', async () => {
  const { sandbox } = await api.open('Zoned');
  const who = (await sandbox.make('/customers', { name: 'a' })).id;
  await sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  await sandbox.patch('/account', { time_zone: 'America/New_York' });
  now = Date.UTC(2027, 2, 1, 5) / 1000; // midnight in New York
  const { id } = await sandbox.make('/subscriptions', { customer: who, plan: 'gold' });
  await sandbox.patch('/account', { time_zone: 'Asia/Tokyo' });
  await takeSteps(id, sandbox);
  // New York changes to summer time on 14 March. Midnight is 04:00 UTC then.
  expect(await read(id, sandbox)).toMatchObject({ period_start: now, period_end: Date.UTC(2027, 3, 1, 4) / 1000 });
});

test('recurring_total and mrr are numbers, computed exactly', async () => {
  now = MARCH;
  await api.sandbox.post('/plans', { id: 'odd', name: 'Odd', amount: 33.335, interval: 'year', interval_count: 1 });
  const { id } = await start({ plan: 'odd', quantity: 3 });
  // 3 x 33.335 = 100.005, rounded 100.01; per month 8.334, rounded 8.33
  expect(await read(id)).toMatchObject({ recurring_total: 100.01, mrr: 8.33, amount: null, addons: [] });
});
