import { lockRow } from '../db/lock.ts';
import type { EntityManager } from '../db/orm.ts';
import { Invoice } from '../db/schema/invoice.ts';
import { Plan } from '../db/schema/plan.ts';
import { Subscription } from '../db/schema/subscription.ts';
import { forEvent, type InvoiceMoment, recordInvoice, settle } from './invoiceMoment.ts';
import { changeRecorded, type SubscriptionMoment, forEvent as subscriptionForEvent } from './subscriptionMoment.ts';

/** Marks an invoice past due, and the subscription it bills with it. */
export async function markPastDue(em: EntityManager, at: InvoiceMoment): Promise<void> {
  const before = forEvent(at);
  at.invoice.pastDue = true;
  settle(at.invoice, at.moment.now);
  recordInvoice(em, at, { type: 'invoice.updated', before });
  await followInvoice(em, at);
}

/** A subscription is past due while an invoice of it that is not closed is. Call it when that may have changed. */
export async function followInvoice(em: EntityManager, at: InvoiceMoment): Promise<void> {
  if (at.invoice.pastDue) await followSubscription(em, at);
}

/** The same when the invoice may just have stopped being past due. */
export async function followSubscription(em: EntityManager, at: InvoiceMoment): Promise<void> {
  const found = await subscriptionOf(em, at);
  if (!found) return;
  const status = (await isBehind(em, at)) ? 'past_due' : 'active';
  if (found.subscription.status === status) return;
  if (found.subscription.status !== 'active' && found.subscription.status !== 'past_due') return;
  const before = subscriptionForEvent(found);
  found.subscription.status = status;
  await changeRecorded(em, found, { type: 'subscription.updated', before });
}

/** The subscription that an invoice bills, locked; null when it bills none. */
export async function subscriptionOf(em: EntityManager, at: InvoiceMoment): Promise<SubscriptionMoment | null> {
  const { accountId, subscription: reference } = at.invoice;
  if (!reference) return null;
  const subscription = await lockRow(em, Subscription, { accountId, id: reference.id });
  if (!subscription) return null;
  const plan = await em.findOneOrFail(Plan, { accountId, id: subscription.plan.id }, { populate: ['item'] });
  return { ...at, subscription, plan };
}

async function isBehind(em: EntityManager, at: InvoiceMoment): Promise<boolean> {
  const { invoice } = at;
  if (invoice.pastDue && !invoice.closed) return true;
  const { accountId, subscription } = invoice;
  if (!subscription) return false;
  const others = { accountId, subscription, pastDue: true, closed: false, id: { $ne: invoice.id } };
  return (await em.count(Invoice, others)) > 0;
}
