import type { EntityManager } from '../../db/orm.ts';
import { newToken } from '../../db/schema/columns.ts';
import { invoiceEventObject, type LockedInvoice, lockInvoice, recordInvoice } from '../aggregates/invoice.ts';
import { planOf, renewApprovalAddress } from '../aggregates/paymentPlan.ts';
import type { InvoiceKey } from './voiding.ts';

/**
 * Gives new addresses to the page of an invoice, its PDF, the pages that pay it and the one that approves its payment plan. Those from before lead nowhere from now on, also those in
 * mails. Throws Missing.
 */
export async function revokeInvoiceLinks(
  em: EntityManager,
  input: InvoiceKey,
  systemNow: Date,
): Promise<LockedInvoice> {
  const locked = await lockInvoice(em, input, systemNow);
  const before = invoiceEventObject(locked);
  Object.assign(locked.invoice, { token: newToken(), updatedAt: locked.moment.now });
  const plan = planOf(locked.invoice);
  if (plan) renewApprovalAddress(em, locked, plan);
  recordInvoice(em, locked, { type: 'invoice.updated', before });
  return locked;
}
