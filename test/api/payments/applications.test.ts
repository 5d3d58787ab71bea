import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let customer: number;
let other: number;
beforeAll(async () => {
  api = await startApi({ gatewayDeadline: 300 });
  customer = (await api.sandbox.make('/customers', { name: 'Payer' })).id;
  other = (await api.sandbox.make('/customers', { name: 'Somebody else' })).id;
});
afterAll(() => api.close());

const invoiceOf = (amount: number, more: object = {}) =>
  api.sandbox.make('/invoices', { customer, items: [{ name: 'x', unit_cost: amount }], ...more });
const read = async (id: number) => (await api.sandbox.get(`/invoices/${id}`)).body;
const to = (invoice: number, amount: number) => ({ type: 'invoice', invoice, amount });
const pay = (amount: number, applied_to: object[], more: object = {}) =>
  api.sandbox.post('/payments', { customer, amount, applied_to, ...more });
const charge = (amount: number, applied_to: object[], more: object = {}) =>
  api.sandbox.post('/charges', {
    customer,
    method: 'credit_card',
    gateway_token: 'tok_4242424242424242',
    amount,
    applied_to,
    ...more,
  });

/** Invoices that a payment of 5.00 usd by the customer may not pay, with the messages. */
const wrong: [string, () => Promise<{ id: number; balance: number }>, string, string][] = [
  ["another customer's", () => invoiceOf(5, { customer: other }), 'invoice', 'was not found'],
  ['one of another currency', () => invoiceOf(5, { currency: 'eur' }), 'invoice', 'is in eur, not usd'],
  ['a voided one', voided, 'invoice', 'is voided'],
  ['a paid one', paid, 'invoice', 'is paid'],
  ['one that owes less', () => invoiceOf(4.99), 'amount', 'has a balance of 4.99'],
];

async function voided() {
  const { id } = await invoiceOf(5);
  return (await api.sandbox.post(`/invoices/${id}/void`)).body;
}

async function paid() {
  const { id } = await invoiceOf(5);
  await pay(5, [to(id, 5)]);
  return read(id);
}

test.each(wrong)(
  '%s is not paid: the application is named, and nothing is recorded',
  async (_what, make, field, why) => {
    const good = await invoiceOf(5);
    const bad = await make();
    const applied = [to(good.id, 5), to(bad.id, 5)];
    const before = (await api.sandbox.get('/payments')).headers.get('X-Total-Count');
    for (const refusal of [await pay(10, applied), await charge(10, applied)]) {
      const message = expect.stringContaining(why);
      expect(refusal).toMatchObject(refused({ param: `applied_to[1][${field}]`, message }));
    }
    expect((await api.sandbox.get('/payments')).headers.get('X-Total-Count')).toBe(before);
    expect([await read(good.id), await read(bad.id)]).toEqual([good, bad]);
  },
);

test('one payment pays several invoices, in whole and in part, and keeps the rest unapplied', async () => {
  const [whole, part] = [await invoiceOf(20), await invoiceOf(30)];
  const { body } = await pay(60, [to(whole.id, 20), to(part.id, 12.5)]);
  expect(body.balance).toBe(27.5); // 60 - 20 - 12.50
  const { applied_to } = (await api.sandbox.get(`/payments/${body.id}?include=applied_to`)).body;
  const known = { object: 'payment_application', type: 'invoice', estimate: null, credit_note: null };
  expect(applied_to).toMatchObject([
    { ...known, id: expect.any(Number), invoice: whole.id, amount: 20 },
    { ...known, id: applied_to[0].id + 1, invoice: part.id, amount: 12.5 },
  ]);
  expect(await read(whole.id)).toMatchObject({ balance: 0, paid: true, closed: true, status: 'paid' });
  expect(await read(part.id)).toMatchObject({ balance: 17.5, paid: false, closed: false, status: 'not_sent' });
  const { body: charged } = await charge(20, [to(part.id, 17.5)]);
  expect(charged).toMatchObject({ amount: 20, balance: 2.5, charge: { amount: 20 } });
  expect(await read(part.id)).toMatchObject({ balance: 0, paid: true, closed: true, status: 'paid' });
});

test('an invoice with an application cannot be voided until the application is taken off', async () => {
  const { sandbox } = api;
  const invoice = await invoiceOf(10);
  const { body: payment } = await pay(1, [to(invoice.id, 1)]);
  expect(await sandbox.post(`/invoices/${invoice.id}/void`)).toMatchObject(
    refused({ message: expect.stringContaining('payments applied') }),
  );
  expect(await read(invoice.id)).toMatchObject({ balance: 9, status: 'not_sent' });
  await sandbox.delete(`/payments/${payment.id}`);
  expect(await sandbox.post(`/invoices/${invoice.id}/void`)).toMatchObject({ status: 200, body: { status: 'voided' } });
});

test('an invoice whose charge has no outcome cannot be voided', async () => {
  const invoice = await invoiceOf(9);
  const { body } = await charge(9, [to(invoice.id, 9)], { gateway_token: 'tok_4000000000000119' });
  expect(body.charge.status).toBe('pending');
  expect(await api.sandbox.post(`/invoices/${invoice.id}/void`)).toMatchObject(
    refused({ message: expect.stringContaining('in progress') }),
  );
  expect((await read(invoice.id)).status).toBe('pending');
});

test('an invoice has one currency: items of another are refused, items of its own accepted', async () => {
  await api.sandbox.post('/items', { id: 'euro', name: 'E', currency: 'eur', unit_cost: 3 });
  const items = [{ unit_cost: 1 }, { catalog_item: 'euro' }];
  expect(await api.sandbox.post('/invoices', { customer, items })).toMatchObject(
    refused({ param: 'items[1][catalog_item]', message: expect.stringContaining('eur, not usd') }),
  );
  expect((await invoiceOf(0, { currency: 'EUR', items })).total).toBe(4);
});

test("a charge uses the account's currency by default", async () => {
  expect((await charge(3, [])).body).toMatchObject({ currency: 'usd', balance: 3, charge: { currency: 'usd' } });
  const euro = await charge(3, [], { currency: 'EUR' });
  expect(euro.body).toMatchObject({ currency: 'eur', charge: { currency: 'eur', gateway_id: expect.any(String) } });
});

test('a payment can have at most a thousand applications', async () => {
  const rows = Array.from({ length: 1001 }, (_, n) => to(n + 1, 0.01));
  expect(await pay(100, rows)).toMatchObject(
    refused({ param: 'applied_to', message: 'Applied to may have at most 1000 elements' }),
  );
  expect((await pay(100, rows.slice(1))).body.param).toMatch(/^applied_to\[\d+\]/);
  const { id } = await invoiceOf(5);
  expect(await pay(5, [to(id, 1), to(id, 1)])).toMatchObject(refused({ param: 'applied_to' }));
});

test.each([
  ['method', 'ach cash check credit_card eft direct_debit other online_wallet wire_transfer'],
  ['source', 'keyed api bank_feed'],
])('every %s is accepted', async (name, words) => {
  for (const word of words.split(' ')) {
    expect(await pay(1, [], { [name]: word })).toMatchObject({ status: 201, body: { [name]: word } });
  }
});
