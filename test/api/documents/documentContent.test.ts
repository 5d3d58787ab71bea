import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

// The content of invoices: catalog items, discounts, taxes, shipping. Comments show how the sums are computed.

let api: TestApi;
let sandbox: Client;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  sandbox = api.sandbox;
  customer = await make('/customers', { name: 'Buyer', country: 'US', state: 'TX' });
  for (const [id, value, inclusive] of [
    ['vat', 20, false],
    ['city', 5, false],
    ['within', 25, true],
  ] as const)
    await make('/tax_rates', { id, name: id.toUpperCase(), value, is_percent: true, inclusive });
  await make('/coupons', { id: 'ten', name: 'Ten percent', value: 10, is_percent: true });
  await make('/coupons', { id: 'five-off', name: 'Five dollars', value: 5, is_percent: false, currency: 'usd' });
  await make('/coupons', { id: 'alone', name: 'Alone', value: 50, is_percent: true, exclusive: true });
  await make('/coupons', { id: 'euros', name: 'Euros', value: 5, is_percent: false, currency: 'eur' });
  await make('/items', {
    id: 'seat',
    name: 'Seat',
    unit_cost: 40,
    type: 'service',
    taxes: ['vat'],
    gl_account: '4000',
  });
  await make('/items', { id: 'gift', name: 'Gift card', unit_cost: 50, taxable: false, discountable: false });
});

afterEach(async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]));
afterAll(() => api.close());

const make = async (path: string, body: object): Promise<number> => (await sandbox.make(path, body)).id;

async function issue(body: object, client = sandbox) {
  const answer = await client.post('/invoices', { customer, ...body });
  expect([answer.status, answer.body.message]).toEqual([201, undefined]);
  return answer.body;
}

/** Ledger entries of an invoice, summed by account. */
async function ledgerOf(invoice: number): Promise<Record<string, number>> {
  const rows: { account: string; amount: string }[] = await api.em
    .fork()
    .execute(
      `select ledger_account as account, sum(amount)::text as amount from ledger_entry where invoice_id = ? group by 1 having sum(amount) <> 0`,
      [invoice],
    );
  return Object.fromEntries(rows.map(({ account, amount }) => [account, Number(amount)]));
}

test('items supply price, rates and exclusions; discounts and taxes are computed and posted', async () => {
  const items = [
    { catalog_item: 'seat', quantity: 3 }, // 3 x 40 = 120.00, taxed by vat
    { catalog_item: 'gift' }, // 50.00, without discount and tax
    { name: 'Setup', unit_cost: 100, discounts: [{ amount: 20 }] }, // 100.00 - 20.00 = 80.00
  ];
  const invoice = await issue({ items, discounts: ['ten', { coupon: 'five-off' }], taxes: ['city'] });
  // Discountable: 120 + 80 = 200.00; 10 % = 20.00 (12 + 8); then 5.00 on 108 and 72: 3.00 and 2.00.
  // Left: 105.00, 50.00, 70.00. vat on the seats: 21.00. city on seats and setup: 5 % of 175.00 = 8.75.
  // 120 + 50 + 100 = 270; less 20 + 20 + 5 = 45; with 21 + 8.75 = 29.75: 254.75.
  expect(invoice).toMatchObject({ subtotal: 270, total: 254.75, balance: 254.75 });
  expect(invoice.items).toMatchObject([
    {
      catalog_item: 'seat',
      amount: 120,
      type: 'service',
      taxable: true,
      taxes: [{ object: 'tax', amount: 21, tax_rate: { id: 'vat', value: 20 } }],
    },
    { catalog_item: 'gift', amount: 50, taxable: false, discountable: false, taxes: [], discounts: [] },
    { amount: 100, discounts: [{ object: 'discount', amount: 20, coupon: null, expires: null }], taxes: [] },
  ]);
  expect(invoice.discounts).toMatchObject([
    { object: 'discount', amount: 20, coupon: { object: 'coupon', id: 'ten', is_percent: true }, expires: null },
    { object: 'discount', amount: 5, coupon: { id: 'five-off' } },
  ]);
  expect(invoice.taxes).toMatchObject([{ object: 'tax', amount: 8.75, tax_rate: { object: 'tax_rate', id: 'city' } }]);
  for (const [kind, list] of [
    ['discount', [...invoice.discounts, ...invoice.items[2].discounts]],
    ['tax', [...invoice.taxes, ...invoice.items[0].taxes]],
  ] as const) {
    for (const one of list) expect(missingFields(kind, one)).toEqual([]);
    expect(new Set(list.map(({ id }: { id: number }) => id)).size).toBe(list.length);
  }
  expect((await sandbox.get(`/invoices/${invoice.id}`)).body).toEqual(invoice);
  expect(await ledgerOf(invoice.id)).toEqual({
    receivable: 254.75,
    'revenue:4000': -105,
    revenue: -120, // 50 + 70
    'tax_payable:vat': -21,
    'tax_payable:city': -8.75,
  });
});

test('an inclusive rate is part of the price', async () => {
  const invoice = await issue({ items: [{ name: 'Book', unit_cost: 125 }], discounts: ['ten'], taxes: ['within'] });
  // 125.00 - 12.50 = 112.50, of which 25/125 = 22.50 are tax; subtotal 125 - 22.50 = 102.50; 102.50 - 12.50 + 22.50 = 112.50.
  expect(invoice).toMatchObject({ subtotal: 102.5, total: 112.5, taxes: [{ amount: 22.5 }] });
  expect(await ledgerOf(invoice.id)).toEqual({ receivable: 112.5, revenue: -90, 'tax_payable:within': -22.5 });
});

test('a tax with its own amount is posted without a tax rate', async () => {
  const invoice = await issue({ items: [{ unit_cost: 10 }], taxes: [{ amount: 1.5 }] });
  expect(invoice).toMatchObject({ total: 11.5, taxes: [{ amount: 1.5, tax_rate: null }] });
  expect(await ledgerOf(invoice.id)).toEqual({ receivable: 11.5, revenue: -10, tax_payable: -1.5 });
});

test('taxes come from the request, else the customer, else the shipping address, else the billing address', async () => {
  const items = [{ name: 'Thing', unit_cost: 100 }];
  const codesOf = (invoice: { taxes: { tax_rate: { id: string } }[] }) => invoice.taxes.map((tax) => tax.tax_rate.id);
  await make('/tax_rules', { tax_rate: 'city', country: 'US', state: 'TX' });
  await make('/tax_rules', { tax_rate: 'vat', country: 'DE' });
  expect(codesOf(await issue({ items }))).toEqual(['city']);
  expect(codesOf(await issue({ items, ship_to: { country: 'DE' } }))).toEqual(['vat']);
  expect(codesOf(await issue({ items, ship_to: { city: 'nowhere' } }))).toEqual(['city']);
  expect(codesOf(await issue({ items, ship_to: { country: 'FR' } }))).toEqual([]);
  expect(codesOf(await issue({ items, taxes: ['within'] }))).toEqual(['within']);
  expect(codesOf(await issue({ items, taxes: [] }))).toEqual([]);
  expect(codesOf(await issue({ items, calculate_taxes: false }))).toEqual([]);
  const seat = await issue({ items: [{ catalog_item: 'seat' }], calculate_taxes: false });
  expect(seat).toMatchObject({ total: 40, items: [{ taxes: [] }] });
  const own = await make('/customers', { name: 'Own', country: 'US', state: 'TX', taxes: ['vat', 'within'] });
  expect(codesOf(await issue({ customer: own, items }))).toEqual(['vat', 'within']);
  const exempt = await make('/customers', { name: 'Exempt', country: 'US', state: 'TX', taxable: false });
  expect(await issue({ customer: exempt, items: [{ catalog_item: 'seat' }] })).toMatchObject({ total: 40, taxes: [] });
  const refusal = await sandbox.post('/invoices', { customer: exempt, items, taxes: ['vat'] });
  expect(refusal).toMatchObject(refused({ param: 'taxes[0]' }));
});

test('a rate on both a line and the document taxes the line once', async () => {
  const items = [{ catalog_item: 'seat' }, { name: 'Other', unit_cost: 10 }];
  // vat on the seat: 8.00; vat on the document: 20 % of the 10.00 that have none yet: 2.00.
  expect(await issue({ items, taxes: ['vat'] })).toMatchObject({
    total: 60,
    items: [{ taxes: [{ amount: 8 }] }, { taxes: [] }],
    taxes: [{ amount: 2 }],
  });
});

test('lines, discounts, taxes, applications and attachments have an id and a type', async () => {
  const file = await make('/files', { url: 'https://docs.example/x.pdf', name: 'x.pdf' });
  const adjusted = { discounts: ['ten', { amount: 1 }], taxes: ['vat', { amount: 2 }] };
  const items = [{ name: 'Work', unit_cost: 100, ...adjusted }];
  const invoice = await issue({ items, ...adjusted, attachments: [file] });
  const [line] = invoice.items;
  const applied_to = [{ type: 'invoice', invoice: invoice.id, amount: 5 }];
  const paid = await sandbox.post('/payments?include=applied_to', { customer, amount: 5, applied_to });
  const nested: Record<string, { id: number; object: string }[]> = {
    line_item: invoice.items,
    discount: [...line.discounts, ...invoice.discounts],
    tax: [...line.taxes, ...invoice.taxes],
    payment_application: paid.body.applied_to,
    attachment: (await sandbox.get(`/invoices/${invoice.id}/attachments`)).body,
  };
  expect(Object.values(nested).map((objects) => objects.length)).toEqual([1, 4, 4, 1, 1]);
  for (const [object, members] of Object.entries(nested)) {
    expect(members).toEqual(members.map(() => expect.objectContaining({ id: expect.any(Number), object })));
    expect(new Set(members.map(({ id }) => id)).size).toBe(members.length);
  }
});

test('the shipping address is kept', async () => {
  const ship_to = {
    name: 'Goods in',
    attention_to: 'Ann',
    address1: '1 Dock',
    address2: 'Gate 2',
    city: 'Bonn',
    state: 'NRW',
    postal_code: '53111',
    country: 'DE',
  };
  const invoice = await issue({ ship_to, taxes: [] });
  expect(invoice.ship_to).toEqual({ ...ship_to, updated_at: expect.any(Number) });
  expect((await issue({ ship_to: {} })).ship_to).toBeNull();
});

test.each([
  [{ discounts: ['euros'] }, 'discounts[0]', /eur/],
  [{ discounts: ['ten', 'alone'] }, 'discounts[0]', /together/],
  [{ items: [{ unit_cost: 1, discounts: ['alone'] }], discounts: ['ten'] }, 'discounts[0]', /together/],
  [{ items: [{ catalog_item: 'seat', discounts: [{ amount: 1 }, 'euros'] }] }, 'items[0][discounts][1]', /eur/],
])('%j is refused, naming %s', async (body, param, message) => {
  const answer = await sandbox.post('/invoices', { customer, ...body });
  expect(answer).toMatchObject(refused({ param, message: expect.stringMatching(message) }));
});

test('a form has the same effect as JSON', async () => {
  const form =
    'customer=%C&items[0][name]=Work&items[0][unit_cost]=200&items[0][discounts][]=ten&discounts[0][coupon]=five-off&taxes[0][tax_rate]=vat&ship_to[city]=Bonn';
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const answer = await sandbox.post('/invoices', form.replace('%C', String(customer)), headers);
  // 200 - 20 = 180; - 5 = 175; 20 % = 35; 210.
  expect(answer).toMatchObject({ status: 201, body: { total: 210, ship_to: { city: 'Bonn' } } });
});
