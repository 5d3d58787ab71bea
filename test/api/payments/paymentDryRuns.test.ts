import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';

/** Payments that are tried before they are recorded, changed or voided: what they would leave of their invoices, and that nothing is stored. */

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Payer' })).id;
});
afterAll(() => api.close());

const invoiceOf = (amount: number) =>
  api.sandbox.make('/invoices', { customer, items: [{ name: 'x', unit_cost: amount }] });

const balanceOf = async (id: number) => (await api.sandbox.get(`/invoices/${id}`)).body.balance;

test('a payment that is tried shows what its invoices would owe, and stores nothing', async () => {
  const { sandbox } = api;
  const [paid, part] = [await invoiceOf(80), await invoiceOf(50)];
  const before = (await sandbox.get('/payments')).body.length;
  const body = {
    customer,
    amount: 100,
    applied_to: [
      { type: 'invoice', invoice: paid.id, amount: 80 },
      { type: 'invoice', invoice: part.id, amount: 15 },
    ],
  };
  const { status, body: tried } = await sandbox.post('/payments?dry_run=true', body);
  expect(status).toBe(200);
  // 100 - 80 - 15 = 5; 80 - 80 = 0; 50 - 15 = 35
  expect(tried.payment).toMatchObject({ id: null, receipt_number: null, amount: 100, balance: 5, customer });
  expect(tried.payment.applied_to).toMatchObject([
    { id: null, invoice: paid.id, amount: 80 },
    { id: null, invoice: part.id, amount: 15 },
  ]);
  expect(tried.invoices).toMatchObject([
    { id: paid.id, number: paid.number, balance_before: 80, balance: 0, status_before: 'not_sent', status: 'paid' },
    { id: part.id, balance_before: 50, balance: 35, status: 'not_sent' },
  ]);
  expect((await sandbox.get('/payments')).body).toHaveLength(before);
  expect([await balanceOf(paid.id), await balanceOf(part.id)]).toEqual([80, 50]);

  const made = await sandbox.make('/payments', body);
  expect([made.balance, await balanceOf(paid.id), await balanceOf(part.id)]).toEqual([5, 0, 35]);
});

test('money that is moved shows the invoice that owes again, and the one that it pays', async () => {
  const { sandbox } = api;
  const [first, second] = [await invoiceOf(40), await invoiceOf(60)];
  const applied_to = [{ type: 'invoice', invoice: first.id, amount: 40 }];
  const { id } = await sandbox.make('/payments', { customer, amount: 40, applied_to });
  const moved = { applied_to: [{ type: 'invoice', invoice: second.id, amount: 40 }] };
  const { body } = await sandbox.patch(`/payments/${id}?dry_run=true`, moved);
  expect(body.payment).toMatchObject({ id, balance: 0 });
  expect(body.invoices).toMatchObject([
    { id: first.id, balance_before: 0, balance: 40, status_before: 'paid', status: 'not_sent' },
    { id: second.id, balance_before: 60, balance: 20 },
  ]);
  const { body: voided } = await sandbox.delete(`/payments/${id}?dry_run=true`);
  expect(voided.payment).toMatchObject({ id, voided: true });
  expect(voided.invoices).toMatchObject([{ id: first.id, balance_before: 0, balance: 40 }]);
  expect((await sandbox.get(`/payments/${id}`)).body).toMatchObject({ voided: false, amount: 40 });
  expect([await balanceOf(first.id), await balanceOf(second.id)]).toEqual([0, 60]);
});

test('what the payment would be refused for, its dry run is refused for', async () => {
  const { sandbox } = api;
  const { id } = await invoiceOf(40);
  const applied_to = [{ type: 'invoice', invoice: id, amount: 41 }];
  const tried = await sandbox.post('/payments?dry_run=true', { customer, amount: 50, applied_to });
  const made = await sandbox.post('/payments', { customer, amount: 50, applied_to });
  expect(tried).toMatchObject(refused({ code: 'amount_too_large', param: 'applied_to[0][amount]' }));
  expect(tried.body).toEqual(made.body);
  const counted = await sandbox.post('/payments?dry_run=2', { amount: 50 });
  expect(counted).toMatchObject(refused({ param: 'dry_run' }));
});

test('a transfer that its bank took back shows which invoice would be owed again; a refund leaves it paid', async () => {
  const { sandbox } = api;
  const { id: invoice } = await invoiceOf(40);
  const applied_to = [{ type: 'invoice', invoice, amount: 40 }];
  const { id } = await sandbox.make('/payments', { customer, amount: 50, applied_to });
  const body = { payment: id, amount: 25, method: 'wire_transfer' };
  // 10 are not applied; the other 15 leave the invoice: 0 + 15 = 15
  const { body: returned } = await sandbox.post('/refunds?dry_run=true', { ...body, returned: true });
  expect(returned.payment).toMatchObject({ id, balance: 0 });
  expect(returned.invoices).toMatchObject([{ id: invoice, balance_before: 0, balance: 15 }]);
  const { body: refundedOnly } = await sandbox.post('/refunds?dry_run=true', body);
  expect(refundedOnly.payment).toMatchObject({ id, balance: 0, amount_refunded: 25 });
  expect(refundedOnly.invoices).toMatchObject([{ id: invoice, balance: 0, status: 'paid' }]);
  expect((await sandbox.get(`/payments/${id}`)).body).toMatchObject({ balance: 10, amount_refunded: 0 });
  const paidOut = await sandbox.post('/refunds?dry_run=true', { customer, amount: 1, method: 'check' });
  expect(paidOut.status).toBe(400); // there is no credit
});

test('suggestions say their reasons in the language of the request', async () => {
  const { sandbox } = api;
  const { number } = await invoiceOf(73.31);
  const payment = await sandbox.make('/payments', { amount: 73.31, reference: `for ${number}` });
  const { body } = await sandbox.request('GET', `/payments/${payment.id}/matches`, undefined, {
    'accept-language': 'de',
  });
  expect(body[0].reasons).toEqual([
    `Verwendungszweck oder Notizen nennen ${number}`,
    `Der Betrag ist der offene Betrag von ${number}`,
  ]);
});
