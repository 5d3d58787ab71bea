import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  customer = (await api.sandbox.make('/customers', { name: 'Payer' })).id;
});
afterAll(() => api.close());

const clean = async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]);
const rows = (sql: string, values: unknown[] = []) => api.em.fork().execute(sql, values);
async function invoiceOf(amount: number, more: object = {}): Promise<number> {
  const asked = { customer, items: [{ name: 'x', unit_cost: amount }], ...more };
  return (await api.sandbox.make('/invoices', asked)).id;
}
const on = (invoice: number, amount: number) => ({ type: 'invoice', invoice, amount });
const paymentOf = (amount: number, ...applied_to: object[]) =>
  api.sandbox.make('/payments', { customer, amount, applied_to });
const balanceOf = async (invoice: number) => (await api.sandbox.get(`/invoices/${invoice}`)).body;
const lastEvent = async (type: string, id: number) =>
  (
    await rows('select type, previous from event where subject_type = ? and subject_id = ? order by id desc limit 1', [
      type,
      String(id),
    ])
  )[0] ?? {};
const eventsOf = async (type: string, id: number) =>
  (await rows('select type from event where subject_type = ? and subject_id = ? order by id', [type, String(id)]))
    .length;
/** Ledger entries of a payment in one ledger account. */
const inLedger = async (payment: number, account: string) =>
  rows(
    `select currency, customer_id as customer, sum(amount)::float8 as amount from ledger_entry
     where payment_id = ? and ledger_account = ? group by 1, 2 having sum(amount) <> 0 order by 1, 2`,
    [payment, account],
  );

test('applied_to replaces applications: one invoice reopens, one stays, one is paid', async () => {
  const [first, second, third] = [await invoiceOf(50), await invoiceOf(30), await invoiceOf(20)];
  const payment = await paymentOf(100, on(first, 50), on(second, 30)); // 100 - 50 - 30 = 20
  expect(payment.balance).toBe(20);
  const untouched = await eventsOf('invoice', second);
  const changed = await api.sandbox.patch(`/payments/${payment.id}`, { applied_to: [on(second, 30), on(third, 15)] });
  expect(changed).toMatchObject({ status: 200, body: { amount: 100, balance: 55 } }); // 100 - 30 - 15
  expect(await balanceOf(first)).toMatchObject({ balance: 50, paid: false, closed: false });
  expect(await balanceOf(second)).toMatchObject({ balance: 0, paid: true });
  expect(await balanceOf(third)).toMatchObject({ balance: 5, paid: false }); // 20 - 15
  expect(await eventsOf('invoice', second)).toBe(untouched);
  // The third invoice had been suggested for the 20 that were left.
  const previous = { balance: 20, matched: true };
  expect(await lastEvent('payment', payment.id)).toEqual({ type: 'payment.updated', previous });
  expect((await lastEvent('invoice', first)).type).toBe('invoice.updated');

  await api.sandbox.patch(`/payments/${payment.id}`, { applied_to: [on(second, 30), on(third, 20)] });
  expect(await balanceOf(third)).toMatchObject({ balance: 0, paid: true });
  expect((await lastEvent('invoice', third)).type).toBe('invoice.paid');
  const included = await api.sandbox.get(`/payments/${payment.id}?include=applied_to`);
  expect(included.body).toMatchObject({ balance: 50, applied_to: [on(second, 30), on(third, 20)] }); // 100 - 30 - 20
  await clean();
});

test('amount, date and notes can change while the applications stay', async () => {
  const invoice = await invoiceOf(80);
  const payment = await paymentOf(100, on(invoice, 80));
  const path = `/payments/${payment.id}`;
  const changed = await api.sandbox.patch(path, { amount: 90, date: 1_800_000_000, notes: 'less' });
  expect(changed.body).toMatchObject({ amount: 90, balance: 10, date: 1_800_000_000, notes: 'less' }); // 90 - 80
  const { previous } = await lastEvent('payment', payment.id);
  expect(previous).toEqual({ amount: 100, balance: 20, date: payment.date, notes: null });
  expect(await inLedger(payment.id, 'cash')).toEqual([{ currency: 'usd', customer, amount: 90 }]); // 100 - 100 + 90
  const dated = await rows(
    `select ledger_account as account, sum(amount)::float8 as amount from ledger_entry
     where payment_id = ? and document_at = to_timestamp(1800000000) group by 1 order by 1`,
    [payment.id],
  );
  const books = { cash: 90, receivable: -80, unapplied: -10 };
  expect(dated).toEqual(Object.entries(books).map(([account, amount]) => ({ account, amount })));
  expect(await balanceOf(invoice)).toMatchObject({ balance: 0, paid: true });
  await clean();
  expect(await api.sandbox.patch(path, { amount: 79.99 })).toMatchObject(
    refused({ param: 'amount', message: 'Amount of 79.99 is less than the 80.00 that are applied' }),
  );
  expect(await api.sandbox.patch(path, { amount: 70, applied_to: [on(invoice, 75)] })).toMatchObject(
    refused({ param: 'applied_to', message: 'Applications of 75.00 exceed the amount of 70.00' }),
  );
  expect((await api.sandbox.get(path)).body).toEqual(changed.body);
  // 70 of 80: the invoice owes 10 again.
  expect((await api.sandbox.patch(path, { amount: 70, applied_to: [on(invoice, 70)] })).body.balance).toBe(0);
  expect(await balanceOf(invoice)).toMatchObject({ balance: 10, paid: false });
  await clean();
});

test('a payment can get its customer, another customer and another currency, and postings follow', async () => {
  const { body: payment } = await api.sandbox.post('/payments', { amount: 10 });
  const path = `/payments/${payment.id}`;
  const invoice = await invoiceOf(10);
  const given = await api.sandbox.patch(path, { customer, applied_to: [on(invoice, 10)] });
  expect(given).toMatchObject({ status: 200, body: { customer, balance: 0 } });
  expect(await inLedger(payment.id, 'cash')).toEqual([{ currency: 'usd', customer, amount: 10 }]);
  for (const [param, value] of Object.entries({ customer: null, currency: 'eur' })) {
    expect(await api.sandbox.patch(path, { [param]: value })).toMatchObject(refused({ param }));
  }
  const foreign = { currency: 'eur', applied_to: [on(invoice, 10)] };
  expect(await api.sandbox.patch(path, foreign)).toMatchObject(refused({ param: 'applied_to[0][invoice]' }));
  const other = (await api.sandbox.make('/customers', { name: 'Other' })).id;
  const taken = await api.sandbox.patch(path, { customer: other, applied_to: [on(invoice, 10)] });
  expect(taken).toMatchObject(refused({ param: 'applied_to[0][invoice]' }));
  const moved = await api.sandbox.patch(path, { customer: other, currency: 'jpy', amount: 1500, applied_to: [] });
  expect(moved.body).toMatchObject({ customer: other, currency: 'jpy', amount: 1500, balance: 1500 });
  expect(await inLedger(payment.id, 'cash')).toEqual([{ currency: 'jpy', customer: other, amount: 1500 }]);
  expect(await balanceOf(invoice)).toMatchObject({ balance: 10, paid: false });
  expect((await lastEvent('payment', payment.id)).previous).toMatchObject({
    customer: { id: customer },
    currency: 'usd',
  });
  await clean();
});

test('a processed payment keeps amount, currency, method and customer; its applications can change', async () => {
  const [first, second] = [await invoiceOf(25), await invoiceOf(25)];
  const charge = { customer, amount: 25, method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const { body: payment } = await api.sandbox.post('/charges', { ...charge, applied_to: [on(first, 25)] });
  const path = `/payments/${payment.id}`;
  for (const [param, value] of Object.entries({ amount: 30, currency: 'eur', method: 'check', customer: null })) {
    const sent = { [param]: value, applied_to: [] };
    expect(await api.sandbox.patch(path, sent)).toMatchObject(refused({ param }));
  }
  const changed = await api.sandbox.patch(path, { applied_to: [on(second, 25)], date: 1_800_000_000 });
  expect(changed).toMatchObject({ status: 200, body: { balance: 0, charge: { status: 'succeeded' } } });
  expect(await balanceOf(first)).toMatchObject({ balance: 25, paid: false });
  expect(await balanceOf(second)).toMatchObject({ balance: 0, paid: true });
  expect(await inLedger(payment.id, 'clearing:test')).toEqual([{ currency: 'usd', customer, amount: 25 }]);
  await clean();
});

test('a voided payment cannot change, and no invoice takes more than it owes', async () => {
  const invoice = await invoiceOf(5);
  const payment = await paymentOf(10);
  const path = `/payments/${payment.id}`;
  const much = await api.sandbox.patch(path, { applied_to: [on(invoice, 6)] });
  expect(much).toMatchObject(refused({ param: 'applied_to[0][amount]' }));
  const twice = await api.sandbox.patch(path, { applied_to: [on(invoice, 2), on(invoice, 1)] });
  expect(twice).toMatchObject(refused({ param: 'applied_to' }));
  await api.sandbox.delete(path);
  expect(await api.sandbox.patch(path, { notes: 'x' })).toMatchObject(refused({ message: 'Payment is voided' }));
  await clean();
});
