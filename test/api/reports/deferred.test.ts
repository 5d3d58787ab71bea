import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, startApi, successBody, type TestApi } from '../../support/api.ts';

/** Lines with service periods, and what of them is recognized. Each test has a customer of its own. */

let api: TestApi;
let client: Client;
const now = Date.parse('2028-12-31T12:00:00Z');
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  client = api.sandbox;
  successBody(await client.patch('/account', { time_zone: 'UTC', currency: 'usd' }));
  await client.make('/tax_rates', { id: 'gst', name: 'GST', value: 10, inclusive: true });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const at = (text: string) => Date.parse(text.includes('T') ? text : `${text}T00:00:00Z`) / 1000;
const customer = async (name: string): Promise<number> => (await client.make('/customers', { name })).id;
const served = (unit_cost: number, from: string, until: string, more = {}) => ({
  name: 'Service',
  unit_cost,
  period_start: at(from),
  period_end: at(until),
  ...more,
});
const sell = (of: number, day: string, items: object[], more = {}) =>
  client.make('/invoices', { customer: of, items, date: at(day), ...more });
const credit = (invoice: { id: number; customer: number }, day: string, amount: number, more = {}) =>
  client.make('/credit_notes', {
    customer: invoice.customer,
    invoice: invoice.id,
    items: [{ name: 'Service', unit_cost: amount, ...more }],
    date: at(day),
  });

type Row = Record<'period' | 'opening' | 'billed' | 'credited' | 'recognized' | 'closing', number>;
const rowsOf = async (of: number, days: string): Promise<Row[]> =>
  successBody(await client.get(`/reports/deferred_revenue?customer=${of}&${days}`)).rows;
/** Opening, billed, credited, recognized and closing of each row. */
const amounts = async (of: number, days: string) =>
  (await rowsOf(of, days)).map(({ opening, billed, credited, recognized, closing }) => [
    opening,
    billed,
    credited,
    recognized,
    closing,
  ]);

test('a line is recognized evenly by day, over months and a leap day, and ends at zero', async () => {
  const id = await customer('Quarter');
  await sell(id, '2028-01-15', [served(91, '2028-01-01', '2028-04-01'), { name: 'Set-up', unit_cost: 7 }]);
  expect(await amounts(id, 'start=2028-01-01&end=2028-04-30&group=month')).toEqual([
    [0, 98, 0, 38, 60], // 31 of 91 days, and 7 at once
    [60, 0, 0, 29, 31], // 29 February is a day
    [31, 0, 0, 31, 0],
  ]);
  // Nothing before its invoice; on that day all days until then.
  expect(await amounts(id, 'start=2028-01-14&end=2028-01-16&group=day')).toEqual([
    [0, 98, 0, 22, 76], // 15 days, and 7
    [76, 0, 0, 1, 75],
  ]);
  expect(await amounts(id, 'start=2028-04-01&end=2028-04-30')).toEqual([]);
});

test('what is billed ahead waits for its service, and what is billed in arrears is recognized at once', async () => {
  const id = await customer('Ahead');
  await sell(id, '2028-02-20', [served(29, '2028-03-01', '2028-03-30')]);
  await sell(id, '2028-03-05', [served(64, '2028-02-01', '2028-03-01')]);
  expect(await amounts(id, 'start=2028-02-01&end=2028-03-31&group=month')).toEqual([
    [0, 29, 0, 0, 29],
    [29, 64, 0, 93, 0], // 29 + 64
  ]);
});

test('a rest of cents falls where rounding leaves it, and all days together are the line', async () => {
  const id = await customer('Cents');
  await sell(id, '2028-05-01', [served(1, '2028-05-01', '2028-05-08')]);
  // 1/7 = 0.142857: 0.14, 0.29, 0.43, 0.57, 0.71, 0.86, 1.00
  const days = await rowsOf(id, 'start=2028-05-01&end=2028-05-07&group=day');
  expect(days.map(({ recognized }) => recognized)).toEqual([0.14, 0.15, 0.14, 0.14, 0.14, 0.15, 0.14]);
  expect(days.map(({ closing }) => closing)).toEqual([0.86, 0.71, 0.57, 0.43, 0.29, 0.14, 0]);
  const whole = await customer('Yen');
  await sell(whole, '2028-05-01', [served(100, '2028-05-01', '2028-05-04')], { currency: 'jpy' });
  // 33.3, 66.7, 100
  const yen = await rowsOf(whole, 'start=2028-05-01&end=2028-05-03&group=day');
  expect(yen.map(({ recognized }) => recognized)).toEqual([33, 34, 33]);
});

test('discounts of line and document and inclusive taxes are no revenue', async () => {
  const id = await customer('Net');
  // 330 - 30 - 10 % of 300 = 270, of which 10/110 are tax: 245.45
  await sell(id, '2028-06-01', [served(330, '2028-06-01', '2028-07-01', { discounts: [{ amount: 30 }] })], {
    discounts: [{ amount: 30 }],
    taxes: ['gst'],
  });
  expect(await amounts(id, 'start=2028-06-01&end=2028-06-10')).toEqual([[0, 245.45, 0, 81.82, 163.63]]); // 81.8167
});

test('a credit note takes what is not recognized yet, and then reverses', async () => {
  const id = await customer('Credited');
  const invoice = await sell(id, '2028-06-01', [served(300, '2028-06-01', '2028-07-01')]);
  await credit(invoice, '2028-06-16', 56);
  // 140 after 16 days; 140 - 56 = 84 over 14 days, 6 each.
  expect(await amounts(id, 'start=2028-06-15&end=2028-06-17&group=day')).toEqual([
    [160, 0, 0, 10, 150],
    [150, 0, 56, 10, 84],
    [84, 0, 0, 6, 78],
  ]);
  await credit(invoice, '2028-06-26', 70);
  // The day earns 6 of the 30 that are left. The credit takes 24, and reverses 46.
  expect(await amounts(id, 'start=2028-06-26&end=2028-06-26')).toEqual([[30, 0, 70, -40, 0]]);
  await credit(invoice, '2028-08-01', 20);
  expect(await amounts(id, 'start=2028-08-01&end=2028-08-31')).toEqual([[0, 0, 20, -20, 0]]);
  expect(await amounts(id, 'start=2028-06-01&end=2028-08-31')).toEqual([[0, 300, 146, 154, 0]]);
});

test('a credit note names the line that it credits', async () => {
  const id = await customer('Named');
  const invoice = await sell(id, '2028-06-01', [
    served(300, '2028-06-01', '2028-07-01'),
    served(600, '2028-06-01', '2028-07-01', { name: 'Support' }),
  ]);
  await credit(invoice, '2028-06-16', 100, { name: 'Support' });
  const rows = await rowsOf(id, 'start=2028-06-16&end=2028-06-16&detail=line');
  // Support has 280 left at the end of the day, less 100.
  expect(rows).toMatchObject([
    { opening: 150, credited: 0, recognized: 10, closing: 140, service_end: '2028-06-30' },
    { opening: 300, credited: 100, recognized: 20, closing: 180, invoice: invoice.id },
  ]);
});

test('a voided invoice earned nothing, and a draft earns nothing', async () => {
  const id = await customer('Voided');
  const { id: voided } = await sell(id, '2028-06-01', [served(300, '2028-06-01', '2028-07-01')]);
  await sell(id, '2028-06-01', [served(300, '2028-06-01', '2028-07-01')], { draft: true });
  successBody(await client.post(`/invoices/${voided}/void`));
  expect(await rowsOf(id, 'start=2028-06-01&end=2028-06-30')).toEqual([]);
});

test('days are those of the zone of the report', async () => {
  const id = await customer('Zones');
  // The month of July in Auckland (UTC+12) begins on 30 June at 12:00 UTC, and ends on 31 July at 12:00 UTC.
  await sell(id, '2028-06-30T12:00:00Z', [served(310, '2028-06-30T12:00:00Z', '2028-07-31T12:00:00Z')]);
  const recognizedIn = async (zone: string, days: string) =>
    (await amounts(id, `zone=${zone}&${days}`)).map(([, , , recognized]) => recognized);
  expect(await recognizedIn('Pacific/Auckland', 'start=2028-06-01&end=2028-06-30')).toEqual([]);
  expect(await recognizedIn('Pacific/Auckland', 'start=2028-07-01&end=2028-07-31')).toEqual([310]);
  // In Los Angeles (UTC-7) it is 30 June to 30 July.
  expect(await recognizedIn('America/Los_Angeles', 'start=2028-06-01&end=2028-06-30')).toEqual([10]);
  expect(await recognizedIn('America/Los_Angeles', 'start=2028-07-01&end=2028-07-31')).toEqual([300]);
});

test('the months to come show what will be recognized', async () => {
  const id = await customer('Schedule');
  await sell(id, '2028-12-16', [served(365, '2028-12-16', '2029-12-16')]);
  const rows = await rowsOf(id, 'start=2028-12-01&end=2029-12-31&group=month');
  expect(rows.map(({ recognized }) => recognized)).toEqual([16, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 15]);
  const { hrefs } = successBody(
    await client.get(`/reports/deferred_revenue?customer=${id}&start=2028-12-01&end=2029-12-31&group=month`),
  ).rows[1];
  expect((await client.get(hrefs.recognized)).body.rows).toMatchObject([
    { recognized: 31, opening: 349, closing: 318, service_start: '2028-12-16', service_end: '2029-12-15' },
  ]);
});
