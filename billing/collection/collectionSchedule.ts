import { capAtLatest, cappedRetry } from '../time/calendar.ts';
import { type Failure, retryAttemptAt } from './autopay.ts';

/** When AutoPay charges an invoice next. Times are epoch milliseconds. */
export interface CollectionSchedule {
  /** Null: it is not charged automatically. */
  nextAttemptAt: number | null;
  /** AutoPay has stopped: the customer pays the invoice manually. */
  autopayStopped: boolean;
}

/** The facts about an invoice that decide its schedule. */
export interface ScheduledInvoice extends CollectionSchedule {
  /** A draft, paid, closed or voided: nothing to collect. */
  over: boolean;
  autopay: boolean;
  /** Number of succeeded and declined charges. */
  attemptCount: number;
}

/** A change that may move the next attempt. `firstAt`: the time of the first charge of a new invoice with these terms. */
export type ScheduleChange =
  | StoppingChange
  | { kind: 'issued'; firstAt: number }
  /** AutoPay was switched on. */
  | { kind: 'switched_on'; firstAt: number }
  | { kind: 'switched_off' }
  /** The document date changed. */
  | { kind: 'dated'; firstAt: number }
  /** The customer has another default payment source. */
  | { kind: 'new_source' }
  /** What kept its last charge from being made was mended. */
  | { kind: 'retried' }
  /** Anything else, such as a payment. */
  | { kind: 'other' };

/** A change after which AutoPay may stop. */
export type StoppingChange =
  /** The invoice is owed again: a payment was unapplied, or a write-off was reversed. */
  | { kind: 'reopened'; minimumDelaySeconds: number }
  /** An automatic charge was declined. */
  | ({ kind: 'declined'; declineKind: Failure['kind'] } & Fallback &
      Omit<Failure, 'attemptCount' | 'kind' | 'failedAt'>)
  /** An automatic charge was abandoned: it was never made. `wait`: milliseconds until the next one. */
  | { kind: 'abandoned'; wait: number }
  /** There is no payment source to charge. */
  | { kind: 'no_source' };

const STOPPED: CollectionSchedule = { nextAttemptAt: null, autopayStopped: true };

/** How a declined charge relates to the fallback source, which is charged once after a hard decline of the default source. */
export interface Fallback {
  /** The charge was one of the fallback source. */
  isFallback: boolean;
  /** The next charge is one of the fallback source. */
  hasFallback: boolean;
}

/** The schedule of an invoice after a change at `now`. `invoice` has the facts after the change and the schedule before it. */
export function scheduleAfter(invoice: ScheduledInvoice, change: ScheduleChange, now: number): CollectionSchedule {
  const schedule = changedSchedule(invoice, change, now);
  const isCollected = invoice.autopay && !invoice.over && !schedule.autopayStopped;
  return isCollected ? schedule : { nextAttemptAt: null, autopayStopped: schedule.autopayStopped };
}

function changedSchedule(invoice: ScheduledInvoice, change: ScheduleChange, now: number): CollectionSchedule {
  const { autopay, autopayStopped, attemptCount, nextAttemptAt } = invoice;
  switch (change.kind) {
    case 'issued':
      return { nextAttemptAt: change.firstAt, autopayStopped };
    case 'switched_on':
      return { nextAttemptAt: Math.max(change.firstAt, now), autopayStopped: false };
    case 'switched_off':
      return { nextAttemptAt: null, autopayStopped: false };
    case 'dated':
      if (attemptCount > 0 || nextAttemptAt === null) return { nextAttemptAt, autopayStopped };
      return { nextAttemptAt: Math.max(change.firstAt, now), autopayStopped };
    case 'reopened':
      if (!autopay || autopayStopped) return STOPPED;
      return { nextAttemptAt: capAtLatest(now + change.minimumDelaySeconds * 1000), autopayStopped };
    case 'declined':
      if (change.isFallback) return STOPPED;
      if (change.hasFallback) return { nextAttemptAt: now, autopayStopped: false };
      return retryAt(retryAttemptAt({ ...change, attemptCount, kind: change.declineKind, failedAt: now }));
    case 'abandoned':
      return nextAttemptAt === null ? { nextAttemptAt, autopayStopped } : retryAt(cappedRetry(now, now + change.wait));
    case 'new_source':
    case 'retried':
      return { nextAttemptAt: now, autopayStopped: false };
    case 'no_source':
      return STOPPED;
    case 'other':
      return { nextAttemptAt, autopayStopped };
  }
}

/** Plans a retry. `at` null: no retry is left, or the latest supported time has been reached. */
function retryAt(at: number | null): CollectionSchedule {
  return at === null ? STOPPED : { nextAttemptAt: at, autopayStopped: false };
}
