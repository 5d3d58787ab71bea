import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../bin/audit.ts';
import { runAttempt } from '../../commands/attempts.ts';
import { systemCaller } from '../../commands/caller.ts';
import { startAutomaticCharge } from '../../commands/charges.ts';
import { lockInvoice } from '../../commands/invoiceMoment.ts';
import { inTransaction } from '../../db/transaction.ts';
import { startApi, type TestApi } from '../support/api.ts';

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  customer = (await api.sandbox.post('/customers', { name: 'Payer' })).body.id;
});
afterAll(() => api.close());

const clean = async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]);
const rows = (sql: string, values: unknown[] = []) => api.em.fork().execute(sql, values);
async function invoiceOf(amount: number, more: object = {}): Promise<number> {
  const asked = { customer, items: [{ name: 'x', unit_cost: amount }], ...more };
  return (await api.sandbox.post('/invoices', asked)).body.id;
}
const on = (invoice: number, amount: number) => ({ type: 'invoice', invoice, amount });
const paymentOf = async (amount: number, ...applied_to: object[]) =>
  (await api.sandbox.post('/payments', { customer, amount, applied_to })).body;
const balanceOf = async (invoice: number) => (await api.sandbox.get(`/invoices/${invoice}`)).body;

test('what is unapplied from an invoice on AutoPay is collected again', async () => {
  await api.sandbox.patch(`/customers/${customer}`, { autopay: true });
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await api.sandbox.post(`/customers/${customer}/payment_sources`, card);
  const invoice = await invoiceOf(40, { autopay: true });
  const payment = await paymentOf(40, on(invoice, 40));
  const wakes = () =>
    rows(`select rule from wakeup where process = 'invoice' and subject_id = ? and rule = 'attempt'`, [invoice]);
  expect(await wakes()).toEqual([]);
  await api.sandbox.patch(`/payments/${payment.id}`, { applied_to: [] });
  expect(await wakes()).toEqual([{ rule: 'attempt' }]);
  expect((await balanceOf(invoice)).next_payment_attempt).not.toBeNull();
  await clean();
});

/** An invoice over 40 on AutoPay, with a charge begun that nobody has confirmed yet. */
async function beingCharged(): Promise<{ invoice: number; run: () => Promise<unknown> }> {
  const accountId = api.sandbox.account.id;
  await api.sandbox.patch(`/customers/${customer}`, { autopay: true });
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await api.sandbox.post(`/customers/${customer}/payment_sources`, card);
  const invoice = await invoiceOf(40, { autopay: true });
  const { id } = await inTransaction(api.em, async (em) => {
    const at = await lockInvoice(em, { caller: await systemCaller(em, accountId), id: invoice }, new Date());
    return startAutomaticCharge(em, at, { lookUpDelay: 60_000 });
  });
  return { invoice, run: () => runAttempt({ ...api.deps, em: api.em }, { accountId, id }) };
}

const charged = async () =>
  (
    await rows(
      `select coalesce(sum(amount), 0)::float8 as sum from charge where customer_id = ? and status = 'succeeded'`,
      [customer],
    )
  )[0]?.sum;

test.each(['before', 'at the same time as', 'after'])(
  'a payment is applied %s AutoPay charges: no money is lost',
  async (order) => {
    const payment = await paymentOf(100);
    const { invoice, run } = await beingCharged();
    const apply = () => api.sandbox.patch(`/payments/${payment.id}`, { applied_to: [on(invoice, 15)] });
    if (order === 'at the same time as') await Promise.all([apply(), run()]);
    else for (const step of order === 'before' ? [apply, run] : [run, apply]) await step();
    const { body } = await api.sandbox.get(`/payments/${payment.id}`);
    const [charge] = await rows(
      'select amount::float8 as amount, balance::float8 as balance from payment where customer_id = ? and charge_id is not null',
      [customer],
    );
    const left = charge ? charge.balance : 0;
    const owed = (await balanceOf(invoice)).balance;
    // What both payments have applied, and what is still owed, is the invoice: 40.
    expect(100 - body.balance + ((charge?.amount ?? 0) - left) + owed).toBe(40);
    expect(await charged()).toBe(charge?.amount ?? 0);
    await clean();
  },
);

test('a payment is taken off an invoice while AutoPay charges what was left of it: the rest is owed again', async () => {
  const { invoice, run } = await beingCharged();
  const payment = await paymentOf(15, on(invoice, 15));
  await api.sandbox.patch(`/payments/${payment.id}`, { applied_to: [] });
  await clean();
  await run();
  // The charge was begun over 40, and 40 are owed.
  expect(await balanceOf(invoice)).toMatchObject({ balance: 0, paid: true });
  expect(await charged()).toBe(40);
  await clean();
});
