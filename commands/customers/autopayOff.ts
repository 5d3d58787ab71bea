import { dueAt, parseTerms } from '../../billing/time/terms.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { isNotCollected, schedule } from '../aggregates/collectionState.ts';
import {
  ensureDueDate,
  invoiceEventObject,
  type LockedInvoice,
  lockInvoices,
  recordInvoice,
  replanInvoices,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { activePlanOf, collectByPlan, signUpPlan } from '../aggregates/paymentPlan.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

/** Number of open invoices that are changed per batch. */
const BATCH = 200;

/**
 * Switches AutoPay off on every open invoice of a customer. Each gets a due date by the customer's payment terms, else by the account's. An
 * undecided charge is not affected.
 */
export async function switchOffAutopay(em: EntityManager, locked: LockedCustomer): Promise<void> {
  const { accountId } = locked.customer;
  const open = {
    accountId,
    customer: [accountId, locked.customer.id] as const,
    autopay: true,
    paid: false,
    closed: false,
  };
  for (;;) {
    const found = await em.find(Invoice, open, {
      fields: ['id'],
      orderBy: { id: 'asc' },
      limit: BATCH,
      disableIdentityMap: true,
    });
    const ids = found.map((invoice) => invoice.id);
    if (ids.length === 0) return;
    await switchOff(em, await lockInvoices(em, locked, ids));
    await em.write();
  }
}

/**
 * Switches AutoPay off on those of these invoices that are on AutoPay. Their customers are locked. Open ones get a due date, as above. Paid
 * and closed ones are not collected by AutoPay if they are reopened.
 */
export async function switchOffAutopayOf(
  em: EntityManager,
  locked: LockedCustomer,
  ids: readonly number[],
): Promise<void> {
  const invoices = await lockInvoices(em, locked, [...ids]);
  await switchOff(
    em,
    invoices.filter(({ invoice: { autopay, voidedAt } }) => autopay && !voidedAt),
  );
}

/** Due date by the customer's own payment terms; null: it has none, or AutoPay terms. */
function dueByTerms(locked: LockedInvoice): Date | null {
  const { paymentTerms } = locked.customer;
  const due = paymentTerms
    ? dueAt(locked.moment.now.getTime(), parseTerms(paymentTerms), locked.invoice.timeZone)
    : null;
  return due === null ? null : new Date(due);
}

async function switchOff(em: EntityManager, invoices: readonly LockedInvoice[]): Promise<void> {
  for (const own of invoices) {
    const { invoice } = own;
    const before = invoiceEventObject(own);
    invoice.autopay = false;
    if (activePlanOf(invoice)) collectByPlan(own, 0);
    else if (!isNotCollected(invoice)) {
      invoice.dueAt ??= dueByTerms(own);
      ensureDueDate(own);
    }
    schedule(invoice, { kind: 'switched_off' }, own.moment.now);
    await signUpPlan(em, own); // a plan that waited for a source
    updateInvoiceStatus(invoice, own.moment.now);
    recordInvoice(em, own, { type: 'invoice.updated', before });
  }
  await replanInvoices(em, invoices);
}
