import type { EntityManager } from '../db/orm.ts';
import { Invoice } from '../db/schema/invoice.ts';
import type { PaymentSource } from '../db/schema/paymentSource.ts';
import { presentCustomer } from '../present/customer.ts';
import { forEvent, lockInvoices, recordInvoice, replanInvoice, settle } from './invoices.ts';
import type { CustomerMoment } from './moment.ts';
import { record } from './record.ts';
import { wakeupsOf } from './waking.ts';

/** Failed invoices that a new default source retries at once; the rest follow when they are asked to be paid. */
const RETRIED_AT_ONCE = 100;

/** Makes a source the customer's default; what has failed before is charged to it at once. */
export async function makeDefault(em: EntityManager, at: CustomerMoment, source: PaymentSource): Promise<void> {
  const { customer, moment } = at;
  if (customer.defaultSource?.id === source.id) return;
  const before = presentCustomer(customer, customer.defaultSource ?? null);
  customer.defaultSource = source;
  customer.updatedAt = moment.now;
  const object = presentCustomer(customer, source);
  record(em, moment, {
    type: 'customer.updated',
    subject: { type: 'customer', id: customer.id, row: customer },
    object,
    before,
  });
  await retryFailed(em, at);
}

async function retryFailed(em: EntityManager, at: CustomerMoment): Promise<void> {
  const { accountId } = at.customer;
  const failed = { accountId, customer: at.customer, autopay: true, paid: false, closed: false };
  const found = await em.find(
    Invoice,
    { ...failed, $or: [{ attemptCount: { $gt: 0 } }, { autopayStopped: true }] },
    { fields: ['id'], limit: RETRIED_AT_ONCE, disableIdentityMap: true },
  );
  const ids = found.map((invoice) => invoice.id);
  if (ids.length === 0) return;
  const wakeups = await wakeupsOf(em, { accountId, process: 'invoice', ids });
  for (const moment of await lockInvoices(em, at, ids)) {
    const { invoice } = moment;
    const before = forEvent(moment);
    invoice.nextPaymentAttemptAt = at.moment.now;
    invoice.autopayStopped = false;
    settle(invoice, at.moment.now);
    recordInvoice(em, moment, { type: 'invoice.updated', before });
    await replanInvoice(em, moment, { existing: wakeups.filter((row) => row.subjectId === invoice.id) });
  }
}
