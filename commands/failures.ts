import { afterFailure } from '../billing/autopay.ts';
import { problemBackoff } from '../billing/backoff.ts';
import { setting } from '../billing/settings.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Attempt } from '../db/schema/attempt.ts';
import { AttemptInvoice } from '../db/schema/attemptInvoice.ts';
import type { ChargedSource } from '../db/schema/charge.ts';
import { paymentFailedEmail } from '../present/emails/paymentFailed.ts';
import { queueCopies } from './emails.ts';
import { forEvent, giveDueDate, type InvoiceMoment, recordInvoice, replanInvoice, settle } from './invoiceMoment.ts';
import { recipientsOf } from './recipients.ts';
import { subscriptionOf } from './standing.ts';
import { endSubscription, takeDue } from './subscriptionBilling.ts';
import {
  changeRecorded,
  isOver,
  replan,
  type SubscriptionMoment,
  forEvent as subscriptionForEvent,
} from './subscriptionMoment.ts';

/** What a declined charge means for its invoice: another attempt, or collection by hand; and the mail that says so. */
export async function invoiceAfterFailure(
  em: EntityManager,
  at: InvoiceMoment,
  failed: { attempt: Attempt; source: ChargedSource | null },
): Promise<void> {
  const { invoice, moment } = at;
  const { attempt, source } = failed;
  const before = forEvent(at);
  invoice.attemptCount += 1;
  invoice.pending = false;
  const open = !invoice.closed && invoice.status !== 'voided';
  const collects = open && invoice.autopay && !invoice.autopayStopped && attempt.origin !== 'api';
  const stopped = collects ? planRetry(at, failed) : false;
  settle(invoice, moment.now);
  recordInvoice(em, at, { type: 'invoice.updated', before });
  const lastFailure = `${attempt.declineKind} decline ${attempt.failureCode}`;
  await replanInvoice(em, at, { lastFailure });
  if (stopped) await finalAction(em, at);
  if (!collects) return;
  const reason = attempt.failureMessage ?? 'no reason was given.';
  const rendered = paymentFailedEmail({
    seller: moment.caller.account,
    customer: at.customer,
    invoice,
    source,
    reason,
  });
  queueCopies(em, at, {
    ...{ template: 'auto_payment_failed_email', cause: `attempt:${attempt.id}` },
    recipients: await recipientsOf(em, at.customer),
    render: () => rendered,
  });
}

/** Sets the next attempt, or stops AutoPay; answers whether it stopped. */
function planRetry(at: InvoiceMoment, failed: { attempt: Attempt; source: ChargedSource | null }): boolean {
  const { invoice, moment } = at;
  const next = afterFailure({
    attemptCount: invoice.attemptCount,
    kind: failed.attempt.declineKind ?? 'soft',
    code: failed.attempt.failureCode ?? '',
    sourceType: failed.source?.type ?? 'card',
    retryDays: setting(moment.caller.account, 'autopay_retry_days'),
    failedAt: moment.now.getTime(),
    zone: invoice.timeZone,
  });
  if (next.kind === 'stop') giveDueDate(at);
  else invoice.nextPaymentAttemptAt = new Date(next.at);
  return next.kind === 'stop';
}

/**
 * After the last attempt: leave, pause or cancel the subscription, as the account wishes; what was due before is billed. When that is
 * too much for one transaction the subscription goes on, and the action is left to the next of its invoices that fails.
 */
async function finalAction(em: EntityManager, at: InvoiceMoment): Promise<void> {
  const action = setting(at.moment.caller.account, 'autopay_final_action');
  if (action === 'leave') return;
  const found = await subscriptionOf(em, at);
  if (!found || isOver(found.subscription)) return;
  const isCaughtUp = await takeDue(em, found);
  if (isCaughtUp && !isOver(found.subscription)) await act(em, found, action);
  await replan(em, found, {});
}

async function act(em: EntityManager, found: SubscriptionMoment, action: 'pause' | 'cancel'): Promise<void> {
  if (action === 'cancel') await endSubscription(em, found, { status: 'canceled', at: found.moment.now });
  else if (!found.subscription.paused) {
    const before = subscriptionForEvent(found);
    found.subscription.paused = true;
    await changeRecorded(em, found, { type: 'subscription.updated', before });
  }
}

/** A charge that never happened: made again at once the first time, later and later when that goes on. */
export async function invoiceAfterAbandoned(em: EntityManager, at: InvoiceMoment, attempt: Attempt): Promise<void> {
  const { invoice, moment } = at;
  const before = forEvent(at);
  invoice.pending = false;
  if (attempt.origin === 'autopay' && invoice.nextPaymentAttemptAt) {
    const { accountId } = invoice;
    const recent = await em.find(
      AttemptInvoice,
      { accountId, invoice },
      { populate: ['attempt'], orderBy: { id: 'desc' }, limit: 20 },
    );
    const decided = recent.findIndex((row) => row.attempt.state !== 'abandoned');
    const abandoned = decided < 0 ? recent.length : decided;
    const wait = abandoned <= 1 ? 0 : problemBackoff(abandoned - 1);
    invoice.nextPaymentAttemptAt = new Date(moment.now.getTime() + wait);
  }
  settle(invoice, moment.now);
  recordInvoice(em, at, { type: 'invoice.updated', before });
  await replanInvoice(em, at, { lastFailure: attempt.failureMessage ?? null });
}
