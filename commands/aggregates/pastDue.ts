import { lockRows } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { withPastDueInvoices } from '../../db/queries/invoices/openInvoices.ts';
import { Plan } from '../../db/schema/plan.ts';
import { Subscription } from '../../db/schema/subscription.ts';
import { planLateFees } from './collectionState.ts';
import { invoiceEventObject, type LockedInvoice, recordInvoice, updateInvoiceStatus } from './invoice.ts';
import { addonsOfEach, type LockedSubscription, recordSubscription, subscriptionEventObject } from './subscription.ts';

/** Marks an invoice past due, and its subscription. */
export async function markPastDue(em: EntityManager, locked: LockedInvoice): Promise<void> {
  const before = invoiceEventObject(locked);
  locked.invoice.pastDue = true;
  await planLateFees(em, [locked.invoice], graceFrom(locked));
  updateInvoiceStatus(locked.invoice, locked.moment.now);
  recordInvoice(em, locked, { type: 'invoice.updated', before, reason: 'due_date_passed' });
  await updatePastDueSubscriptions(em, [locked]);
}

/** When the grace period of late fees begins: at the due date, or at the issue if that is later. */
function graceFrom({ invoice: { dueAt, issuedAt }, moment }: LockedInvoice): Date {
  return new Date(Math.max(Number(dueAt ?? moment.now), Number(issuedAt ?? 0)));
}

/**
 * Updates the subscriptions of those invoices that are past due, or were before an installment was paid. A subscription is past due while one of
 * its open invoices is.
 */
export async function updatePastDueSubscriptions(em: EntityManager, targets: readonly LockedInvoice[]): Promise<void> {
  await updateSubscriptionStatuses(
    em,
    targets.filter(({ invoice }) => invoice.pastDue || invoice.plan),
  );
}

/** Updates the subscription of an invoice that is or was past due. */
export async function updatePastDueSubscription(em: EntityManager, locked: LockedInvoice): Promise<void> {
  await updateSubscriptionStatuses(em, [locked]);
}

async function updateSubscriptionStatuses(em: EntityManager, targets: readonly LockedInvoice[]): Promise<void> {
  const subscriptions = await subscriptionsOf(em, targets);
  const [first] = subscriptions;
  if (!first) return;
  const ids = subscriptions.map(({ subscription }) => subscription.id);
  const pastDue = await withPastDueInvoices(em, { accountId: first.subscription.accountId, ids });
  for (const found of subscriptions) {
    const { subscription } = found;
    const status = pastDue.has(subscription.id) ? 'past_due' : 'active';
    if (subscription.status === status) continue;
    if (subscription.status !== 'active' && subscription.status !== 'past_due') continue;
    const before = subscriptionEventObject(found);
    subscription.status = status;
    const reason = status === 'past_due' ? 'invoice_past_due' : 'no_invoice_past_due';
    recordSubscription(em, found, { type: 'subscription.updated', before, reason });
  }
}

/** Locks the subscriptions of invoices and reads their plans and add-ons, in two queries, or three if any has add-ons. */
async function subscriptionsOf(em: EntityManager, targets: readonly LockedInvoice[]): Promise<LockedSubscription[]> {
  const bySubscription = new Map(targets.map((locked) => [locked.invoice.subscription?.id ?? 0, locked]));
  bySubscription.delete(0);
  const [first] = bySubscription.values();
  if (!first) return [];
  const { accountId } = first.invoice;
  const subscriptions = await lockRows(em, Subscription, { accountId, ids: [...bySubscription.keys()] });
  const planIds = subscriptions.map(({ plan }) => plan.id);
  const plans = await em.find(Plan, { accountId, id: { $in: planIds } }, { populate: ['item'] });
  const addonsById = await addonsOfEach(em, subscriptions);
  return subscriptions.flatMap((subscription) => {
    const locked = bySubscription.get(subscription.id);
    const plan = plans.find(({ id }) => id === subscription.plan.id);
    const addons = addonsById.get(subscription.id) ?? [];
    return locked && plan ? { ...locked, subscription, plan, addons } : [];
  });
}
