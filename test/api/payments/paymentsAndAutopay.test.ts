import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { lockInvoice } from '../../../commands/aggregates/invoice.ts';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import { automaticSource } from '../../../commands/charges/automaticSource.ts';
import { startAutomaticCharge } from '../../../commands/charges/charges.ts';
import { systemCaller } from '../../../commands/kernel/caller.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';

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

test('AutoPay collects again what is unapplied from its invoice', async () => {
  await giveCard();
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

async function giveCard(): Promise<void> {
  await api.sandbox.patch(`/customers/${customer}`, { autopay: true });
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await api.sandbox.post(`/customers/${customer}/payment_sources`, card);
}

/** Creates an invoice over 40 on AutoPay with a started, unconfirmed charge. */
async function beingCharged(): Promise<{ invoice: number; run: () => Promise<unknown> }> {
  await giveCard();
  const invoice = await invoiceOf(40, { autopay: true });
  return { invoice, run: await started(invoice) };
}

/** Starts the automatic charge of an invoice. Returns what confirms it. */
async function started(invoice: number): Promise<() => Promise<unknown>> {
  const accountId = api.sandbox.account.id;
  const { id } = await inTransaction(api.em, async (em) => {
    const at = await lockInvoice(em, { caller: await systemCaller(em, accountId), id: invoice }, new Date());
    const charged = await automaticSource(em, at, null);
    if (!charged) throw new Error('no source');
    return startAutomaticCharge(em, at, { lookUpDelay: 60_000, ...charged });
  });
  return () => runAttempt({ ...api.deps, em: api.em }, { accountId, id });
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
    // The applied amounts of both payments and the balance add up to the invoice: 40.
    expect(100 - body.balance + ((charge?.amount ?? 0) - left) + owed).toBe(40);
    expect(await charged()).toBe(charge?.amount ?? 0);
    await clean();
  },
);

test('a payment taken off an invoice while AutoPay charges the remainder is owed again', async () => {
  const { invoice, run } = await beingCharged();
  const payment = await paymentOf(15, on(invoice, 15));
  await api.sandbox.patch(`/payments/${payment.id}`, { applied_to: [] });
  await clean();
  await run();
  // The charge was started over 40, and 40 are owed.
  expect(await balanceOf(invoice)).toMatchObject({ balance: 0, paid: true });
  expect(await charged()).toBe(40);
  await clean();
});

const creditOf = async () => (await api.sandbox.get(`/customers/${customer}/balance`)).body.available_credits;
const adjust = (amount: number) => api.sandbox.post('/credit_balance_adjustments', { customer, amount });

test.each(['before', 'at the same time as', 'after'])(
  'a credit note for an invoice is issued %s AutoPay charges it: nothing is paid twice, and nothing is lost',
  async (order) => {
    const { invoice, run } = await beingCharged();
    const credit = () => api.sandbox.post('/credit_notes', { customer, invoice, items: [{ unit_cost: 15 }] });
    if (order === 'at the same time as') await Promise.all([credit(), run()]);
    else for (const step of order === 'before' ? [credit, run] : [run, credit]) await step();
    expect(await balanceOf(invoice)).toMatchObject({ balance: 0, paid: true });
    expect(await charged()).toBe(40);
    const [payment] = await rows(
      'select balance::float8 as balance from payment where customer_id = ? and charge_id is not null',
      [customer],
    );
    // 40 + 15 for an invoice of 40: the later payment has 15 left, unapplied or as credit.
    const surplus = [payment?.balance, await creditOf()];
    const first = [15, 0];
    if (order === 'at the same time as') expect(surplus.toSorted()).toEqual([0, 15]);
    else expect(surplus).toEqual(order === 'before' ? first : first.toReversed());
    await clean();
  },
);

test('credit taken back while AutoPay charges the rest of the invoice is collected too', async () => {
  await adjust(15);
  const { invoice, run } = await beingCharged();
  expect((await balanceOf(invoice)).balance).toBe(25); // 40 - 15
  const [{ id } = { id: 0 }] = await rows('select payment_id as id from payment_application where invoice_id = ?', [
    invoice,
  ]);
  expect((await api.sandbox.delete(`/payments/${id}`)).status).toBe(200);
  await run();
  expect(await charged()).toBe(25);
  expect(await balanceOf(invoice)).toMatchObject({ balance: 15, paid: false, closed: false }); // 40 - 25
  expect(await creditOf()).toBe(15);
  const waits = await rows(`select rule from wakeup where process = 'invoice' and subject_id = ?`, [invoice]);
  expect(waits).toEqual([{ rule: 'attempt' }]);
  await clean();
});

test.each([1, 2, 3])(
  'an invoice is issued while it is asked to be charged, twice: credit pays first, a charge the rest, once (%i)',
  async () => {
    await adjust(15);
    await giveCard();
    const invoice = await invoiceOf(40, { autopay: true, draft: true });
    const pay = () => api.sandbox.post(`/invoices/${invoice}/pay`);
    const [issued, ...paid] = await Promise.all([
      api.sandbox.patch(`/invoices/${invoice}`, { draft: false }),
      pay(),
      pay(),
    ]);
    expect(issued.status).toBe(200);
    const succeeded = paid.filter(({ status }) => status === 200).length;
    expect(succeeded).toBeLessThanOrEqual(1);
    expect(await charged()).toBe(25 * succeeded); // 40 - 15
    expect((await balanceOf(invoice)).balance).toBe(25 - 25 * succeeded);
    expect(await creditOf()).toBe(0);
    if (succeeded === 0) expect((await pay()).status).toBe(200);
    expect(await balanceOf(invoice)).toMatchObject({ balance: 0, paid: true });
    expect(await charged()).toBe(25);
    await clean();
  },
);

test('AutoPay charges what is left after a part was written off', async () => {
  await giveCard();
  const invoice = await invoiceOf(40, { autopay: true });
  await paymentOf(10, on(invoice, 10));
  expect((await api.sandbox.post(`/invoices/${invoice}/write_off`, { amount: 5, reason: 'Goodwill' })).status).toBe(
    200,
  );
  const run = await started(invoice);
  await run();
  expect(await charged()).toBe(25); // 40 - 10 - 5
  expect(await balanceOf(invoice)).toMatchObject({ paid: true, balance: 0, written_off: 5 });
  await clean();
});
