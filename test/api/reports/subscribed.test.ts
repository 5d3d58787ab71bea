import { expect, test } from '@jest/globals';
import { successBody } from '../../support/api.ts';
import { APRIL, dayOf2027, HALF, MAY } from '../../support/goldSubscriptions.ts';
import { meteredSubscriptions } from '../../support/meteredSubscriptions.ts';

/** What reports say of subscriptions to plans by the month from 1 March 2027, UTC. */

const metered = meteredSubscriptions();
const { advanceTo, begin, cancel, change, moveTo, read, report } = metered;

interface Row {
  [cell: string]: unknown;
  hrefs: Record<string, string>;
}
const rowsOf = async (path: string): Promise<Row[]> =>
  successBody(await metered.api.sandbox.get(`/reports/${path}`)).rows;
const picked = (rows: Row[], ...names: string[]) => rows.map((row) => names.map((name) => row[name]));
const customerOf = async (id: number) => (await read(id)).customer;
/** Opening, billed, credited, recognized and closing of each row. */
const deferredOf = async (id: number, days: string) =>
  picked(
    await rowsOf(`deferred_revenue?zone=UTC&customer=${await customerOf(id)}&${days}`),
    'opening',
    'billed',
    'credited',
    'recognized',
    'closing',
  );

test('a prorated credit reverses what its line has earned, if it is billed later', async () => {
  const id = await begin({ customer: await metered.customerWith(), plan: 'gold', quantity: 31 }); // 310 for March
  moveTo(HALF);
  successBody(await change(id, { quantity: 15 }));
  await advanceTo(id, APRIL);
  // The bill of April credits 310 x 15.5 / 31 = 155, charges 150 x 15.5 / 31 = 75 for the rest of March, and 150 for April.
  expect(await deferredOf(id, 'start=2027-03-01&end=2027-04-30&group=month')).toEqual([
    [0, 310, 0, 310, 0],
    [0, 225, 155, 70, 0],
  ]);
});

test('a cancellation reverses nothing but what was not recognized', async () => {
  const id = await begin({ customer: await metered.customerWith(), plan: 'gold', quantity: 31 });
  moveTo(HALF);
  successBody(await cancel(id, '?prorate=true'));
  // 310 x 15.5 / 31 = 155 are credited on 16 March. Of the 10 of that day, 5 remain: 310 - 155 are earned in all.
  expect(await deferredOf(id, 'start=2027-03-15&end=2027-03-16&group=day')).toEqual([
    [170, 0, 0, 10, 160],
    [160, 155, 310, 5, 0], // the bill of -155 is raised to zero by 155, which its credit note credits
  ]);
});

test('usage is reported, billed and unbilled, by plan and month', async () => {
  const id = await begin({ plan: 'calls' });
  moveTo(dayOf2027(3, 31) + 86_399);
  successBody(await report(id, 10, dayOf2027(3, 5)));
  successBody(await report(id, 2.5, dayOf2027(3, 31) + 86_399));
  successBody(await report(id, -0.5, dayOf2027(3, 31) + 86_399));
  const of = `customer=${await customerOf(id)}&zone=UTC`;
  const shown = async (days: string) =>
    picked(await rowsOf(`usage?${of}&${days}`), 'period', 'plan', 'reported', 'billed', 'unbilled', 'amount');
  expect(await shown('start=2027-03-01&end=2027-03-31')).toEqual([[undefined, 'calls', 12, 0, 12, 0]]);
  await advanceTo(id, APRIL);
  successBody(await report(id, 4, APRIL));
  moveTo(APRIL + 86_400);
  successBody(await report(id, 1, dayOf2027(3, 5)));
  // 12 x 0.25 = 3
  expect(await shown('start=2027-03-01&end=2027-04-30&group=month')).toEqual([
    ['2027-03-01', 'calls', 13, 12, 1, 3],
    ['2027-04-01', 'calls', 4, 0, 4, 0],
  ]);
  expect(await shown('start=2027-03-05&end=2027-03-05')).toEqual([[undefined, 'calls', 11, 10, 1, 0]]);
  await advanceTo(id, MAY);
  // 13 x 0.25 and 4 x 0.25
  expect(await shown('start=2027-03-01&end=2027-04-30&group=month')).toEqual([
    ['2027-03-01', 'calls', 13, 13, 0, 3.25],
    ['2027-04-01', 'calls', 4, 4, 0, 1],
  ]);
  expect(await rowsOf(`usage?${of}&start=2027-03-01&end=2027-03-31&plan=data`)).toEqual([]);
  // Numbers lead to those of each day: 11 on 5 March and 2 on 31 March, of which the bill of March took the amount on 1 March.
  const [march] = await rowsOf(`usage?${of}&start=2027-03-01&end=2027-04-30&group=month`);
  const daily = successBody(await metered.api.sandbox.get(march?.hrefs.reported ?? '')).rows;
  expect(picked(daily, 'period', 'reported', 'billed', 'amount')).toEqual([
    ['2027-03-01', 0, 0, 3.25],
    ['2027-03-05', 11, 11, 0],
    ['2027-03-31', 2, 2, 0],
  ]);
  expect(await rowsOf(`usage?${of}&start=2027-03-01&end=2027-03-31&addon=1`)).toEqual([]);
  expect(await rowsOf(`usage?${of}&start=2027-03-01&end=2027-03-31&subscription=${id + 1}`)).toEqual([]);
});

test('usage at the instant of a change of plan counts once, at the later price', async () => {
  await metered.api.sandbox.make('/plans', {
    id: 'calls2',
    name: 'Calls',
    amount: 0.5,
    interval: 'month',
    quantity_type: 'usage',
  });
  const id = await begin({ plan: 'calls', customer: await metered.customerWith() });
  successBody(await report(id, 10, dayOf2027(3, 1)));
  successBody(await metered.api.sandbox.patch(`/subscriptions/${id}`, { plan: 'calls2' }));
  const rows = await rowsOf(`usage?zone=UTC&start=2027-03-01&end=2027-03-01&customer=${await customerOf(id)}`);
  expect(picked(rows, 'plan', 'reported')).toEqual([['calls2', 10]]);
});

test('usage of a voided invoice is unbilled again', async () => {
  const id = await begin({ plan: 'calls', customer: await metered.customerWith() });
  successBody(await report(id, 8, dayOf2027(3, 1)));
  await advanceTo(id, APRIL);
  const days = `zone=UTC&start=2027-03-01&end=2027-03-31&customer=${await customerOf(id)}`;
  const shown = async () => picked(await rowsOf(`usage?${days}`), 'reported', 'billed', 'unbilled', 'amount');
  expect(await shown()).toEqual([[8, 8, 0, 2]]); // 8 x 0.25
  const [bill] = (await metered.invoices(id)).filter(({ total }) => total === 2);
  successBody(await metered.api.sandbox.post(`/invoices/${bill.id}/void`));
  expect(await shown()).toEqual([[8, 0, 8, 0]]);
});

test('usage in a trial is free', async () => {
  const id = await begin({ plan: 'calls', trial_end: dayOf2027(3, 10) });
  successBody(await report(id, 7, dayOf2027(3, 1)));
  await advanceTo(id, dayOf2027(4, 10));
  const rows = await rowsOf(`usage?zone=UTC&start=2027-03-01&end=2027-03-31&customer=${await customerOf(id)}`);
  expect(picked(rows, 'reported', 'billed', 'free', 'unbilled', 'amount')).toEqual([[7, 0, 7, 0, 0]]);
});
