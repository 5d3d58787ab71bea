import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { estimateStatus } from '../../../billing/documents/estimate.ts';
import { auditDatabase } from '../../../bin/audit.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

/** Estimates, and invoices that are created from them. */

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.post('/items', { id: 'work', name: 'Work', unit_cost: 10, gl_account: '4000' });
  await api.sandbox.post('/tax_rates', { id: 'vat', name: 'VAT', value: 20, is_percent: true });
  await api.sandbox.post('/coupons', { id: 'once', name: 'Once', value: 10, is_percent: true, max_redemptions: 1 });
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await api.sandbox.make('/customers', { name: 'Asker', email: 'asker@example.com' })).id;
});

const line = (amount: number) => [{ name: 'x', unit_cost: amount }];
const make = (more: object = {}) => api.sandbox.post('/estimates', { customer, items: line(100), ...more });
const read = async (id: number) => (await api.sandbox.get(`/estimates/${id}`)).body;
const toInvoice = (id: number) => api.sandbox.post(`/estimates/${id}/invoice`);
const clean = async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]);
const entries = async () => {
  const [row] = await api.em.fork().execute('select count(*)::int as n from ledger_entry');
  return row?.n;
};

const shipTo = { name: 'Goods inwards', address1: '12 Analytical Way', city: 'Austin', country: 'US' };

test('an estimate has its fields and a number of its series, and owes nothing', async () => {
  const before = await entries();
  const { status, body } = await make({ deposit: 25, items: [{ catalog_item: 'work', quantity: 3 }], taxes: ['vat'] });
  expect(status).toBe(201);
  expect(missingFields('estimate', body)).toEqual([]);
  expect(missingFields('line_item', body.items[0])).toEqual([]);
  // 3 x 10.00 = 30.00 and 20 % of it
  expect(body).toMatchObject({
    object: 'estimate',
    customer,
    invoice: null,
    name: 'Estimate',
    number: 'EST-00001',
    currency: 'usd',
    draft: false,
    closed: false,
    approved: null,
    status: 'not_sent',
    expiration_date: null,
    payment_terms: null,
    subtotal: 30,
    total: 36,
    deposit: 25,
    deposit_paid: false,
    taxes: [{ amount: 6, tax_rate: { id: 'vat' } }],
  });
  expect(body.url).toContain(`/documents/${api.sandbox.account.id}/estimate/${body.id}/`);
  expect(await read(body.id)).toEqual(body);
  expect(await entries()).toBe(before);
  expect((await api.sandbox.get(`/customers/${customer}/balance`)).body).toMatchObject({ total_outstanding: 0 });
  expect((await make()).body.number).toBe('EST-00002');
  await clean();
});

test('the invoice of an estimate copies lines, rates, discounts, ship_to, purchase order, notes, files and amounts', async () => {
  const { id: file } = (await api.sandbox.post('/files', { url: 'https://docs.example/plan.pdf', name: 'plan.pdf' }))
    .body;
  const { body: estimate } = await make({
    items: [
      { catalog_item: 'work', quantity: 3, discounts: [{ amount: 4 }], metadata: { site: 'north' } },
      { name: 'Travel', description: 'by train', unit_cost: 50, taxable: false },
    ],
    discounts: ['once'],
    taxes: ['vat'],
    ship_to: shipTo,
    purchase_order: 'PO-9',
    notes: 'Thanks',
    payment_terms: 'NET 7',
    disabled_payment_methods: ['check'],
    attachments: [file],
  });
  // 30 + 50 = 80; less 4, then 10 % of 76: 7.60; 20 % tax on the rest of the work, 26 - 2.60 = 23.40: 4.68
  expect(estimate).toMatchObject({ subtotal: 80, total: 73.08, taxes: [{ amount: 4.68 }] });
  const { status, body: invoice } = await toInvoice(estimate.id);
  expect(status).toBe(201);
  const { subtotal, total } = estimate;
  expect(invoice).toMatchObject({
    object: 'invoice',
    number: 'INV-00001',
    customer,
    draft: false,
    subtotal,
    total,
    balance: total,
    purchase_order: 'PO-9',
    notes: 'Thanks',
    payment_terms: 'NET 7',
    disabled_payment_methods: ['check'],
    ship_to: shipTo,
    discounts: [{ amount: 7.6, coupon: { id: 'once' } }],
    taxes: [{ amount: 4.68 }],
    items: [
      { catalog_item: 'work', quantity: 3, amount: 30, discounts: [{ amount: 4 }], metadata: { site: 'north' } },
      { name: 'Travel', description: 'by train', amount: 50, taxable: false },
    ],
  });
  const ids = (document: { items: { id: number }[] }) => document.items.map(({ id }) => id);
  expect(new Set([...ids(invoice), ...ids(estimate)]).size).toBe(4);
  const [attachment] = (await api.sandbox.get(`/invoices/${invoice.id}/attachments`)).body;
  expect(attachment.file).toMatchObject({ id: file });
  expect(await read(estimate.id)).toMatchObject({ invoice: invoice.id, status: 'invoiced', closed: true, total });
  expect((await api.sandbox.get(`/estimates/${estimate.id}?expand=invoice,customer`)).body).toMatchObject({
    invoice: { number: 'INV-00001' },
    customer: { name: 'Asker' },
  });
  await clean();
});

test('a draft has no number, and is removed when deleted', async () => {
  const { body } = await make({ draft: true });
  expect(body).toMatchObject({ draft: true, status: 'draft', number: null, total: 100, url: null });
  expect((await api.sandbox.delete(`/estimates/${body.id}`)).status).toBe(204);
  expect((await api.sandbox.get(`/estimates/${body.id}`)).status).toBe(404);
});

test('an issued estimate keeps its number when deleted', async () => {
  const { body } = await make();
  expect((await api.sandbox.delete(`/estimates/${body.id}`)).status).toBe(204);
  expect((await api.sandbox.get(`/estimates/${body.id}`)).status).toBe(404);
  expect((await api.sandbox.get(`/estimates?filter[customer]=${customer}`)).body).toEqual([]);
  expect(await make({ number: body.number })).toMatchObject(refused({ param: 'number' }));
});

test.each<[what: string, made: object, message: string]>([
  ['a draft', { draft: true }, 'is a draft: issue it first'],
  ['a declined one', { closed: true }, 'is declined: reopen it with closed false'],
  [
    'an expired one',
    { date: 1_700_000_000, expiration_date: 1_700_100_000 },
    'has expired: give it a later expiration_date',
  ],
])('no invoice can be created from %s', async (_what, made, message) => {
  const { body } = await make(made);
  expect(await toInvoice(body.id)).toMatchObject(refused({ message: expect.stringContaining(message) }));
});

test('an invoiced estimate cannot be invoiced again, voided or deleted; a voided one cannot be invoiced', async () => {
  const { body } = await make();
  const { body: invoice } = await toInvoice(body.id);
  expect((await toInvoice(body.id)).body.message).toBe(
    `Estimate ${body.number} is already invoiced: invoice ${invoice.id}`,
  );
  expect((await api.sandbox.post(`/estimates/${body.id}/void`)).status).toBe(400);
  expect((await api.sandbox.delete(`/estimates/${body.id}`)).status).toBe(400);
  const other = (await make()).body;
  const voided = await api.sandbox.post(`/estimates/${other.id}/void`);
  expect(voided).toMatchObject({ status: 200, body: { status: 'voided', closed: true } });
  expect((await api.sandbox.post(`/estimates/${other.id}/void`)).body.message).toBe('Estimate is already voided');
  expect((await toInvoice(other.id)).body.message).toBe(`Estimate ${other.number} is voided`);
  await clean();
});

test('two simultaneous requests make one invoice', async () => {
  const { body } = await make();
  const answers = await Promise.all([1, 2, 3].map(() => toInvoice(body.id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  expect((await api.sandbox.get(`/invoices?filter[customer]=${customer}`)).body).toHaveLength(1);
  await clean();
});

test.each<[what: string, more: object, param: string, message: string]>([
  ['a deposit beyond the total', { deposit: 100.01 }, 'deposit', 'more than the total of 100.00'],
  ['a deposit below zero', { deposit: -1 }, 'deposit', 'must not be negative'],
  ['a deposit in parts of a cent', { deposit: 1.005 }, 'deposit', 'at most 2 decimals'],
  [
    'an expiration before the date',
    { date: 1_800_000_000, expiration_date: 1_799_999_999 },
    'expiration_date',
    'before the date',
  ],
  ['a negative total', { items: line(-1) }, 'items', 'negative'],
  ['an unknown item', { items: [{ catalog_item: 'none' }] }, 'items[0][catalog_item]', 'not found'],
  ['unknown payment terms', { payment_terms: 'soon' }, 'payment_terms', 'must be NET'],
  ['a closed draft', { draft: true, closed: true }, 'closed', 'draft'],
  ['a sent draft', { draft: true, sent: true }, 'sent', 'draft'],
  ['an unknown file', { attachments: [999_999] }, 'attachments[0]', 'not found'],
  ['an unknown invoice', { invoice: 999_999 }, 'invoice', 'not found'],
])('a new estimate is refused: %s', async (_what, more, param, message) => {
  expect(await make(more)).toMatchObject(refused({ param, message: expect.stringContaining(message) }));
});

test('an estimate can name the invoice it became elsewhere, and no other estimate can name the same', async () => {
  const { body: invoice } = await api.sandbox.post('/invoices', { customer, items: line(100) });
  expect((await make({ invoice: invoice.id })).body).toMatchObject({
    invoice: invoice.id,
    status: 'invoiced',
    closed: true,
  });
  expect(await make({ invoice: invoice.id })).toMatchObject(refused({ param: 'invoice' }));
  await clean();
});

test('an estimate has the currency of its invoice, and another one is refused', async () => {
  const { body: invoice } = await api.sandbox.post('/invoices', { customer, currency: 'eur', items: line(100) });
  expect(await make({ invoice: invoice.id, currency: 'usd' })).toMatchObject(
    refused({ param: 'invoice', message: `Invoice ${invoice.number} is in eur, not usd` }),
  );
  expect((await make({ invoice: invoice.id })).body).toMatchObject({ invoice: invoice.id, currency: 'eur' });
  await clean();
});

test('the status is the first that applies', () => {
  const none = { voided: false, draft: false, invoiced: false, closed: false, approved: false, sent: false };
  const status = (...facts: (keyof typeof none)[]) =>
    estimateStatus({ ...none, ...Object.fromEntries(facts.map((fact) => [fact, true])) });
  expect([
    status('voided', 'draft', 'invoiced', 'closed', 'approved', 'sent'),
    status('draft', 'invoiced', 'closed', 'approved', 'sent'),
    status('invoiced', 'closed', 'approved', 'sent'),
    status('closed', 'sent'),
    status('closed', 'approved', 'sent'),
    status('approved', 'sent'),
    status('sent'),
    status(),
  ]).toEqual(['voided', 'draft', 'invoiced', 'declined', 'approved', 'approved', 'sent', 'not_sent']);
});

test('each change has an event with the previous values', async () => {
  const { body } = await make();
  await toInvoice(body.id);
  const { body: other } = await make();
  await api.sandbox.patch(`/estimates/${other.id}`, { sent: true, notes: 'Hello' });
  await api.sandbox.patch(`/estimates/${other.id}`, { notes: 'Hello' });
  await api.sandbox.post(`/estimates/${other.id}/void`);
  await api.sandbox.delete(`/estimates/${other.id}`);
  const told = async (id: number) =>
    (await api.sandbox.get(`/events?related_to=estimate,${id}`)).body
      .toReversed()
      .map(({ type, data }: { type: string; data: { previous?: object } }) => [type, data.previous]);
  expect(await told(body.id)).toEqual([
    ['estimate.created', undefined],
    ['estimate.updated', { invoice: null, closed: false, status: 'not_sent' }],
  ]);
  expect(await told(other.id)).toEqual([
    ['estimate.created', undefined],
    ['estimate.updated', { notes: null, status: 'not_sent' }],
    ['estimate.updated', { closed: false, status: 'sent' }],
    ['estimate.deleted', {}],
  ]);
  const [{ data }] = (await api.sandbox.get(`/events?related_to=estimate,${other.id}`)).body;
  expect(data.object).toMatchObject({ number: other.number, customer: { name: 'Asker' } });
});

test('files are listed in order, replaced by a list, and kept when omitted', async () => {
  const file = async (name: string) =>
    (await api.sandbox.make('/files', { url: `https://docs.example/${name}`, name })).id;
  const [first, second] = [await file('a.pdf'), await file('b.pdf')];
  const { body } = await make({ attachments: [second, first, second] });
  const listed = async () =>
    (await api.sandbox.get(`/estimates/${body.id}/attachments`)).body.map(
      (one: { file: { id: number } }) => one.file.id,
    );
  expect(await listed()).toEqual([second, first]);
  await api.sandbox.patch(`/estimates/${body.id}`, { notes: 'x' });
  expect(await listed()).toEqual([second, first]);
  expect((await api.sandbox.delete(`/files/${first}`)).body.message).toContain(`attached to estimate ${body.number}`);
  await api.sandbox.patch(`/estimates/${body.id}`, { attachments: [second] });
  expect(await listed()).toEqual([second]);
  expect((await api.sandbox.delete(`/files/${first}`)).status).toBe(204);
});
