import { failureOf, isFallbackNext } from '../../billing/collection/collection.ts';
import { planAsk } from '../../billing/collection/planProgress.ts';
import { paymentFailureCodeOf } from '../../billing/payments/declines.ts';
import { setting } from '../../billing/settings.ts';
import { problemBackoff } from '../../billing/wait.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Attempt, isOfInvoice } from '../../db/schema/attempt.ts';
import { AttemptInvoice } from '../../db/schema/attemptParts.ts';
import type { ChargedSource } from '../../db/schema/charge.ts';
import type { PaymentSource } from '../../db/schema/customer.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { paymentFailedEmail } from '../../present/emails/paymentFailed.ts';
import { payUrlOf } from '../../present/kernel/links.ts';
import { attemptInWords, declinedInWords } from '../../present/payments/attempt.ts';
import {
  invoiceEventObject,
  type LockedInvoice,
  recordInvoice,
  replanInvoices,
  reschedule,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { activePlanOf, hasMissedInstallment } from '../aggregates/paymentPlan.ts';
import {
  isOver,
  type LockedSubscription,
  recordSubscription,
  replanSubscription,
  subscriptionEventObject,
  subscriptionOf,
} from '../aggregates/subscription.ts';
import { numberDocuments, type Unnumbered } from '../bills/bills.ts';
import { linkToSources } from '../kernel/secrets.ts';
import { queueCopies } from '../mail/emails.ts';
import { recipientsOf } from '../mail/recipients.ts';
import { forgetPause } from '../subscriptions/changes/customersChoices.ts';
import { pause } from '../subscriptions/changes/pausing.ts';
import { revokeUnlessBegins } from '../subscriptions/changes/revoking.ts';
import { takeDueSteps } from '../subscriptions/steps/billing.ts';
import { cancelNow } from '../subscriptions/steps/ending.ts';
import { findFallback } from './automaticSource.ts';

interface Failed {
  attempt: Attempt;
  source: ChargedSource | null;
  /**
   * Whether the invoices have counted the attempt already, because it had succeeded before. Then neither their count nor `pending` changes:
   * another attempt may be pending.
   */
  isCounted?: boolean;
}

/** `fallback`: the source that AutoPay charges next, because the default one was declined for good; null: none. */
type FailedCollection = Failed & { fallback: PaymentSource | null };

/**
 * Updates the invoices of a declined charge. If AutoPay collects an invoice and the charge was begun for it, plans a retry or stops AutoPay,
 * and queues a mail to the customer. After a hard decline of the default source, the retry charges the fallback source at once, if there is
 * one. When AutoPay stops or an installment of a payment plan is missed, the account's `autopay_final_action` decides about the invoice's
 * subscription: it is left as it is, paused or canceled. A decline makes no subscription past due: only an invoice whose due date is over
 * does. A charge that the customer has to authenticate is not retried, and its mail leads to the page that pays the invoice.
 * billing/collection/autopay.ts has the rule, docs/autopay.md the settings.
 */
export async function invoicesAfterFailure(
  em: EntityManager,
  targets: readonly LockedInvoice[],
  failed: Failed,
): Promise<void> {
  // At most one is collected: AutoPay and `POST /invoices/:id/pay` charge one invoice each.
  const collected = targets.find((locked) => isCollected(locked, failed));
  const fallback = collected ? await fallbackAfter(em, collected, failed.attempt) : null;
  for (const locked of targets) recordFailure(em, locked, { ...failed, fallback });
  await replanInvoices(em, targets, { lastFailure: failureOf(failed.attempt) });
  if (collected) return afterFailedCollection(em, collected, { ...failed, fallback });
  const asked = targets.find(({ invoice }) => isPayable(invoice) && needsCustomer(failed.attempt));
  if (asked) await tellCustomer(em, asked, { ...failed, fallback });
}

const isPayable = ({ closed, status }: Invoice): boolean => !closed && status !== 'voided';

/** Whether the customer has to authenticate a charge that was begun for an invoice. Nobody tried, so a mail says where. */
function needsCustomer({ declineKind, origin }: Attempt): boolean {
  return declineKind === 'needs_customer' && isOfInvoice(origin);
}

/** Whether AutoPay collects the invoice of a failed charge. */
function isCollected({ invoice }: LockedInvoice, { attempt }: Failed): boolean {
  return isPayable(invoice) && invoice.autopay && !invoice.autopayStopped && isOfInvoice(attempt.origin);
}

async function fallbackAfter(
  em: EntityManager,
  locked: LockedInvoice,
  attempt: Attempt,
): Promise<PaymentSource | null> {
  const isOfDefault = attempt.source?.id === locked.customer.defaultSource?.id;
  const { declineKind = null, interruption = null, isFallback } = attempt;
  return isFallbackNext({ declineKind, interruption, isFallback, isOfDefault }) ? findFallback(em, locked) : null;
}

/** Counts a failed charge of an invoice and plans what follows. */
function recordFailure(em: EntityManager, locked: LockedInvoice, failed: FailedCollection): void {
  const { invoice, moment } = locked;
  const before = invoiceEventObject(locked);
  if (!failed.isCounted) Object.assign(invoice, { attemptCount: invoice.attemptCount + 1, pending: false });
  if (isOfInvoice(failed.attempt.origin)) noteFailure(locked, failed.attempt);
  if (isCollected(locked, failed)) planRetry(locked, failed);
  updateInvoiceStatus(invoice, moment.now);
  recordInvoice(em, locked, { type: 'invoice.updated', before, reason: 'charge_failed' });
}

/** Stores why the automatic payment of an invoice failed. */
function noteFailure({ invoice, moment }: LockedInvoice, attempt: Attempt): void {
  const { failureCode: gatewayCode = null, declineKind: kind = null, interruption = null } = attempt;
  invoice.paymentFailureCode = paymentFailureCodeOf({ gatewayCode, kind, interruption });
  const isNamed = interruption === null || interruption === 'refused';
  invoice.paymentFailureMessage = isNamed ? declinedInWords(attempt) : attemptInWords(attempt);
  invoice.paymentFailedAt = moment.now;
}

/** Takes the final action if AutoPay has stopped or an installment was missed, and queues the mail about the failed charge. */
async function afterFailedCollection(
  em: EntityManager,
  locked: LockedInvoice,
  failed: FailedCollection,
): Promise<void> {
  if (locked.invoice.autopayStopped || hasMissedInstallment(locked.invoice)) await finalAction(em, locked);
  if (locked.invoice.status === 'voided') return; // the cancellation voided it: it billed a period that will not begin
  await tellCustomer(em, locked, failed);
}

/** Queues the mail about a failed charge, or about one that the customer has to authenticate. */
async function tellCustomer(em: EntityManager, locked: LockedInvoice, failed: FailedCollection): Promise<void> {
  const { attempt, source, fallback } = failed;
  const { invoice, moment, customer } = locked;
  const plan = activePlanOf(invoice);
  const ask = plan && planAsk(plan.installments, { now: moment.now.getTime(), zone: invoice.timeZone });
  const rendered = paymentFailedEmail({
    seller: moment.caller.account,
    customer,
    invoice,
    ask,
    source,
    fallback,
    decline: { code: attempt.failureCode ?? null, message: attempt.failureMessage ?? null },
    needsCustomer: needsCustomer(attempt),
    links: { source: linkToSources(customer), pay: payUrlOf(invoice) },
  });
  queueCopies(em, locked, {
    template: 'auto_payment_failed_email',
    cause: `attempt:${attempt.id}`,
    recipients: await recipientsOf(em, customer),
    render: () => rendered,
  });
}

/** Plans a retry or stops AutoPay. */
function planRetry(locked: LockedInvoice, failed: FailedCollection): void {
  const { invoice, moment } = locked;
  reschedule(locked, {
    kind: 'declined',
    declineKind: failed.attempt.declineKind ?? 'soft',
    isFallback: failed.attempt.isFallback,
    hasFallback: failed.fallback !== null,
    code: failed.attempt.failureCode ?? '',
    sourceType: failed.source?.type ?? 'card',
    retryDays: setting(moment.caller.account, 'autopay_retry_days'),
    zone: invoice.timeZone,
  });
}

/**
 * Takes the account's final action: leaves, pauses or cancels the subscription. Bills due periods first. If they do not fit in one
 * transaction, it leaves the subscription, and the action is taken when AutoPay stops for a later invoice.
 */
async function finalAction(em: EntityManager, locked: LockedInvoice): Promise<void> {
  const action = setting(locked.moment.caller.account, 'autopay_final_action');
  if (action === 'leave') return;
  const found = await subscriptionOf(em, locked);
  if (!found || isOver(found.subscription)) return;
  const { isDone, bills } = await takeDueSteps(em, found);
  const acts = isDone && !isOver(found.subscription);
  const written = acts ? await applyFinalAction(em, found, action) : null;
  await replanSubscription(em, found, {});
  await numberDocuments(em, found, { bills: [...bills, ...(written?.bills ?? [])], credit: written?.credit ?? null });
}

/**
 * Pauses or cancels a subscription. The pause has no end: a planned resumption is dropped. Returns the documents that it wrote, which the
 * caller numbers; null: none.
 */
async function applyFinalAction(
  em: EntityManager,
  found: LockedSubscription,
  action: 'pause' | 'cancel',
): Promise<Unnumbered | null> {
  if (action === 'cancel') return cancelNow(em, found, { cause: 'failed_payment' });
  forgetPause(found.subscription);
  if (found.subscription.paused && !found.subscription.resumeAt) return null;
  const before = subscriptionEventObject(found);
  if (!found.subscription.paused) pause(found);
  found.subscription.resumeAt = null;
  recordSubscription(em, found, { type: 'subscription.updated', before });
  return { bills: [], credit: await revokeUnlessBegins(em, found) };
}

/** Updates the invoices of an abandoned charge. AutoPay retries the first one at once, further consecutive ones with a back-off. No retry is counted. */
export async function invoicesAfterAbandoned(
  em: EntityManager,
  targets: readonly LockedInvoice[],
  attempt: Attempt,
): Promise<void> {
  const [first] = targets;
  const wait = attempt.origin === 'autopay' && first ? await nextWait(em, first, attempt) : null;
  for (const locked of targets) {
    const { invoice, moment } = locked;
    const before = invoiceEventObject(locked);
    invoice.pending = false;
    if (isOfInvoice(attempt.origin) && attempt.interruption === 'refused') noteFailure(locked, attempt);
    if (wait !== null) reschedule(locked, { kind: 'abandoned', wait });
    updateInvoiceStatus(invoice, moment.now);
    recordInvoice(em, locked, { type: 'invoice.updated', before });
  }
  await replanInvoices(em, targets, { lastFailure: failureOf(attempt) });
}

const DAY_MILLISECONDS = 86_400_000;

/**
 * Milliseconds until the next charge, by the number of consecutive abandoned charges of an invoice. After a charge that the gateway refused, it is a
 * day, because people have to mend that; what they mend charges it before.
 */
async function nextWait(em: EntityManager, { invoice }: LockedInvoice, attempt: Attempt): Promise<number> {
  if (attempt.interruption === 'refused') return DAY_MILLISECONDS;
  const { accountId } = invoice;
  const recent = await em.find(
    AttemptInvoice,
    { accountId, invoice },
    { populate: ['attempt'], orderBy: { id: 'desc' }, limit: 20 },
  );
  const decided = recent.findIndex((row) => row.attempt.state !== 'abandoned');
  const abandoned = decided < 0 ? recent.length : decided;
  return abandoned <= 1 ? 0 : problemBackoff(abandoned - 1);
}
