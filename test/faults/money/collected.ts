import { expect } from '@jest/globals';
import type { Product } from '../../support/product.ts';
import { invoiceFor } from '../../support/story.ts';
import { until } from '../../support/wait.ts';
import { invoiceAgo } from './past.ts';
import { newPayer } from './payers.ts';
import { capturesOf } from './recovery.ts';

/** Steps of collection that are due while no worker runs, each of a customer of its own. */

/** An invoice with a step to come. */
export interface Collected {
  customer: number;
  invoice: number;
}

/** A step of collection. */
export interface Collecting {
  /** Creates a customer with an invoice. */
  make(product: Product): Promise<Collected>;
  /** In how many days its step is due. */
  days: number;
  /** Expects that the step was taken once. */
  expectOnce(product: Product, one: Collected): Promise<void>;
}

const DAY = 86_400;
const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * DAY;

async function openInvoice(product: Product, amount: number, over: object = {}): Promise<Collected> {
  const customer = await newPayer(product, { autopay: false });
  const { id: invoice } = await invoiceFor(product, customer, amount, over);
  return { customer, invoice };
}

/** Two installments of 30.00, of which AutoPay charges the first. */
export const installment: Collecting = {
  async make(product) {
    const customer = await newPayer(product, { autopay: true, autopayDelayDays: 365 });
    const { id: invoice } = await invoiceFor(product, customer, 60);
    const installments = [1, 61].map((days) => ({ date: inDays(days), amount: 30 }));
    await product.client.put('/invoices/{id}/payment_plan', { installments }, { id: invoice });
    return { customer, invoice };
  },
  days: 2,
  expectOnce: expectChargedOnce,
};

/** An invoice of 50.00 whose first charge is declined, and whose retry three days later pays. */
export const retry: Collecting = {
  async make(product) {
    const customer = await newPayer(product, { gatewayToken: 'tok_script_soft.succeed', autopay: true });
    const { id: invoice } = await invoiceFor(product, customer, 50);
    const failed = () => product.rows('select 1 from invoice where id = ? and attempt_count = 1', [invoice]);
    await until(async () => (await failed()).length > 0, { what: `the first charge of invoice ${invoice}` });
    return { customer, invoice };
  },
  days: 4,
  expectOnce: expectRetriedOnce,
};

/** An invoice of 100.00 that becomes past due and gets a late fee of 2 %. The account needs `collectionTerms`. */
export const fee: Collecting = {
  make: (product) => openInvoice(product, 100, { due_date: inDays(0) }),
  days: 5,
  expectOnce: expectFinedOnce,
};

/** An invoice of 100.00 that is not paid within the ten days of its discount of 2 %. */
export const discount: Collecting = {
  make: (product) => openInvoice(product, 100, { payment_terms: '2% 10 NET 90' }),
  days: 12,
  expectOnce: expectDroppedOnce,
};

/** A promise to pay 40.00 that is not kept. */
export const promise: Collecting = {
  async make(product) {
    const owed = await openInvoice(product, 40, { due_date: inDays(30) });
    const expected_payment_date = { date: inDays(0) };
    await product.client.patch('/invoices/{id}', { expected_payment_date }, { id: owed.invoice });
    return owed;
  },
  days: 2,
  expectOnce: expectBrokenOnce,
};

/** An invoice of 25.00 that its own cadence asks for, by mail and by a task. */
export const reminder = (cadence: { id: number }): Collecting => ({
  make: (product) => openInvoice(product, 25, { chasing_cadence: cadence.id }),
  days: 2,
  expectOnce: expectAskedOnce,
});

/** Makes the step of an invoice due, as if no worker had run for that long. */
export async function makeDue(product: Product, { days }: Collecting, { invoice }: Collected): Promise<void> {
  await invoiceAgo(product, invoice, days);
}

/** Gives an account late fees of 2 %, and a cadence of invoices, which asks two days after the issue at this hour. Returns the cadence. */
export async function collectionTerms(product: Product): Promise<{ id: number }> {
  await product.client.post('/late_fee_schedules', { name: 'Late', amount: 2, recurring_days: 30, default: true });
  await product.call('PATCH', '/account', { chasing_days: 'every' });
  const steps = (['email', 'phone'] as const).map((action) => ({ name: action, action, schedule: 'after_issue:2' }));
  const time_of_day = new Date().getUTCHours();
  return product.client.post('/invoice_chasing_cadences', { name: 'Later', time_of_day, steps });
}

/** Expects that the first installment was charged once. */
async function expectChargedOnce(product: Product, { invoice }: Collected): Promise<void> {
  expect({ invoice, captures: await capturesOf(product, invoice) }).toEqual({ invoice, captures: 1 });
  const plan = await product.client.get('/invoices/{id}/payment_plan', { id: invoice });
  expect(plan.installments.map(({ balance }) => balance)).toEqual([0, 30]);
  expect(await product.client.get('/invoices/{id}', { id: invoice })).toMatchObject({ balance: 30 }); // 60 - 30
}

/** Expects that the retry was charged once. */
async function expectRetriedOnce(product: Product, { invoice }: Collected): Promise<void> {
  expect({ invoice, captures: await capturesOf(product, invoice) }).toEqual({ invoice, captures: 1 });
  const shown = await product.client.get('/invoices/{id}', { id: invoice });
  expect(shown).toMatchObject({ paid: true, balance: 0, attempt_count: 2 });
}

/** Expects one fee of 2 % of 100.00: on a line of the invoice, or on an invoice of its own. */
async function expectFinedOnce(product: Product, { customer, invoice }: Collected): Promise<void> {
  const fees = await product.rows('select amount::float8 as amount from late_fee where invoice_id = ?', [invoice]);
  expect({ invoice, fees }).toEqual({ invoice, fees: [{ amount: 2 }] });
  const [owed] = await product.rows(
    'select sum(balance)::float8 as all, count(distinct number)::int as numbers, count(*)::int as invoices from invoice where customer_id = ?',
    [customer],
  );
  expect(owed).toMatchObject({ all: 102 }); // 100 + 2
  expect(owed?.numbers).toBe(owed?.invoices);
}

/** Expects that the discount was dropped once, with its entry and its event. */
async function expectDroppedOnce(product: Product, { invoice }: Collected): Promise<void> {
  const shown = await product.client.get('/invoices/{id}', { id: invoice });
  expect(shown).toMatchObject({ total: 100, balance: 100, discounts: [] }); // 98 + 2
  const posted = `select amount::float8 as amount from ledger_entry
    where invoice_id = ? and reason = 'early_discount' and ledger_account = 'receivable'`;
  expect(await product.rows(posted, [invoice])).toEqual([{ amount: 2 }]);
  const told = `select 1 from event where subject_type = 'invoice' and subject_id = ? and reason = 'early_discount_ended'`;
  expect(await product.rows(told, [String(invoice)])).toHaveLength(1);
}

/** Expects a broken promise with one task to call. */
async function expectBrokenOnce(product: Product, { customer, invoice }: Collected): Promise<void> {
  const shown = await product.client.get('/invoices/{id}', { id: invoice });
  expect(shown).toMatchObject({ expected_payment_status: 'broken' });
  expect(await product.client.get('/tasks', { filter: { customer } })).toMatchObject([{ action: 'phone' }]);
}

/** Expects one mail and one task about an invoice. */
async function expectAskedOnce(product: Product, { customer }: Collected): Promise<void> {
  const template = 'late_payment_reminder_email';
  expect(await product.client.get('/emails', { filter: { customer, template } })).toHaveLength(1);
  expect(await product.client.get('/tasks', { filter: { customer } })).toHaveLength(1);
  const reminders = await product.rows('select channel from reminder where customer_id = ? order by channel', [
    customer,
  ]);
  expect(reminders).toEqual([{ channel: 'email' }, { channel: 'phone' }]);
}

/** Expects that no process has work left that is due, and that no closed or deleted object has a wake-up. */
export async function expectNoOrphan(product: Product): Promise<void> {
  expect(await product.rows(orphans)).toEqual([]);
}

const orphans = `
  select w.process, w.subject_id, w.rule from wakeup w where w.time_base = 'real' and w.at < now()
  union all
  select w.process, w.subject_id, w.rule from wakeup w
  left join invoice i on i.account_id = w.account_id and i.id = w.subject_id and not i.closed
  where w.process = 'invoice' and i.id is null and w.rule <> 'late_fee_review'
  union all
  select 'invoice', i.id, 'no wake-up' from invoice i
  join payment_plan p on p.account_id = i.account_id and p.id = i.payment_plan_id and p.status = 'active'
  where not i.closed and not exists (
    select 1 from wakeup w where w.account_id = i.account_id and w.process = 'invoice' and w.subject_id = i.id)`;
