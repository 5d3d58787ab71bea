import type { DeclineKind } from '../payments/declines.ts';
import { stepText, stepTexts } from '../stepTexts.ts';
import { capAtLatest, endOfDay, localDay } from '../time/calendar.ts';
import type { Interruption, NextStep, Reason, ReasonCode, Wait } from '../wait.ts';

/**
 * Time at which an unpaid invoice becomes past due, epoch milliseconds: the end of its due date's day in the invoice's time zone, which is
 * that of its account at the issue. Null if it has no due date or is past due already. `nextCollectionStep` (collection.ts) plans the step
 * that marks the invoice, unless it is a draft, paid, closed or voided by then. A change of the due date computes it anew
 * (commands/invoices/terms.ts).
 */
function pastDueAt(invoice: { dueAt: number | null; pastDue: boolean; zone: string }): number | null {
  const { dueAt, pastDue, zone } = invoice;
  if (dueAt === null || pastDue) return null;
  return capAtLatest(endOfDay(localDay(dueAt, zone), zone));
}

/** Whether an unpaid invoice is past due by its due date. */
export function isPastDue({ dueAt, zone }: { dueAt: number | null; zone: string }, now: number): boolean {
  const at = pastDueAt({ dueAt, pastDue: false, zone });
  return at !== null && at <= now;
}

/** Input of the collection rules for one invoice. Times are epoch milliseconds. */
export interface CollectionState {
  /** A draft, paid, closed or voided: nothing to collect. */
  over: boolean;
  /** An attempt has no outcome yet. The process waits for it, and is woken when it is recorded. */
  attemptUndecided: boolean;
  /** When the next automatic charge is due; null: none. */
  nextAttemptAt: number | null;
  /** Number of succeeded and declined charges. */
  attemptCount: number;
  maxAttempts: number;
  /** Why the last attempt failed; operators see it in the timeline. */
  lastFailure: Reason | null;
  /** AutoPay can charge the customer's default payment source. */
  hasSource: boolean;
  /** When a promised payment is given up, unless an attempt may bring it; null: none is promised. */
  promiseEndsAt: number | null;
  /** When the early-payment discount on the document is dropped; null: never. It is not dropped while an attempt has no outcome. */
  discountEndsAt: number | null;
  /** When the early-payment discount is decided again, also if there is nothing to collect; null: never. */
  discountReviewAt: number | null;
  dueAt: number | null;
  pastDue: boolean;
  /** When the next late fee is due; null: none is planned. */
  lateFeeAt: number | null;
  /** When its late fees are computed again, also if there is nothing to collect; null: never. */
  lateFeeReviewAt: number | null;
  /** When credit of the customer is applied to further invoices, also if there is nothing to collect; null: never. */
  creditReviewAt: number | null;
  zone: string;
}

/** The last attempt to charge an invoice. */
export interface LastAttempt {
  declineKind: DeclineKind | null;
  interruption: Interruption | null;
  /** It charged the fallback source. */
  isFallback: boolean;
  /** It charged the source that is the customer's default now. */
  isOfDefault: boolean;
}

/** Whether the next automatic charge is one of the fallback source: after a hard decline of the default one, until it is carried out. */
export function isFallbackNext({ declineKind, interruption, isFallback, isOfDefault }: LastAttempt): boolean {
  return isFallback ? interruption !== null : declineKind === 'hard' && isOfDefault;
}

export type CollectionStep =
  | { kind: 'attempt' }
  | { kind: 'stop_autopay'; reason: 'no_source' }
  | { kind: 'discount_ended' }
  | { kind: 'discount_review' }
  | { kind: 'past_due' }
  | { kind: 'promise_broken' }
  | { kind: 'late_fee'; at: number }
  | { kind: 'late_fee_review' }
  | { kind: 'credit_review' };

/** The step due at `now`, if any, and all pending waits. */
export function nextCollectionStep(state: CollectionState, now: number): NextStep<CollectionStep> {
  const reviews = reviewsOf(state);
  const dueReview = reviews.find(({ at }) => at <= now);
  const review = dueReview ? { kind: dueReview.rule } : null;
  if (state.over) return { due: review, waits: reviews };
  const overdueAt = pastDueAt(state);
  const attemptAt = state.attemptUndecided ? null : state.nextAttemptAt;
  const discountEndsAt = state.attemptUndecided ? null : state.discountEndsAt;
  const promiseEndsAt = state.attemptUndecided ? null : state.promiseEndsAt;
  const lateFeeAt = state.pastDue ? state.lateFeeAt : null;
  const waits: Wait[] = [
    ...reviews,
    ...planned({
      rule: 'discount',
      at: discountEndsAt,
      step: stepTexts.discount,
    }),
    ...planned({ rule: 'attempt', at: attemptAt, step: attemptInWords(state), reason: state.lastFailure }),
    ...planned({ rule: 'past_due', at: overdueAt, step: stepTexts.past_due }),
    ...planned({ rule: 'promise', at: promiseEndsAt, step: stepTexts.promise }),
    ...planned({ rule: 'late_fee', at: lateFeeAt, step: stepTexts.late_fee }),
  ];
  const due = review ?? dueStep(state, { discountEndsAt, overdueAt, attemptAt, promiseEndsAt, lateFeeAt, now });
  return { due, waits };
}

/** A wait, if it has a time. */
function planned({ at, ...wait }: Omit<Wait, 'at'> & { at: number | null }): Wait[] {
  return at === null ? [] : [{ ...wait, at }];
}

/** The decisions that are taken again, the first one first. */
function reviewsOf({ discountReviewAt, lateFeeReviewAt, creditReviewAt }: CollectionState) {
  return [
    ...(discountReviewAt === null
      ? []
      : [{ rule: 'discount_review' as const, at: discountReviewAt, step: stepTexts.discount_review }]),
    ...(lateFeeReviewAt === null
      ? []
      : [{ rule: 'late_fee_review' as const, at: lateFeeReviewAt, step: stepTexts.late_fee_review }]),
    ...(creditReviewAt === null
      ? []
      : [{ rule: 'credit_review' as const, at: creditReviewAt, step: stepTexts.credit_review }]),
  ];
}

interface Times {
  discountEndsAt: number | null;
  overdueAt: number | null;
  attemptAt: number | null;
  promiseEndsAt: number | null;
  lateFeeAt: number | null;
  now: number;
}

/**
 * At the same time an invoice first loses its early-payment discount, then becomes past due, then is charged, then its promise is broken, then it
 * gets a late fee.
 */
function dueStep(state: CollectionState, times: Times): CollectionStep | null {
  const { discountEndsAt, overdueAt, attemptAt, promiseEndsAt, lateFeeAt, now } = times;
  if (discountEndsAt !== null && discountEndsAt <= now) return { kind: 'discount_ended' };
  if (overdueAt !== null && overdueAt <= now) return { kind: 'past_due' };
  if (attemptAt !== null && attemptAt <= now)
    return state.hasSource ? { kind: 'attempt' } : { kind: 'stop_autopay', reason: 'no_source' };
  if (promiseEndsAt !== null && promiseEndsAt <= now) return { kind: 'promise_broken' };
  return lateFeeAt !== null && lateFeeAt <= now ? { kind: 'late_fee', at: lateFeeAt } : null;
}

function attemptInWords(state: CollectionState): string {
  return stepText('attempt', { number: state.attemptCount + 1, count: state.maxAttempts });
}

const DECLINES: Readonly<Record<DeclineKind, ReasonCode>> = {
  soft: 'soft_decline',
  hard: 'hard_decline',
  needs_customer: 'needs_customer',
};

/** Reason why an attempt was declined or abandoned; null: it was not. */
export function failureOf(attempt: {
  declineKind?: DeclineKind | null | undefined;
  failureCode?: string | null | undefined;
  interruption?: Interruption | null | undefined;
}): Reason | null {
  const { declineKind, failureCode, interruption } = attempt;
  if (declineKind) return { code: DECLINES[declineKind], detail: failureCode ?? null };
  return interruption ? { code: interruption, detail: null } : null;
}
