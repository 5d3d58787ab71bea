import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Debtor', payment_terms: 'NET 7' })).id;
  await api.sandbox.post('/items', { id: 'hosting', name: 'Hosting', unit_cost: 12.5, description: 'Per month' });
});
afterAll(() => api.close());

test('an invoice can be issued, read and voided', async () => {
  const { sandbox } = api;
  const date = 1_900_000_000;
  const items = [
    { catalog_item: 'hosting', quantity: 3 }, // 3 x 12.50 = 37.50
    { name: 'Work', quantity: 1.5, unit_cost: 33.33, metadata: { job: '7' } }, // 49.995 = 50.00
    { name: 'Fee', unit_cost: 0.1 }, // 0.10
  ];
  const issued = await sandbox.post('/invoices', { customer, date, items, purchase_order: 'PO-1', notes: 'Thanks' });
  expect(issued.status).toBe(201);
  expect(missingFields('invoice', issued.body)).toEqual([]);
  for (const line of issued.body.items) expect(missingFields('line_item', line)).toEqual([]);
  expect(issued.body).toMatchObject({
    object: 'invoice',
    customer,
    name: 'Invoice',
    number: 'INV-00001',
    status: 'not_sent',
    draft: false,
    paid: false,
    closed: false,
    currency: 'usd',
    subtotal: 87.6,
    total: 87.6,
    balance: 87.6,
    discounts: [],
    taxes: [],
    date,
    due_date: date + 7 * 86_400,
    payment_terms: 'NET 7',
    purchase_order: 'PO-1',
    notes: 'Thanks',
  });
  expect(issued.body.items).toMatchObject([
    { catalog_item: 'hosting', name: 'Hosting', description: 'Per month', quantity: 3, unit_cost: 12.5, amount: 37.5 },
    { name: 'Work', quantity: 1.5, unit_cost: 33.33, amount: 50, metadata: { job: '7' } },
    { name: 'Fee', quantity: 1, unit_cost: 0.1, amount: 0.1 },
  ]);
  const path = `/invoices/${issued.body.id}`;
  expect((await sandbox.get(path)).body).toEqual(issued.body);
  const voided = await sandbox.post(`${path}/void`);
  expect(voided).toMatchObject({ status: 200, body: { status: 'voided', balance: 0 } });
  expect((await sandbox.post(`${path}/void`)).status).toBe(400);
});

test('amounts of a request are read exactly', async () => {
  const body = `{"customer":${customer},"items":[{"unit_cost":12345678901.23},{"unit_cost":0.10},{"unit_cost":1e2}]}`;
  const issued = await api.sandbox.post('/invoices', body);
  expect(issued.body.items.map((line: { amount: number }) => line.amount)).toEqual([12345678901.23, 0.1, 100]);
  expect(issued.body.total).toBe(12345679001.33);
});

test('an invoice of zero is paid at once', async () => {
  const { body } = await api.sandbox.post('/invoices', { customer });
  expect(body).toMatchObject({ items: [], total: 0, paid: true, closed: true, status: 'paid' });
});

test('a supplied number is kept, and cannot be used twice', async () => {
  const issue = () => api.sandbox.post('/invoices', { customer, number: 'R-7' });
  expect((await issue()).body.number).toBe('R-7');
  expect(await issue()).toMatchObject(refused({ param: 'number' }));
});

test('relations are expanded along dotted paths', async () => {
  const { body } = await api.sandbox.post('/invoices', { customer });
  const { body: one } = await api.sandbox.get(`/invoices/${body.id}?expand=customer,subscription.plan`);
  expect(missingFields('customer', one.customer)).toEqual([]);
  expect(one.subscription).toBeNull();
});

test.each([
  [{ customer: null }, 'customer', 'Customer missing'],
  [{ customer: 4711 }, 'customer', 'Customer was not found: 4711'],
  [{ customer: true }, 'customer', 'Customer must be an id'],
  [{ items: 'x' }, 'items', 'Items must be a list'],
  [{ items: [5] }, 'items[0]', 'items[0] must be an object'],
  [{ items: [{}, { unit_cost: 'ten' }] }, 'items[1][unit_cost]', 'Unit cost must be a number'],
  [{ items: [{ unitcost: 1 }] }, 'items[0][unitcost]', 'Unknown field unitcost; did you mean unit_cost?'],
  [{ items: [{ catalog_item: 'none' }] }, 'items[0][catalog_item]', 'Item was not found: none'],
  [{ items: [{ catalog_item: { id: '' } }] }, 'items[0][catalog_item]', 'Catalog item must be an id'],
  [{ items: [{ taxes: [{ id: 1 }] }] }, 'items[0][taxes][0]', 'Tax needs the id of a coupon or tax rate, or an amount'],
  [{ items: [{ taxes: ['none'] }] }, 'items[0][taxes][0]', 'Tax rate was not found: none'],
  [{ items: [{ discounts: [{ coupon: 'none' }] }] }, 'items[0][discounts][0]', 'Coupon was not found: none'],
  [
    { items: [{}, { discounts: [{}] }] },
    'items[1][discounts][0]',
    'items[1][discounts][0] needs coupon, amount or the id of an existing one',
  ],
  [{ items: [{ discounts: [{ amount: -1 }] }] }, 'items[0][discounts][0][amount]', 'Amount must not be negative'],
  [{ taxes: [{ id: 1, amount: -1 }] }, 'taxes[0][amount]', 'Amount must not be negative'],
  [{ items: [{ unit_cost: -1 }] }, 'items', 'Total must not be negative: -1.00'],
  [
    { items: [{ unit_cost: 999_999_999_999, quantity: 2 }] },
    'items[0]',
    'Amounts must be below 1000000000000: 1999999999998.00',
  ],
  [{ items: Array.from({ length: 1001 }, () => ({})) }, 'items', 'Items may have at most 1000 elements'],
  [{ currency: 'dollars' }, 'currency', 'Currency must be an ISO 4217 currency code: dollars'],
  [{ date: '2027-01-01' }, 'date', 'Date must be a number'],
  [
    { payment_terms: 'whenever' },
    'payment_terms',
    'Payment terms must be NET <days>, <percent>% <days> NET <days>, Due on receipt or AutoPay: whenever',
  ],
  [{ draft: true, closed: true }, 'closed', 'A draft cannot be closed: it is not owed yet'],
  [{ draft: true, sent: true }, 'sent', 'A draft cannot be sent: issue it first'],
  [{ discounts: ['none'] }, 'discounts[0]', 'Coupon was not found: none'],
  [{ discounts: [{ amount: 1.005 }] }, 'discounts[0][amount]', 'Amounts in usd have at most 2 decimals: 1.005'],
  [{ discounts: [{ id: 'none' }] }, 'discounts[0]', 'Coupon was not found: none'],
  [
    { discounts: Array.from({ length: 21 }, () => ({ amount: 1 })) },
    'discounts',
    'Discounts may have at most 20 elements',
  ],
  [{ taxes: [{ tax_rate: 'none' }] }, 'taxes[0]', 'Tax rate was not found: none'],
  [{ taxes: Array.from({ length: 21 }, () => ({ amount: 1 })) }, 'taxes', 'Taxes may have at most 20 elements'],
  [{ taxes: [{ taxrate: 'vat' }] }, 'taxes[0][taxrate]', 'Unknown field taxrate; did you mean tax_rate?'],
  [{ ship_to: { nom: 'x' } }, 'ship_to[nom]', 'Unknown field nom; did you mean name?'],
  [
    { ship_to: { country: 'Texas' } },
    'ship_to[country]',
    'Country must be a two-letter country code of ISO 3166-1: TEXAS',
  ],
  [{ ship_to: 'here' }, 'ship_to', 'Ship to must be an object'],
  [
    { disabled_payment_methods: ['gold'] },
    'disabled_payment_methods[0]',
    'disabled_payment_methods[0] must be one of ach, cash, check, credit_card, eft, direct_debit, other, online_wallet, wire_transfer: gold',
  ],
  [
    { calculate_taxes: false, taxes: ['vat'] },
    'taxes[0]',
    'Tax rates have no effect with calculate_taxes false: give amounts',
  ],
  [
    { items: [{ taxes: ['vat'] }], calculate_taxes: false },
    'items[0][taxes][0]',
    'Tax rates have no effect with calculate_taxes false: give amounts',
  ],
])('%j is refused, naming %s', async (body, param, message) => {
  const answer = await api.sandbox.post('/invoices', { customer, ...body });
  expect(answer).toMatchObject(refused({ param, message }));
});

test('an invoice can have a thousand lines', async () => {
  const items = Array.from({ length: 1000 }, (_, index) => ({ name: `line ${index}`, unit_cost: 0.01 }));
  const issued = await api.sandbox.post('/invoices', { customer, items });
  expect(issued).toMatchObject({ status: 201, body: { total: 10 } });
  expect(issued.body.items).toHaveLength(1000);
});

test('reading and issuing need few statements', async () => {
  const { sandbox } = api;
  const items = [{ catalog_item: 'hosting' }, { name: 'a', unit_cost: 1 }, { name: 'b', unit_cost: 2 }];
  const issuing = await api.statements(() => sandbox.post('/invoices', { customer, items }));
  expect(issuing.length).toBeLessThanOrEqual(11);
  const { body } = await sandbox.post('/invoices', { customer, items });
  const reading = await api.statements(() => sandbox.get(`/invoices/${body.id}`));
  expect(reading.length).toBeLessThanOrEqual(1 + 3); // authentication; invoice, lines, ETag
  for (let count = 0; count < 10; count += 1) await sandbox.post('/invoices', { customer, items });
  const listing = await api.statements(() => sandbox.get('/invoices?expand=customer'));
  expect(listing.length).toBeLessThanOrEqual(1 + 4); // authentication; invoices, lines, count, customers
});
