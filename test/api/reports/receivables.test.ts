import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';

/** A book made by hand: each amount is a different power of two, so that a sum says what is in it. */

let api: TestApi;
let client: Client;
let now = Date.parse('2028-02-29T18:00:00Z');
const at = (text: string) => Date.parse(text) / 1000;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  client = api.sandbox;
  await client.patch('/account', { time_zone: 'America/New_York' });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const customer = async (name: string, more = {}) => (await client.make('/customers', { name, ...more })).id;
const invoice = async (of: number, amount: number, dates: { date: string; due_date: string }, more = {}) =>
  client.make('/invoices', {
    customer: of,
    items: [{ name: 'Work', unit_cost: amount }],
    date: at(dates.date),
    due_date: at(dates.due_date),
    ...more,
  });
const report = async (path: string) => {
  const { status, body } = await client.get(`/reports/${path}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};
const rowOf = async (path: string, name: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: rows have the cells of any report
  (await report(path)).rows.find((row: any) => row.name === name);

test('each day past due is in one bucket, also at the ends of buckets and on a leap day', async () => {
  const id = await customer('Ages');
  // Days past due on 29 February 2028: 0, 1, 30, 31, 60, 61, 90, 91, 120, 121. Due at noon in New York.
  const ages = [0, 1, 30, 31, 60, 61, 90, 91, 120, 121];
  for (const [index, age] of ages.entries()) {
    const due = new Date(Date.parse('2028-02-29T17:00:00Z') - age * 86_400_000).toISOString();
    await invoice(id, 2 ** index, { date: '2027-09-01T12:00:00Z', due_date: due });
  }
  expect(await rowOf('aging', 'Ages')).toMatchObject({
    not_due: 1,
    days_1_30: 2 + 4,
    days_31_60: 8 + 16,
    days_61_90: 32 + 64,
    days_91_120: 128 + 256,
    over_120: 512,
    total: 1023,
    net: 1023,
  });
  expect(await rowOf('aging?buckets=60', 'Ages')).toMatchObject({ not_due: 1, days_1_60: 30, over_60: 992 });
  // By date there is no bucket that is not due. 1 September is 181 days before.
  expect(await rowOf('aging?by=date&buckets=180,181', 'Ages')).toMatchObject({
    days_0_180: 0,
    days_181_181: 1023,
    over_181: 0,
  });
});

test('days are those of the zone', async () => {
  const id = await customer('Zones');
  // 04:30 UTC on 1 February is 31 January in New York and 1 February in Kiritimati (UTC+14).
  await invoice(id, 1, { date: '2027-12-01T12:00:00Z', due_date: '2028-02-01T04:30:00Z' });
  const dueBy = async (as_of: string, zone: string) =>
    (await rowOf(`aging?as_of=${as_of}&zone=${zone}`, 'Zones')).not_due;
  expect(await dueBy('2028-01-31', 'America/New_York')).toBe(1);
  expect(await dueBy('2028-02-01', 'America/New_York')).toBe(0);
  expect(await dueBy('2028-02-01', 'Pacific/Kiritimati')).toBe(1);
  expect(await dueBy('2028-02-02', 'Pacific/Kiritimati')).toBe(0);
});

test('a payment counts from its day, also when it is recorded later, and known_at shows what was known', async () => {
  const id = await customer('Backdated');
  const { id: owed } = await invoice(id, 100, { date: '2028-01-05T15:00:00Z', due_date: '2028-02-05T15:00:00Z' });
  const before = now;
  now += 60_000;
  const applied_to = [{ type: 'invoice', invoice: owed, amount: 40 }];
  await client.make('/payments', {
    customer: id,
    amount: 70,
    date: at('2028-01-20T15:00:00Z'),
    method: 'check',
    applied_to,
  });
  const total = async (query: string) => {
    const row = await rowOf(`aging?${query}`, 'Backdated');
    return row && [row.total, row.unapplied, row.net];
  };
  expect(await total('as_of=2028-01-19')).toEqual([100, 0, 100]);
  expect(await total('as_of=2028-01-20')).toEqual([60, 30, 30]); // 100 - 40; 70 - 40; 60 - 30
  expect(await total(`as_of=2028-01-20&known_at=${Math.floor(before / 1000)}`)).toEqual([100, 0, 100]);
  expect(await total('as_of=2028-01-04')).toBeUndefined();
  const later = (await report('aging')).last_event;
  const earlier = (await report(`aging?known_at=${Math.floor(before / 1000)}`)).last_event;
  expect(later).toBeGreaterThan(earlier);
});

test('money from before an invoice is unapplied until the date of the invoice', async () => {
  const id = await customer('Advance');
  const payment = await client.make('/payments', {
    customer: id,
    amount: 50,
    date: at('2028-01-10T15:00:00Z'),
    method: 'cash',
  });
  const { id: owed } = await invoice(id, 50, { date: '2028-01-20T15:00:00Z', due_date: '2028-02-20T15:00:00Z' });
  await client.patch(`/payments/${payment.id}`, { applied_to: [{ type: 'invoice', invoice: owed, amount: 50 }] });
  const figures = async (day: string) => {
    const row = await rowOf(`aging?as_of=${day}`, 'Advance');
    return row && [row.total, row.unapplied];
  };
  expect(await figures('2028-01-15')).toEqual([0, 50]);
  expect(await figures('2028-01-20')).toBeUndefined(); // both are zero
});

test('a transfer that its bank took back was paid until then; one that is applied elsewhere never was', async () => {
  const id = await customer('Returned');
  const dates = { date: '2028-01-05T15:00:00Z', due_date: '2028-02-05T15:00:00Z' };
  const [first, second] = [await invoice(id, 64, dates), await invoice(id, 128, dates)];
  const to = (invoice: number) => [{ type: 'invoice', invoice, amount: 64 }];
  const date = at('2028-01-10T15:00:00Z');
  const payment = { customer: id, amount: 64, date, method: 'wire_transfer', applied_to: to(first.id) };
  const { id: paid } = await client.make('/payments', payment);
  const figures = async (day: string) => {
    const row = await rowOf(`aging?as_of=${day}`, 'Returned');
    return [row.total, row.unapplied];
  };
  expect([await figures('2028-01-09'), await figures('2028-01-10')]).toEqual([
    [192, 0],
    [128, 0],
  ]);
  await client.patch(`/payments/${paid}`, { applied_to: to(second.id) });
  expect([await figures('2028-01-09'), await figures('2028-01-10')]).toEqual([
    [192, 0],
    [128, 0],
  ]);
  const { rows } = await report(`open_items?as_of=2028-01-10&customer=${id}`);
  expect(rows.map(({ invoice, amount }: { invoice: number; amount: number }) => [invoice, amount])).toEqual([
    [first.id, 64],
    [second.id, 64],
  ]);
  const back = { payment: paid, amount: 64, method: 'wire_transfer', date: at('2028-01-20T15:00:00Z'), returned: true };
  await client.make('/refunds', back);
  expect([await figures('2028-01-19'), await figures('2028-01-20')]).toEqual([
    [128, 0],
    [192, 0],
  ]);
});

test('what is voided never was; what is written off was owed until then', async () => {
  const id = await customer('Ended');
  const voided = await invoice(id, 8, { date: '2028-01-05T15:00:00Z', due_date: '2028-02-05T15:00:00Z' });
  const lost = await invoice(id, 16, { date: '2028-01-05T15:00:00Z', due_date: '2028-02-05T15:00:00Z' });
  await client.post(`/invoices/${voided.id}/void`);
  now += 86_400_000; // 1 March
  expect((await client.patch(`/invoices/${lost.id}`, { closed: true })).status).toBe(200);
  const total = async (day: string) => (await rowOf(`aging?as_of=${day}`, 'Ended'))?.total;
  expect([await total('2028-02-29'), await total('2028-03-01')]).toEqual([16, undefined]);
  const [row] = (await report(`write_offs?start=2028-03-01&end=2028-03-01&customer=${id}`)).rows;
  expect(row).toMatchObject({ invoice: lost.id, date: '2028-03-01', amount: 16 });
});

test('the roll-forward closes, and its ends are the totals of the aging', async () => {
  const [forward] = (await report('roll_forward?start=2028-01-01&end=2028-03-01')).rows;
  const { currency: _currency, hrefs: _hrefs, opening, closing, ...moves } = forward;
  const moved = Object.values(moves).reduce<number>((sum, amount) => sum + Number(amount), 0);
  expect(opening + moved).toBe(closing);
  const totalAt = async (day: string) => (await report(`aging?as_of=${day}`)).totals[0].total;
  expect([opening, closing]).toEqual([await totalAt('2027-12-31'), await totalAt('2028-03-01')]);
  const accounts = (await report('trial_balance?start=2028-01-01&end=2028-03-01')).rows;
  const of = (name: string) => accounts.find((row: { ledger_account: string }) => row.ledger_account === name);
  expect(of('receivable').closing).toBe(closing);
  expect((await report('trial_balance?start=2028-01-01&end=2028-03-01')).totals[0].closing).toBe(0);
});

test('each number leads to what it adds up', async () => {
  const { rows } = await report('aging');
  for (const row of rows)
    for (const [column, href] of Object.entries<string>(row.hrefs)) {
      const { status, body } = await client.get(href);
      expect([href, status]).toEqual([href, 200]);
      if (href.startsWith('/reports/')) expect([href, body.totals[0]?.amount ?? 0]).toEqual([href, row[column]]);
    }
});

test('cash and unapplied payments', async () => {
  const { rows } = await report('cash_received?start=2028-01-01&end=2028-01-31');
  expect(rows.map(({ hrefs: _hrefs, ...row }: { hrefs: object }) => row)).toMatchObject([
    { date: '2028-01-10', method: 'cash', currency: 'usd', count: 1, received: 50, returned: 0 },
    { date: '2028-01-10', method: 'wire_transfer', received: 64 },
    { date: '2028-01-20', method: 'check', currency: 'usd', count: 1, received: 70, returned: 0 },
    { date: '2028-01-20', method: 'wire_transfer', received: 0, returned: 64 },
  ]);
  const [unapplied] = (await report('unapplied?as_of=2028-03-01')).rows;
  expect(unapplied).toMatchObject({ name: 'Backdated', amount: 30, date: '2028-01-20' });
});

test('credits, money that went back, and how fast customers pay', async () => {
  const id = await customer('Credited');
  await client.make('/credit_balance_adjustments', {
    customer: id,
    currency: 'usd',
    amount: 32,
    date: at('2028-02-01T15:00:00Z'),
  });
  const of = async (path: string) => (await report(`${path}&customer=${id}`)).rows.map((row: object) => row);
  expect(await of('credits?as_of=2028-02-01')).toMatchObject([{ balance: 32, notes: 0, deposits: 0, total: 32 }]);
  expect(await of('credits?as_of=2028-01-31')).toEqual([]);
  const back = (await report('refunds_and_disputes?start=2028-01-01&end=2028-01-31')).rows;
  expect(back).toMatchObject([{ name: 'Returned', kind: 'return', date: '2028-01-20', amount: 64 }]);
  // January: Backdated 100, Advance 50, Returned 192, Ended 8 + 16, less 8 voided = 358 invoiced.
  const [january] = (await report('dso?start=2028-01-01&end=2028-01-31')).rows;
  const { opening, closing, not_due: notDue } = january;
  expect(january).toMatchObject({ invoiced: 358, dso: Math.round((closing / 358) * 31 * 100) / 100 });
  const aged = await report('aging?as_of=2028-01-31');
  expect(notDue).toBe(aged.totals[0].not_due);
  const effective = (opening + 358 - closing) / (opening + 358 - notDue);
  expect(january.effectiveness).toBeCloseTo(effective, 4);
});

test('a CSV has the same numbers', async () => {
  const { body } = await client.get('/reports/aging?format=csv&buckets=60&as_of=2028-02-29');
  const [heading, ...lines] = String(body).split('\r\n');
  expect(heading).toBe(
    'customer,name,number,currency,not_due,days_1_60,over_60,total,unapplied,credits,net,disputed,promised,on_plan',
  );
  expect(lines.find((line) => line.includes(',Ages,'))).toMatch(/,Ages,CUST-\d+,usd,1,30,992,1023,0,0,1023,0,0,0$/);
});

test.each([
  ['roll_forward?start=2028-03-02&end=2028-03-01', 'end'],
  ['aging?buckets=30,30', 'buckets'],
  ['aging?buckets=x', 'buckets'],
  ['aging?zone=Mars/Phobos', 'zone'],
  ['aging?as_of=2028-02-30', 'as_of'],
  ['aging?as_of=yesterday', 'as_of'],
  ['open_items?bucket=days_1_29', 'bucket'],
  ['aging?colour=red', 'colour'],
  ['aging?currency=zzz', 'currency'],
  ['trial_balance?customer=1', 'customer'],
])('%s is refused', async (path, param) => {
  expect(await client.get(`/reports/${path}`)).toMatchObject(refused({ param }));
});

test('a currency that was never used has no rows', async () => {
  expect(await report('aging?currency=jpy')).toMatchObject({ rows: [], totals: [] });
});

test('paths know as much as their answer, also within a second, and what test clocks posted later is known', async () => {
  now += 300;
  const own = await customer('Within a second');
  await invoice(own, 1, { date: '2028-01-05T15:00:00Z', due_date: '2028-02-05T15:00:00Z' });
  now += 500;
  const { total, hrefs } = await rowOf('aging?as_of=2028-02-28', 'Within a second');
  const { rows } = await report(hrefs.total.replace('/reports/', ''));
  expect([total, rows.map(({ amount }: { amount: number }) => amount)]).toEqual([1, [1]]);

  const { id: test_clock } = await client.make('/test_clocks', { frozen_time: at('2030-03-05T15:00:00Z') });
  const id = await customer('Clocked', { test_clock });
  await invoice(id, 100, { date: '2030-02-10T15:00:00Z', due_date: '2030-03-10T15:00:00Z' });
  expect((await rowOf('aging?as_of=2030-02-28', 'Clocked'))?.total).toBe(100); // posted on 5 March
});
