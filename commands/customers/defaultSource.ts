import { nextInstallment } from '../../billing/collection/paymentPlan.ts';
import type { EntityManager } from '../../db/orm.ts';
import { firstInvoices } from '../../db/queries/signUps/sold.ts';
import type { PaymentSource } from '../../db/schema/customer.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { presentCustomer, presentWholeCustomer } from '../../present/customers/customer.ts';
import { schedule } from '../aggregates/collectionState.ts';
import {
  invoiceEventObject,
  lockInvoices,
  recordInvoice,
  replanInvoices,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { activePlanOf, signUpPlan } from '../aggregates/paymentPlan.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { record } from '../kernel/record.ts';
import { planExpiryNotice } from './expiryNotice.ts';

/** Number of invoices that are retried per batch. */
const BATCH = 100;

export interface NewDefault {
  source: PaymentSource;
  /** Whether the customer added it on a page and consented to automatic payment. */
  isConsented: boolean;
}

/**
 * Makes a source the customer's default. AutoPay's invoices with a failed charge, and first invoices of sign-ups, are charged to it at once. With
 * consent, AutoPay is switched on for the customer's further invoices.
 */
export async function makeDefault(
  em: EntityManager,
  locked: LockedCustomer,
  { source, isConsented }: NewDefault,
): Promise<void> {
  const { customer, moment } = locked;
  if (customer.defaultSource?.id === source.id) return;
  const before = presentWholeCustomer(customer);
  const { defaultSource: former } = customer;
  customer.defaultSource = source;
  if (isConsented) customer.autopay = true;
  customer.updatedAt = moment.now;
  const object = presentCustomer(customer, source);
  record(em, moment, {
    type: 'customer.updated',
    subject: { type: 'customer', id: customer.id, row: customer },
    object,
    before,
  });
  if (former) await planExpiryNotice(em, locked, former);
  await planExpiryNotice(em, locked, source);
  await retryFailed(em, locked);
}

async function retryFailed(em: EntityManager, locked: LockedCustomer): Promise<void> {
  const { accountId, id: customerId } = locked.customer;
  const waiting = await firstInvoices(em, { accountId, customerId });
  for (let after: number | null = 0; after !== null; ) after = await retryBatch(em, locked, { after, waiting });
}

/** Its last automatic payment was refused by the gateway, perhaps only for the method of the former source. */
const REFUSED = { paymentFailureCode: 'gateway_refused' } as const;

/**
 * Retries failed and `waiting` invoices with ids above `after`, and begins payment plans that waited for a source. Returns the last id; null: there are
 * no more.
 */
async function retryBatch(
  em: EntityManager,
  locked: LockedCustomer,
  { after, waiting }: { after: number; waiting: readonly number[] },
): Promise<number | null> {
  const { accountId } = locked.customer;
  const failed = {
    accountId,
    customer: locked.customer,
    autopay: true,
    paid: false,
    closed: false,
    id: { $gt: after },
  };
  const found = await em.find(
    Invoice,
    {
      ...failed,
      $or: [
        { attemptCount: { $gt: 0 } },
        { autopayStopped: true },
        { paymentPlanId: { $ne: null } },
        REFUSED,
        { id: { $in: waiting } },
      ],
    },
    { fields: ['id'], limit: BATCH, orderBy: { id: 'asc' }, disableIdentityMap: true },
  );
  const ids = found.map((invoice) => invoice.id);
  const invoices = await lockInvoices(em, locked, ids);
  for (const own of invoices) {
    const { invoice } = own;
    const before = invoiceEventObject(own);
    const isSignedUp = await signUpPlan(em, own);
    if (!isSignedUp && !waiting.includes(invoice.id) && !hasFailed(invoice, locked.moment.now)) continue;
    if (!isSignedUp) schedule(invoice, { kind: 'new_source' }, locked.moment.now);
    updateInvoiceStatus(invoice, locked.moment.now);
    recordInvoice(em, own, { type: 'invoice.updated', before });
  }
  await replanInvoices(em, invoices);
  return ids.length < BATCH ? null : (ids.at(-1) ?? null);
}

/** Whether AutoPay has failed to collect an invoice, or the next installment of its payment plan if that is due. */
function hasFailed(invoice: Invoice, now: Date): boolean {
  const next = nextInstallment(activePlanOf(invoice)?.installments ?? []);
  const isAhead = next !== null && next.date > now.getTime();
  const isRefused = invoice.paymentFailureCode === REFUSED.paymentFailureCode;
  return !isAhead && (invoice.attemptCount > 0 || invoice.autopayStopped || isRefused);
}
