import {
  type CollectionStep,
  failureOf,
  type LastAttempt,
  nextCollectionStep,
} from '../../billing/collection/collection.ts';
import { amountToCollect } from '../../billing/collection/paymentPlan.ts';
import { amountText } from '../../billing/money/money.ts';
import type { Reason } from '../../billing/wait.ts';
import { failpoint } from '../../db/failpoint.ts';
import type { EntityManager } from '../../db/orm.ts';
import { lastCharge, UNSENT_CHARGE } from '../../db/queries/charges/attempts.ts';
import { NO_FACTS, type ProcessFacts } from '../../db/queries/processes/facts.ts';
import type { Attempt } from '../../db/schema/attempt.ts';
import { Wakeup } from '../../db/schema/wakeup.ts';
import { collectionStateOf, takeUpRefused } from '../aggregates/collectionState.ts';
import {
  invoiceEventObject,
  isDraft,
  type LockedInvoice,
  type LockedInvoiceWithoutLines,
  lockInvoiceOf,
  recordInvoice,
  replanInvoices,
  reschedule,
  updateInvoiceStatus,
  withLines,
} from '../aggregates/invoice.ts';
import { markPastDue } from '../aggregates/pastDue.ts';
import { issueHeldBill } from '../bills/heldBills.ts';
import { type AutomaticSource, automaticSource } from '../charges/automaticSource.ts';
import { startAutomaticCharge } from '../charges/charges.ts';
import type { AttemptTiming } from '../charges/newAttempt.ts';
import { lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { NOTHING, type ProcessKey, type StepOutcome, tellClock } from '../kernel/stepOutcome.ts';
import { ifDue, NOTHING_PLANNED, type Planned, wakeProcess } from '../kernel/waking.ts';
import { payOpenInvoices, type SpentCredit } from '../payments/spending.ts';
import { dropDiscount, reviewDiscount } from './earlyDiscount.ts';
import { numberReview, reviewLateFees } from './lateFeeReview.ts';
import { numberLateFee, takeLateFee } from './lateFees.ts';
import { breakPromise } from './promises.ts';

/**
 * Takes the due step of an invoice, if any: starts its charge, stops AutoPay, decides about its early-payment discount, marks it past due, breaks
 * its promise, charges a late fee, or issues a held bill. Before a charge and a late fee, credit pays open invoices. One step per transaction.
 */
export function advanceInvoice(
  em: EntityManager,
  key: ProcessKey & AttemptTiming,
  systemNow: Date,
): Promise<StepOutcome> {
  return ifDue(em, { ...key, process: 'invoice', systemNow, owedCall: UNSENT_CHARGE }, () =>
    takeStep(em, key, systemNow),
  );
}

async function takeStep(em: EntityManager, key: ProcessKey & AttemptTiming, systemNow: Date): Promise<StepOutcome> {
  const { accountId, id } = key;
  const locked = await retryOnOwnerChange(async () =>
    lockInvoiceOf(em, await lockOwnerAsSystem(em, { table: 'invoice', accountId, id }, systemNow), id),
  );
  if (isDraft(locked.invoice)) return issueHeldBill(em, await withLines(em, locked));
  if (locked.invoice.paymentFailureCode === 'gateway_refused') await takeUp(em, locked);
  const { last, renewalAt, ...facts } = await readStepFacts(em, locked);
  const charged = await automaticSource(em, locked, last);
  const known = { ...facts, hasSource: charged !== null };
  const state = collectionStateOf(locked.moment.caller.account, locked.invoice, known);
  const { due } = nextCollectionStep(state, locked.moment.now.getTime());
  if (due && renewalAt !== null) return lookAgain(em, locked, renewalAt);
  const did = due && CREDIT_FIRST.has(due.kind) ? await applyCreditFirst(em, locked) : null;
  if (did) return { did, ...(await replan(em, locked, facts)), call: null };
  if (due?.kind === 'attempt' && charged) return startCharge(em, locked, { ...key, ...charged });
  if (!due || due.kind === 'attempt') return { did: null, ...(await replan(em, locked, facts)), call: null };
  const whole = await withLines(em, locked);
  const taken = await takeDueStep(em, whole, { due, ...facts });
  tellClock(em, locked, { type: 'invoice', id, did: taken.did });
  const planned = await replan(em, locked, facts);
  await taken.number?.();
  await failpoint('invoice.before_commit');
  return { did: taken.did, ...planned, call: null };
}

/** Plans the invoice anew for its own process. */
async function replan(
  em: EntityManager,
  locked: LockedInvoiceWithoutLines,
  known: Parameters<typeof replanInvoices>[2],
): Promise<Planned> {
  const [planned = NOTHING_PLANNED] = await replanInvoices(em, [locked], { inside: true, ...known });
  return planned;
}

/** Charges an invoice now that the gateway had refused to charge, if its wake-up says so. */
async function takeUp(em: EntityManager, { invoice, moment }: LockedInvoiceWithoutLines): Promise<void> {
  const { accountId, id } = invoice;
  const waited = await em.findOne(Wakeup, { accountId, process: 'invoice', subjectId: id, rule: 'attempt' });
  takeUpRefused(invoice, waited ?? undefined, moment.now);
}

/** The steps before which credit pays open invoices. What is left decides about the step, in a transaction of its own. */
const CREDIT_FIRST: ReadonlySet<CollectionStep['kind']> = new Set(['attempt', 'late_fee']);

/** Pays open invoices from credit. Returns what it did, in words; null: there was nothing to apply. */
async function applyCreditFirst(em: EntityManager, locked: LockedInvoiceWithoutLines): Promise<string | null> {
  const spent = await payOpenInvoices(em, locked, { currency: locked.invoice.currency });
  if (!spent) return null;
  const did = creditInWords(spent);
  tellClock(em, locked, { type: 'invoice', id: locked.invoice.id, did });
  await failpoint('invoice.before_commit');
  return did;
}

/** "credit of 29.00 usd applied to 1 invoice" */
function creditInWords({ amount, currency, invoices }: SpentCredit): string {
  return `credit of ${amount} ${currency} applied to ${invoices} invoice${invoices === 1 ? '' : 's'}`;
}

/** Shortest and longest wait for a renewal until an invoice is looked at again, in milliseconds. */
const SHORTEST_WAIT = 500;
const LONGEST_WAIT = 60_000;

/**
 * Subscriptions come first: a renewal that is due at the same time is billed before its customer's invoices take their steps. Lets the process look
 * again soon, and less often the longer the renewal has been due (`renewalAt`). A test clock stands still until the renewal is billed.
 */
function lookAgain(em: EntityManager, locked: LockedInvoiceWithoutLines, renewalAt: number): StepOutcome {
  const { invoice, moment, clockId } = locked;
  const late = moment.now.getTime() - renewalAt;
  const soon = moment.systemNow.getTime() + Math.min(Math.max(SHORTEST_WAIT, late), LONGEST_WAIT);
  if (clockId === null) return { ...NOTHING, wakeAt: soon, next: 'after the renewal that is due' };
  wakeProcess(em, moment, {
    process: 'invoice',
    subjectId: invoice.id,
    clockId,
    at: moment.now,
    takenAt: new Date(soon),
  });
  return NOTHING;
}

/** A step that was taken. `did`: what it did, in words. `number`: a function that gives the documents that it wrote their numbers. */
interface TakenStep {
  did: string;
  number?: () => Promise<void>;
}

async function takeDueStep(
  em: EntityManager,
  locked: LockedInvoice,
  { due, attemptUndecided }: { due: Exclude<CollectionStep, { kind: 'attempt' }>; attemptUndecided: boolean },
): Promise<TakenStep> {
  switch (due.kind) {
    case 'stop_autopay':
      stopAutopay(em, locked);
      return { did: 'no payment source: collected by hand from here' };
    case 'discount_ended':
      return { did: await dropDiscount(em, locked) };
    case 'discount_review': {
      const review = await reviewDiscount(em, locked);
      return { ...review, number: () => numberReview(em, locked, review) };
    }
    case 'past_due':
      await markPastDue(em, locked);
      return { did: 'past due' };
    case 'promise_broken':
      return { did: await breakPromise(em, locked) };
    case 'late_fee': {
      const fee = await takeLateFee(em, locked, { attemptUndecided, dueAt: due.at });
      return { ...fee, number: () => numberLateFee(em, locked, fee) };
    }
    case 'late_fee_review': {
      const review = await reviewLateFees(em, locked);
      return { ...review, number: () => numberReview(em, locked, review) };
    }
    case 'credit_review': {
      locked.invoice.creditReviewAt = null;
      const spent = await payOpenInvoices(em, locked, { currency: locked.invoice.currency });
      return { did: spent ? creditInWords(spent) : 'no credit to apply' };
    }
  }
}

async function startCharge(
  em: EntityManager,
  locked: LockedInvoiceWithoutLines,
  how: AttemptTiming & AutomaticSource,
): Promise<StepOutcome> {
  const { lookUpDelay, source, isFallback } = how;
  const attempt = await startAutomaticCharge(em, locked, { lookUpDelay, source, isFallback });
  const planned = await replan(em, locked, { attemptUndecided: true });
  const { id, attemptCount, balance, currency, plan = null } = locked.invoice;
  const amount = amountText(amountToCollect(balance, plan), currency);
  const charging = isFallback ? 'charging the fallback source' : 'charging';
  const did = `attempt ${attemptCount + 1}: ${charging} ${amount}`;
  tellClock(em, locked, { type: 'invoice', id, did });
  await failpoint('invoice.before_commit');
  return { did, ...planned, more: false, call: attempt.id, facts: factsOf(locked, attempt) };
}

function factsOf({ invoice, clockId }: LockedInvoiceWithoutLines, { state, amount }: Attempt): ProcessFacts {
  const { number = null, total, currency, status, balance, attemptCount } = invoice;
  const known = { number, amount: total, currency, status, balance, attemptCount };
  const attempt = { attemptKind: 'charge' as const, attemptState: state, attemptAmount: amount ?? null };
  return { ...NO_FACTS, ...known, ...attempt, onClock: clockId !== null };
}

/** Facts about an invoice that its steps need besides its row. */
interface FactsOfInvoice {
  /** Since when a step of a subscription of its customer has been due, UNIX time in milliseconds; null: none is. */
  renewalAt: number | null;
  attemptUndecided: boolean;
  lastFailure: Reason | null;
  last: LastAttempt | null;
}

/** Whether an attempt is undecided, how the last one failed, the last one itself, and whether a subscription comes first. One statement. */
async function readStepFacts(em: EntityManager, locked: LockedInvoiceWithoutLines): Promise<FactsOfInvoice> {
  const row = await lastCharge(em, locked.invoice, locked.moment.now);
  const renewalAt = row?.renewalAt ?? null;
  const none = { renewalAt, attemptUndecided: false, lastFailure: null, last: null };
  if (!row || row.undecided === null) return none;
  if (row.undecided) return { ...none, attemptUndecided: true };
  return { ...none, lastFailure: failureOf(row), last: row };
}

function stopAutopay(em: EntityManager, locked: LockedInvoice): void {
  const before = invoiceEventObject(locked);
  reschedule(locked, { kind: 'no_source' });
  updateInvoiceStatus(locked.invoice, locked.moment.now);
  recordInvoice(em, locked, { type: 'invoice.updated', before, reason: 'no_payment_source' });
}
