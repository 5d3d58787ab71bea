import { firstLateFeeAt, type LateFeeTerms } from '../../billing/collection/lateFee.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { LateFeeSchedule } from '../../db/schema/lateFee.ts';
import { isNotCollected } from './collectionSchedule.ts';

/** The terms of late fees that apply to an account; null: it charges none. */
export async function lateFeeTermsOf(em: EntityManager, accountId: number): Promise<LateFeeTerms | null> {
  const schedule = await em.findOne(LateFeeSchedule, { accountId, isDefault: true });
  if (!schedule) return null;
  const { amount, isPercent, cap = null, currency, gracePeriodDays, recurringDays } = schedule;
  return { amount, isPercent, cap, currency, gracePeriodDays, recurringDays };
}

/**
 * Plans the first late fee of each invoice that has become past due, and forgets those of all others. `from`: the time from whose day the
 * grace period counts. Makes one query, and none if no invoice has become past due.
 */
export async function planLateFees(em: EntityManager, invoices: readonly Invoice[], from: Date): Promise<void> {
  for (const invoice of invoices)
    if (!isOverdue(invoice) && invoice.lateFeesPlanned)
      Object.assign(invoice, { lateFeeAt: null, lateFeesPlanned: false });
  const overdue = invoices.filter((invoice) => isOverdue(invoice) && !invoice.lateFeesPlanned);
  const [first] = overdue;
  if (!first) return;
  const terms = await lateFeeTermsOf(em, first.accountId);
  for (const invoice of overdue) {
    const at = terms ? new Date(firstLateFeeAt(from.getTime(), terms, invoice.timeZone)) : null;
    Object.assign(invoice, { lateFeeAt: at, lateFeesPlanned: true });
  }
}

function isOverdue(invoice: Invoice): boolean {
  return invoice.pastDue && !isNotCollected(invoice);
}
