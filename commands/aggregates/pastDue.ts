import { lockRows } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { withPastDueInvoices } from '../../db/queries/invoices/pastDue.ts';
import { Plan } from '../../db/schema/plan.ts';
import { Subscription } from '../../db/schema/subscription.ts';
import { invoiceEventObject, type LockedInvoice, recordInvoice, updateInvoiceStatus } from './invoice.ts';
import { type LockedSubscription, recordSubscription, subscriptionEventObject } from './subscription.ts';

/** Marks an invoice past due, and its subscription. */
export async function markPastDue(em: EntityManager, at: LockedInvoice): Promise<void> {
  const before = invoiceEventObject(at);
  at.invoice.pastDue = true;
  updateInvoiceStatus(at.invoice, at.moment.now);
  recordInvoice(em, at, { type: 'invoice.updated', before, reason: 'due_date_passed' });
  await followInvoices(em, [at]);
}

/** Updates the subscriptions of past-due invoices: a subscription is past due while one of its open invoices is. Skips other invoices. */
export async function followInvoices(em: EntityManager, targets: readonly LockedInvoice[]): Promise<void> {
  const late = targets.filter(({ invoice }) => invoice.pastDue);
  await followSubscriptions(em, late);
}

/** Updates the subscription of an invoice that may no longer be past due. */
export async function followSubscription(em: EntityManager, at: LockedInvoice): Promise<void> {
  await followSubscriptions(em, [at]);
}

async function followSubscriptions(em: EntityManager, targets: readonly LockedInvoice[]): Promise<void> {
  const followed = await subscriptionsOf(em, targets);
  const [first] = followed;
  if (!first) return;
  const ids = followed.map(({ subscription }) => subscription.id);
  const behind = await withPastDueInvoices(em, { accountId: first.subscription.accountId, ids });
  for (const found of followed) {
    const { subscription } = found;
    const status = behind.has(subscription.id) ? 'past_due' : 'active';
    if (subscription.status === status) continue;
    if (subscription.status !== 'active' && subscription.status !== 'past_due') continue;
    const before = subscriptionEventObject(found);
    subscription.status = status;
    const reason = status === 'past_due' ? 'invoice_past_due' : 'no_invoice_past_due';
    recordSubscription(em, found, { type: 'subscription.updated', before, reason });
  }
}

/** Locks the subscriptions of invoices and reads their plans, in two queries. */
async function subscriptionsOf(em: EntityManager, targets: readonly LockedInvoice[]): Promise<LockedSubscription[]> {
  const billing = new Map(targets.map((at) => [at.invoice.subscription?.id ?? 0, at]));
  billing.delete(0);
  const [first] = billing.values();
  if (!first) return [];
  const { accountId } = first.invoice;
  const subscriptions = await lockRows(em, Subscription, { accountId, ids: [...billing.keys()] });
  const planIds = subscriptions.map(({ plan }) => plan.id);
  const plans = await em.find(Plan, { accountId, id: { $in: planIds } }, { populate: ['item'] });
  return subscriptions.flatMap((subscription) => {
    const at = billing.get(subscription.id);
    const plan = plans.find(({ id }) => id === subscription.plan.id);
    return at && plan ? { ...at, subscription, plan } : [];
  });
}
