import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, refused, startApi, successBody, type TestApi } from '../../support/api.ts';

/** Books made by hand, in which each test has months of its own. Amounts have their arithmetic beside them. */

let api: TestApi;
let client: Client;
let now = Date.parse('2027-01-01T12:00:00Z');
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  client = api.sandbox;
  successBody(
    await client.patch('/account', { time_zone: 'UTC', country: 'DE', currency: 'eur', tax_id: 'DE123456789' }),
  );
  await client.make('/tax_rates', { id: 'vat', name: 'VAT', value: 19 });
  await client.make('/tax_rates', { id: 'gst', name: 'GST', value: 10, inclusive: true });
  await client.make('/tax_rates', { id: 'city', name: 'City tax', value: 2.5 });
  await client.make('/items', { id: 'work', name: 'Work', unit_cost: 100, gl_account: '4000' });
  await client.make('/items', { id: 'goods', name: 'Goods', unit_cost: 33.33, gl_account: '4100' });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const seconds = (day: string) => Date.parse(day.includes('T') ? day : `${day}T12:00:00Z`) / 1000;
const on = (day: string) => {
  now = seconds(day) * 1000;
};
const customer = async (name: string, more = {}): Promise<number> =>
  (await client.make('/customers', { name, country: 'DE', ...more })).id;
const sell = (of: number, day: string, items: object[], more = {}) =>
  client.make('/invoices', { customer: of, items, date: seconds(day), currency: 'eur', ...more });
const credit = (invoice: { id: number; customer: number }, day: string, items: object[], more = {}) =>
  client.make('/credit_notes', { customer: invoice.customer, invoice: invoice.id, items, date: seconds(day), ...more });
const report = async (path: string) => successBody(await client.get(`/reports/${path}`));

/** Rows without the cells that a test does not name. */
const picked = (rows: Record<string, unknown>[], ...names: string[]) =>
  rows.map((row) => names.map((name) => row[name]));

test('sales are the lines of the days by item and account, and late fees, as the ledger has them', async () => {
  on('2027-02-01');
  const id = await customer('Sold');
  await client.make('/coupons', { id: 'tenth', name: 'Tenth', value: 10 });
  const work = { catalog_item: 'work', quantity: 2 }; // 200
  const goods = { catalog_item: 'goods', quantity: 3, discounts: [{ amount: 9.99 }] }; // 99.99 - 9.99 = 90
  // 10 % of 290 is 29: 20 of the work, 9 of the goods.
  const first = await sell(id, '2027-02-01', [work, goods, { name: 'Other', unit_cost: 10, discountable: false }], {
    discounts: ['tenth'],
  });
  on('2027-03-02');
  await sell(id, '2027-02-28T23:59:59Z', [{ catalog_item: 'work' }]);
  await sell(id, '2027-03-01T00:00:00Z', [{ catalog_item: 'work' }]); // the next day
  const voided = await sell(id, '2027-02-10', [{ catalog_item: 'work' }]);
  successBody(await client.post(`/invoices/${voided.id}/void`));
  await sell(id, '2027-02-10', [{ catalog_item: 'work' }], { draft: true });
  await credit(first, '2027-02-20', [{ catalog_item: 'goods', quantity: 1, unit_cost: 31 }]);
  const { rows, totals } = await report(`sales?start=2027-02-01&end=2027-02-28&customer=${id}`);
  expect(picked(rows, 'item', 'gl_account', 'quantity', 'gross', 'deducted', 'net', 'credited', 'total')).toEqual([
    ['goods', '4100', 3, 99.99, 18.99, 81, 31, 50], // 9.99 + 9 off
    ['work', '4000', 3, 300, 20, 280, 0, 280], // 200 - 20 + 100
    [null, null, 1, 10, 0, 10, 0, 10],
  ]);
  expect(totals).toMatchObject([{ gross: 409.99, deducted: 38.99, net: 371, credited: 31, total: 340 }]);
  for (const row of rows) {
    const { body } = await client.get(row.hrefs.total);
    expect([row.item, body.totals[0].total]).toEqual([row.item, row.total]);
  }
});

test('what the ledger posts beside the lines has rows of its own', async () => {
  on('2027-05-05');
  const id = await customer('Fees');
  successBody(await client.patch('/account', { late_fee_document: 'line' }));
  const { id: schedule } = await client.make('/late_fee_schedules', { name: 'Late', amount: 10, default: true });
  const late = await sell(id, '2027-05-05', [{ catalog_item: 'work' }], { due_date: seconds('2027-06-01') });
  on('2027-06-03');
  await step(late.id);
  await step(late.id);
  successBody(await client.delete(`/late_fee_schedules/${schedule}`));
  const kinds = async (days: string) =>
    picked((await report(`sales?${days}&customer=${id}`)).rows, 'kind', 'item', 'gl_account', 'total');
  expect(await kinds('start=2027-05-01&end=2027-05-31')).toEqual([['sale', 'work', '4000', 100]]);
  expect(await kinds('start=2027-06-01&end=2027-06-30')).toEqual([['late_fee', null, null, 10]]); // 10 % of 100
  expect(await kinds('end=2027-06-30&start=2027-05-01&group=month')).toEqual([
    ['sale', 'work', '4000', 100],
    ['late_fee', null, null, 10],
  ]);
  for (const { total, hrefs } of (await report(`sales?start=2027-05-01&end=2027-06-30&group=month&customer=${id}`))
    .rows)
    expect((await client.get(hrefs.total)).body.totals).toMatchObject([{ total }]);
  // An invoice of tomorrow counts today, when it is posted; its void counts when that is posted.
  const ahead = await sell(id, '2027-07-20', [{ catalog_item: 'goods' }]);
  on('2027-06-10');
  successBody(await client.post(`/invoices/${ahead.id}/void`));
  expect(await kinds('start=2027-06-01&end=2027-06-05&kind=adjustment')).toEqual([['adjustment', null, '4100', 33.33]]);
  expect(await kinds('start=2027-06-06&end=2027-06-30')).toEqual([['adjustment', null, '4100', -33.33]]);
});

test('tax is that of each rate and place, with the net that it is on', async () => {
  on('2027-09-01');
  const id = await customer('Taxed');
  await client.make('/tax_rules', { tax_rate: 'vat', country: 'FR', reverse_charge: true });
  const french = { country: 'FR', type: 'company', tax_id: 'FR12345678901' };
  const abroad = await customer('Dupont', french);
  // 19 % of 200 + 50 = 47.50, without the 10 off; the goods are taxed by the city alone: 2.5 % of 40 = 1.
  const first = await sell(
    id,
    '2027-09-01',
    [
      { catalog_item: 'work', quantity: 2, discounts: [{ amount: 10 }] },
      { name: 'Hours', unit_cost: 50, discounts: [{ amount: 0 }] },
      { catalog_item: 'goods', unit_cost: 40, taxable: false, taxes: ['city'] },
      { name: 'Postage', unit_cost: 5, taxable: false },
    ],
    { taxes: ['vat'] },
  );
  // 10 % contained in 110: 10 on 100.
  await sell(id, '2027-09-02', [{ name: 'Book', unit_cost: 110 }], {
    taxes: ['gst'],
    ship_to: { name: 'Shop', country: 'AU', state: 'NSW' },
  });
  await sell(abroad, '2027-09-03', [{ name: 'Advice', unit_cost: 300 }]);
  on('2027-09-20');
  await credit(first, '2027-09-20', [{ catalog_item: 'work', quantity: 1, unit_cost: 100 }], { taxes: ['vat'] });
  const { rows, totals } = await report('tax?start=2027-09-01&end=2027-09-30');
  expect(
    picked(rows, 'country', 'state', 'treatment', 'kind', 'tax_rate', 'percent', 'tax_behavior', 'base', 'tax'),
  ).toEqual([
    ['AU', 'NSW', 'taxed', 'invoice', 'gst', 10, 'inclusive', 100, 10],
    ['DE', null, 'untaxed', 'invoice', null, null, null, 5, 0],
    ['DE', null, 'taxed', 'invoice', 'city', 2.5, 'exclusive', 40, 1],
    ['DE', null, 'taxed', 'invoice', 'vat', 19, 'exclusive', 240, 45.6], // 190 + 50
    ['DE', null, 'taxed', 'credit_note', 'vat', 19, 'exclusive', -100, -19],
    ['FR', null, 'reverse_charge', 'invoice', 'vat', 0, 'exclusive', 300, 0],
  ]);
  expect(totals).toEqual([{ currency: 'eur', base: null, tax: 37.6 }]); // 10 + 1 + 45.60 - 19
  for (const row of rows) {
    const { body } = await client.get(row.hrefs.base);
    const sum = (name: string) =>
      body.rows.reduce((soFar: number, one: Record<string, number>) => soFar + (one[name] ?? 0), 0);
    expect([row.kind, sum('base'), sum('tax')]).toEqual([row.kind, row.base, row.tax]);
  }
});

test('a discount for early payment that a credit note grants is a kind of its own, with its tax', async () => {
  on('2027-10-01');
  successBody(await client.patch('/account', { late_fee_document: 'invoice' })); // issued documents do not change
  const id = await customer('Early', { payment_terms: '2% 10 NET 30' });
  const { id: owed } = await sell(id, '2027-10-01', [{ catalog_item: 'work' }], { taxes: ['vat'] });
  on('2027-10-05');
  const to = { type: 'invoice', invoice: owed, amount: 116.62 }; // 119 - 2 %
  const paid = { customer: id, amount: 116.62, method: 'check', applied_to: [to], currency: 'eur' };
  await client.make('/payments', paid);
  await step(owed);
  const { rows } = await report(`sales?start=2027-10-01&end=2027-10-31&customer=${id}`);
  expect(picked(rows, 'kind', 'item', 'gl_account', 'net', 'credited', 'total')).toEqual([
    ['sale', 'work', '4000', 100, 0, 100],
    ['early_discount', null, '4000', 0, 2, -2],
  ]);
  const { rows: taxed } = await report(`tax?start=2027-10-01&end=2027-10-31&customer=${id}`);
  expect(picked(taxed, 'kind', 'base', 'tax')).toEqual([
    ['invoice', 100, 19],
    ['credit_note', -2, -0.38],
  ]);
});

test('tax that a write-off takes back is a row of its own, on the day of the write-off', async () => {
  on('2027-11-01');
  successBody(await client.patch('/account', { bad_debt_tax: 'take_back' }));
  const id = await customer('Lost');
  const lost = await sell(id, '2027-11-01', [{ name: 'Work', unit_cost: 100 }], { taxes: ['vat'] });
  on('2027-12-05');
  successBody(await client.patch(`/invoices/${lost.id}`, { closed: true }));
  const rowsIn = async (days: string) =>
    picked((await report(`tax?${days}&customer=${id}`)).rows, 'kind', 'tax_rate', 'base', 'tax');
  expect(await rowsIn('start=2027-11-01&end=2027-11-30')).toEqual([['invoice', 'vat', 100, 19]]);
  expect(await rowsIn('start=2027-12-01&end=2027-12-31')).toEqual([['write_off', 'vat', 0, -19]]);
});

test('what no report has is refused', async () => {
  on('2028-01-01');
  expect(await client.get('/reports/sales?detail=document')).toMatchObject(refused({ param: 'detail' }));
  expect(await client.get('/reports/sales?start=2028-02-01&end=2028-01-01')).toMatchObject(refused({ param: 'end' }));
  const centuries = 'deferred_revenue?start=1971-01-01&end=2199-12-31&group=day';
  expect(await client.get(`/reports/${centuries}`)).toMatchObject(refused({ param: 'start' }));
  expect((await report('sales?start=2028-01-01&currency=kwd&end=2028-01-31')).rows).toEqual([]);
});

/** Takes the due steps of an invoice. */
async function step(id: number): Promise<void> {
  const accountId = client.account.id;
  const key = { accountId, id, lookUpDelay: 60_000 };
  const one = () => inTransaction(api.deps.em, (em) => advanceInvoice(em, key, new Date(now)));
  while ((await withAccount(accountId, one)).did !== null);
}
