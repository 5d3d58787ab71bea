import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { deriveMovements } from '../../../db/queries/reports/revenue.ts';
import { connect } from '../../../workers/connection.ts';
import { type Client, refused, startApi, successBody, type TestApi } from '../../support/api.ts';
import { takeSubscriptionSteps } from '../../support/subscriptionSteps.ts';

/** Recurring revenue of two customers over three months, month by month. */

let api: TestApi;
let client: Client;
let now = 0;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  client = api.sandbox;
});
afterAll(async () => {
  await api.close();
});

const on = (day: string) => {
  now = Date.parse(`${day}T12:00:00Z`);
};
const plan = (id: string, amount: number, interval: string) =>
  client.make('/plans', { id, name: id, amount, interval, currency: 'usd' });
const report = async (path: string) => {
  const { status, body } = await client.get(`/reports/${path}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};
const bare = ({ hrefs: _hrefs, currency: _currency, ...cells }: Record<string, unknown>) => cells;
const rowsOf = async (path: string) => (await report(path)).rows.map(bare);
const RANGE = 'start=2027-01-01&end=2027-03-31&zone=UTC';

test('movements are classed by customer and day, and each month ends where the next begins', async () => {
  on('2027-01-10');
  await plan('monthly', 100, 'month');
  await plan('annual', 1200, 'year');
  const [ada, bob] = [
    await client.make('/customers', { name: 'Ada' }),
    await client.make('/customers', { name: 'Bob' }),
  ];
  const a = await client.make('/subscriptions', { customer: ada.id, plan: 'monthly' });
  await takeSubscriptionSteps(api.em, { accountId: client.account.id, id: a.id }, new Date(now));
  const change = async (id: number, fields: object) => {
    const { status, body } = await client.patch(`/subscriptions/${id}`, fields);
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  on('2027-01-20');
  await change(a.id, { quantity: 2 });
  on('2027-02-05');
  await takeSubscriptionSteps(api.em, { accountId: client.account.id, id: a.id }, new Date(now));
  await change(a.id, { quantity: 1 });
  const b = await client.make('/subscriptions', { customer: bob.id, plan: 'annual' });
  await takeSubscriptionSteps(api.em, { accountId: client.account.id, id: b.id }, new Date(now));
  on('2027-02-20');
  await change(a.id, { paused: true });
  on('2027-03-03');
  await change(a.id, { paused: false });
  on('2027-03-10');
  await client.delete(`/subscriptions/${b.id}`);
  on('2027-04-01');
  const none = { new: 0, reactivation: 0, expansion: 0, contraction: 0, churn: 0 };
  expect(await rowsOf(`mrr?${RANGE}`)).toEqual([
    { ...none, period: '2027-01-01', start: 0, new: 100, expansion: 100, end: 200 },
    // Bob's 1200 a year are 100 a month. Ada lost 100 of 200, then paused the rest.
    { ...none, period: '2027-02-01', start: 200, new: 100, contraction: -100, churn: -100, end: 100 },
    { ...none, period: '2027-03-01', start: 100, reactivation: 100, churn: -100, end: 100 },
  ]);
  expect(await rowsOf(`customers?${RANGE}`)).toEqual([
    { period: '2027-01-01', start: 0, new: 1, reactivation: 0, churn: 0, end: 1 },
    { period: '2027-02-01', start: 1, new: 1, reactivation: 0, churn: 1, end: 1 },
    { period: '2027-03-01', start: 1, new: 0, reactivation: 1, churn: 1, end: 1 },
  ]);
  expect((await rowsOf(`churn?${RANGE}`))[1]).toMatchObject({ revenue_rate: 0.5, customer_rate: 1 }); // 100 of 200, 1 of 1
  expect(await rowsOf(`cohorts?${RANGE}`)).toEqual([
    { cohort: '2027-01-01', month: '2027-01-01', customers: 1, amount: 200 },
    { cohort: '2027-01-01', month: '2027-03-01', customers: 1, amount: 100 },
    { cohort: '2027-02-01', month: '2027-02-01', customers: 1, amount: 100 },
  ]);
  // A later range begins with what cohorts from before it have left.
  expect(await rowsOf('cohorts?start=2027-02-01&end=2027-03-31&zone=UTC')).toEqual([
    { cohort: '2027-01-01', month: '2027-03-01', customers: 1, amount: 100 }, // 200 - 100 - 100 + 100
    { cohort: '2027-02-01', month: '2027-02-01', customers: 1, amount: 100 },
  ]);
});

test('numbers of customers lead to a row for each customer with revenue, without those whose revenue has ended', async () => {
  const [, february] = (await report(`customers?${RANGE}`)).rows;
  const [, lost] = (await report(`churn?${RANGE}`)).rows;
  const cohort = (await report(`cohorts?${RANGE}`)).rows.at(-1);
  const holders = async (path: string) => successBody(await client.get(path)).rows.length;
  expect([await holders(february.hrefs.start), await holders(february.hrefs.end)]).toEqual([1, 1]);
  expect([await holders(lost.hrefs.customers_start), await holders(cohort.hrefs.customers)]).toEqual([1, 1]);
  expect([february.start, february.end, lost.customers_start, cohort.customers]).toEqual([1, 1, 1, 1]);
});

test('days show what months net, and a day is that of the zone', async () => {
  const days = (await report('mrr?start=2027-02-01&end=2027-02-28&group=day&zone=UTC')).rows;
  expect(days).toHaveLength(28);
  const moved = days.filter((row: Record<string, number>) => row.start !== row.end).map(bare);
  expect(moved).toMatchObject(
    [
      { period: '2027-02-05', start: 200, new: 100, contraction: -100, end: 200 },
      { period: '2027-02-20', start: 200, churn: -100, end: 100 },
    ].slice(1),
  ); // 5 February nets to zero: 100 came, 100 went
  expect(days[4]).toMatchObject({ period: '2027-02-05', new: 100, contraction: -100 });
  // 12:00 UTC on 20 February is the 21st in Kiritimati (UTC+14).
  const there = (await report('mrr?start=2027-02-21&end=2027-02-21&group=day&zone=Pacific/Kiritimati')).rows;
  expect(there).toMatchObject([{ churn: -100 }]);
});

test('a trial earns nothing until it ends; weeks and days count by 52 and 365', async () => {
  on('2027-05-01');
  const { id: customer } = await client.make('/customers', { name: 'Trial' });
  await plan('weekly', 12, 'week');
  await plan('daily', 1, 'day');
  const trial = await client.make('/subscriptions', { customer, plan: 'monthly', trial_days: 10 });
  for (const id of ['weekly', 'daily']) await client.make('/subscriptions', { customer, plan: id });
  const mayOf = async () => (await rowsOf(`mrr?start=2027-05-01&end=2027-05-31&zone=UTC&customer=${customer}`))[0];
  expect(await mayOf()).toMatchObject({ new: 82.42 }); // 12 x 52 / 12 = 52, and 365 / 12 = 30.42
  on('2027-05-12');
  await takeSubscriptionSteps(api.em, { accountId: client.account.id, id: trial.id }, new Date(now));
  expect(await mayOf()).toMatchObject({ new: 82.42, expansion: 100, end: 182.42 });
});

test('a rate of churn counts only what was there at the start of its period', async () => {
  on('2027-06-10');
  await client.make('/custom_fields', { id: 'rate', name: 'Rate', object: 'customer' });
  const sell = async (quantity: number) => {
    const { id: customer } = await client.make('/customers', { name: 'Rate', metadata: { rate: 'churn' } });
    const { id } = await client.make('/subscriptions', { customer, plan: 'monthly', quantity });
    await takeSubscriptionSteps(api.em, { accountId: client.account.id, id }, new Date(now));
    return id;
  };
  const more = await sell(1);
  await sell(3);
  on('2027-07-05');
  const fleeting = await sell(1);
  on('2027-07-20');
  await client.delete(`/subscriptions/${fleeting}`);
  on('2027-08-02');
  await client.patch(`/subscriptions/${more}`, { quantity: 2, prorate: false });
  on('2027-08-03');
  await client.delete(`/subscriptions/${more}`);
  on('2027-08-20');
  const range = 'start=2027-07-01&end=2027-08-31&zone=UTC&metadata[rate]=churn';
  expect(await rowsOf(`churn?${range}`)).toMatchObject([
    // 400 of two customers. 100 came and went in July.
    { start: 400, churn: -100, revenue_rate: 0, customers_start: 2, customers_lost: 1, customer_rate: 0 },
    // 200 went, of which 100 were there at the start of August: 100 of 400, and 1 customer of 2.
    { start: 400, churn: -200, revenue_rate: 0.25, customers_start: 2, customers_lost: 1, customer_rate: 0.5 },
  ]);
});

test('a cohort is of the month of its zone', async () => {
  on('2027-09-30'); // at noon in UTC, which is October in Kiritimati (UTC+14) and 1:00 in Niue (UTC-11)
  const { id: customer } = await client.make('/customers', { name: 'Cohort' });
  const { id } = await client.make('/subscriptions', { customer, plan: 'monthly' });
  await takeSubscriptionSteps(api.em, { accountId: client.account.id, id }, new Date(now));
  const cohortsIn = (zone: string) =>
    rowsOf(`cohorts?start=2027-09-01&end=2027-10-31&zone=${zone}&customer=${customer}`);
  const [september, october] = ['2027-09-01', '2027-10-01'];
  const earned = { customers: 1, amount: 100 };
  expect(await cohortsIn('Pacific/Kiritimati')).toEqual([{ cohort: october, month: october, ...earned }]);
  expect(await cohortsIn('Pacific/Niue')).toEqual(
    [september, october].map((month) => ({ cohort: september, month, ...earned })),
  );
});

test('balances of several months have no total, and too many days are refused at once', async () => {
  expect((await report(`cohorts?${RANGE}`)).totals).toEqual([{ currency: 'usd', amount: null }]);
  for (const name of ['mrr', 'churn', 'deferred_revenue'])
    expect(await client.get(`/reports/${name}?group=day&start=1970-01-02&end=2199-12-31`)).toMatchObject(
      refused({ code: 'limit_exceeded', param: 'start' }),
    );
});

test('movements of earlier subscriptions are derived from their events, once, and the audit proves them', async () => {
  const movements = () =>
    api.em
      .fork()
      .execute('select subscription_id, event_id, currency, amount, occurred_at from mrr_movement order by event_id');
  const written = await movements();
  await api.em.fork().execute('delete from mrr_movement');
  const drift = (await auditDatabase(api.databaseUrls.system)).filter(({ check }) =>
    check.includes('its movements so far'),
  );
  expect(drift.length).toBeGreaterThan(0);
  await api.em.fork().execute('update subscription set mrr_derived = null');
  const connection = await connect(api.databaseUrls.system);
  try {
    expect(await deriveMovements(connection, 1)).toBe(1); // as a sweep that was cut off
    while ((await deriveMovements(connection, 100)) > 0);
    expect(await deriveMovements(connection, 100)).toBe(0);
  } finally {
    await connection.close();
  }
  expect(await movements()).toEqual(written);
  expect((await auditDatabase(api.databaseUrls.system)).filter(({ check }) => check.includes('movements'))).toEqual([]);
});
