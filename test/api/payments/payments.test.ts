import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Payer' })).id;
});
afterAll(() => api.close());

const invoiceOf = (amount: number) =>
  api.sandbox.make('/invoices', { customer, items: [{ name: 'x', unit_cost: amount }] });

test('a payment can be recorded, applied, read and voided', async () => {
  const { sandbox } = api;
  const invoice = await invoiceOf(80);
  const applied = [{ type: 'invoice', invoice: { id: invoice.id }, amount: 80 }];
  const asked = { customer, amount: 100, method: 'check', reference: '1042', date: 1_800_000_000, notes: 'by post' };
  const created = await sandbox.post('/payments', { ...asked, applied_to: applied });
  expect(created.status).toBe(201);
  expect(missingFields('payment', created.body)).toEqual([]);
  const known = {
    object: 'payment',
    ...asked,
    currency: 'usd',
    source: 'keyed',
    voided: false,
    charge: null,
    matched: false,
  };
  expect(created.body).toMatchObject({ ...known, balance: 20 });
  expect((await sandbox.get(`/invoices/${invoice.id}`)).body).toMatchObject({ balance: 0, paid: true, status: 'paid' });

  const path = `/payments/${created.body.id}`;
  expect((await sandbox.get(path)).body).toEqual(created.body);
  const { body: included } = await sandbox.get(`${path}?include=applied_to&expand=customer`);
  expect(missingFields('application', included.applied_to[0])).toEqual([]);
  expect(included.applied_to).toMatchObject([{ type: 'invoice', invoice: invoice.id, amount: 80 }]);
  expect(included.customer).toMatchObject({ object: 'customer', id: customer });

  const voided = await sandbox.delete(path);
  expect(voided).toMatchObject({ status: 200, body: { voided: true, balance: 0 } });
  expect((await sandbox.get(`/invoices/${invoice.id}`)).body).toMatchObject({ balance: 80, paid: false });
  expect((await sandbox.delete(path)).status).toBe(400);
});

test('a payment without a customer pays nothing', async () => {
  const { body } = await api.sandbox.post('/payments', { amount: 10 });
  expect(body).toMatchObject({ customer: null, balance: 10, method: 'other' });
  for (const application of [{ type: 'credit' }, { type: 'invoice', invoice: 999_999 }]) {
    const applied_to = [{ ...application, amount: 10 }];
    const refusal = await api.sandbox.post('/payments', { amount: 10, applied_to });
    expect(refusal).toMatchObject(refused({ param: 'applied_to' }));
  }
});

test('a payment gets the customer of its invoices, at once or later; several customers are refused', async () => {
  const { sandbox } = api;
  const [one, two] = [await invoiceOf(10), await invoiceOf(20)];
  const pays = (...invoices: { id: number; total: number }[]) =>
    invoices.map(({ id, total }) => ({ type: 'invoice', invoice: id, amount: total }));
  const made = await sandbox.post('/payments', { amount: 40, applied_to: pays(one, two) });
  expect(made).toMatchObject({ status: 201, body: { customer, amount: 40, balance: 10 } });
  expect((await sandbox.get(`/invoices/${two.id}`)).body).toMatchObject({ paid: true });
  const { body: other } = await sandbox.post('/customers', { name: 'Other' });
  const { body: theirs } = await sandbox.post('/invoices', { customer: other.id, items: [{ unit_cost: 7 }] });
  const { body: unknown } = await sandbox.post('/payments', { amount: 50 });
  const ours = await invoiceOf(30);
  const several = { amount: 50, applied_to: pays(ours, theirs) };
  const message = expect.stringContaining('several customers');
  for (const refusal of [
    await sandbox.post('/payments', several),
    await sandbox.patch(`/payments/${unknown.id}`, several),
    await sandbox.patch(`/payments/${made.body.id}`, { applied_to: [] }).then(() => sandbox.post('/payments', several)),
  ]) {
    expect(refusal).toMatchObject(refused({ param: 'customer', message }));
  }
  const found = await sandbox.patch(`/payments/${unknown.id}`, { applied_to: pays(theirs) });
  expect(found).toMatchObject({ status: 200, body: { customer: other.id, balance: 43 } });
  // A payment keeps its customer once it has one.
  const stays = await sandbox.patch(`/payments/${unknown.id}`, { applied_to: pays(ours) });
  expect(stays).toMatchObject(refused({ param: 'applied_to[0][invoice]' }));
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('payments are listed by date, with applications on request', async () => {
  const { body: yen } = await api.sandbox.post('/payments', { amount: 500, currency: 'JPY', date: 1_700_000_000 });
  const before = await api.sandbox.get('/payments?end_date=1700000000&include=applied_to');
  expect(before.body).toEqual([{ ...yen, applied_to: [] }]);
  expect(yen).toMatchObject({ currency: 'jpy', amount: 500 });
  const after = await api.sandbox.get('/payments?start_date=1700000001');
  expect(after.body.map((payment: { id: number }) => payment.id)).not.toContain(yen.id);
});

test.each([
  [{ amount: undefined }, 'amount', 'Amount missing'],
  [{ amount: 0 }, 'amount', 'Amount must be greater than 0'],
  [{ amount: -5 }, 'amount', 'Amount must be greater than 0'],
  [{ amount: 'ten' }, 'amount', 'Amount must be a number'],
  [{ amount: 1_000_000_000_000 }, 'amount', 'Amount must be below 1000000000000'],
  [{ amount: 1.005 }, 'amount', 'Amounts in usd have at most 2 decimals: 1.005'],
  [{ amount: 1.5, currency: 'jpy' }, 'amount', 'Amounts in jpy have at most 0 decimals: 1.5'],
  [{ method: 'barter' }, 'method', expect.stringContaining('Method must be one of ach, cash, check')],
  [{ customer: 4711 }, 'customer', 'Customer was not found: 4711'],
  [{ applied_to: [{ amount: 1 }] }, 'applied_to[0][type]', 'Type missing'],
  [{ applied_to: [{ type: 'invoice', amount: 1 }] }, 'applied_to[0][invoice]', 'Invoice missing'],
  [
    { applied_to: [{ type: 'convenience_fee', amount: 1 }] },
    'applied_to[0][type]',
    'A convenience fee is only taken by a charge of a credit card',
  ],
  [
    { applied_to: [{ type: 'invoice', invoice: 4711, amount: 1 }] },
    'applied_to[0][invoice]',
    'Invoice was not found: 4711',
  ],
  [
    { applied_to: [{ type: 'invoice', invoice: 1, amount: 11 }] },
    'applied_to',
    'Applications of 11.00 exceed the amount of 10',
  ],
  [{ amout: 3 }, 'amout', 'Unknown field amout; did you mean amount?'],
])('%j is refused, naming %s', async (body, param, message) => {
  const answer = await api.sandbox.post('/payments', { customer, amount: 10, ...body });
  expect(answer).toMatchObject(refused({ param, message }));
});

test('an application beyond what an invoice owes is refused with its balance', async () => {
  const invoice = await invoiceOf(5);
  const applied = [{ type: 'invoice', invoice: invoice.id, amount: 6 }];
  const answer = await api.sandbox.post('/payments', { customer, amount: 10, applied_to: applied });
  expect(answer).toMatchObject(refused({ param: 'applied_to[0][amount]', message: expect.stringContaining('5.00') }));
});
