import { afterFailure, type Failure } from './autopay.ts';
import { capAtLatest, cappedRetry } from './calendar.ts';

/** When AutoPay charges an invoice next. Times are epoch milliseconds. */
export interface CollectionSchedule {
  /** Null: it is not charged automatically. */
  nextAttemptAt: number | null;
  /** AutoPay has given up: the invoice is paid by hand. */
  autopayStopped: boolean;
}

/** The facts of an invoice on which its schedule depends. */
export interface ScheduledInvoice extends CollectionSchedule {
  /** A draft, paid, closed or voided: nothing to collect. */
  over: boolean;
  autopay: boolean;
  /** Number of declined charges. */
  attemptCount: number;
}

/** A change that may move the next attempt. `firstAt`: when a new invoice with these terms would be charged first. */
export type ScheduleChange =
  | StoppingChange
  | { kind: 'issued'; firstAt: number }
  /** AutoPay was switched on. */
  | { kind: 'switched_on'; firstAt: number }
  | { kind: 'switched_off' }
  /** The date changed. */
  | { kind: 'dated'; firstAt: number }
  /** The customer has another default payment source. */
  | { kind: 'new_source' }
  /** Anything else, such as a payment. */
  | { kind: 'other' };

/** A change after which AutoPay may give up. */
export type StoppingChange =
  /** It is owed again: a payment was taken off, a write-off was reversed. */
  | { kind: 'reopened'; minimumDelaySeconds: number }
  /** AutoPay's charge was declined. */
  | ({ kind: 'declined' } & Omit<Failure, 'attemptCount' | 'kind' | 'failedAt'> & { declineKind: Failure['kind'] })
  /** AutoPay's charge was never made. `wait`: until the next one, milliseconds. */
  | { kind: 'abandoned'; wait: number }
  /** There is no payment source to charge. */
  | { kind: 'no_source' };

const STOPPED: CollectionSchedule = { nextAttemptAt: null, autopayStopped: true };

/** The schedule of an invoice after a change at `now`. The facts are those after the change, with the schedule before it. */
export function scheduleAfter(invoice: ScheduledInvoice, change: ScheduleChange, now: number): CollectionSchedule {
  const schedule = changed(invoice, change, now);
  const isCollected = invoice.autopay && !invoice.over && !schedule.autopayStopped;
  return isCollected ? schedule : { nextAttemptAt: null, autopayStopped: schedule.autopayStopped };
}

function changed(invoice: ScheduledInvoice, change: ScheduleChange, now: number): CollectionSchedule {
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
      return afterDecline({ ...change, attemptCount, kind: change.declineKind, failedAt: now });
    case 'abandoned':
      return nextAttemptAt === null ? { nextAttemptAt, autopayStopped } : retried(cappedRetry(now, now + change.wait));
    case 'new_source':
      return { nextAttemptAt: now, autopayStopped: false };
    case 'no_source':
      return STOPPED;
    case 'other':
      return { nextAttemptAt, autopayStopped };
  }
}

function afterDecline(failure: Failure): CollectionSchedule {
  const next = afterFailure(failure);
  return retried(next.kind === 'retry' ? next.at : null);
}

/** Null: a retry at the last supported time would be due again at once, or none is left. */
function retried(at: number | null): CollectionSchedule {
  return at === null ? STOPPED : { nextAttemptAt: at, autopayStopped: false };
}
