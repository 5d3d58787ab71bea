import { counted } from '../../billing/counted.ts';
import { amountText } from '../../billing/money/money.ts';
import type { ProcessName } from '../../billing/processes.ts';
import type { Reason, ReasonCode, Wait } from '../../billing/wait.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { ProcessFacts, ProcessSubject } from '../../db/queries/processes/facts.ts';
import type { AttemptKind } from '../../db/schema/attempt.ts';
import type { Problem } from '../../db/schema/problem.ts';
import type { TestClock } from '../../db/schema/testClock.ts';
import { number, orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';
import { attemptInWords, interruptedInWords } from '../payments/attempt.ts';

/** Maximum number of characters of a document's number that are shown. */
const NUMBER = 60;

/** Description of a process for operators: "invoice INV-00042, 249.00 usd". No names, because Temporal's histories must not contain any. */
export function processInWords(process: ProcessName, id: number, subject: Partial<ProcessSubject>): string {
  const amount = money(subject.amount, subject.currency);
  switch (process) {
    case 'subscription':
      return named(`subscription ${id}`, amount && `${amount} each period`);
    case 'invoice':
    case 'estimate':
      return named(`${process} ${subject.number ? plain(subject.number) : `${id}, a draft`}`, amount);
    case 'charge':
      return attemptOf(id, subject, amount);
    case 'payment_source':
      return `payment source ${id}`;
    case 'chasing':
      return `chasing and statements of customer ${id}`;
    case 'cadence':
      return `customers of chasing cadence ${id}`;
    case 'statements':
      return `planning of the statements of account ${id}`;
    case 'digest':
      return `digest of account ${id}`;
    case 'payment':
      return named(`payment ${id}`, amount);
    case 'report_schedule':
      return `report schedule ${id}`;
    case 'job':
      return `job ${id}`;
    case 'webhook':
      return `deliveries to webhook ${id}`;
    case 'mail':
      return `mail of account ${id}`;
    case 'text':
      return `texts of account ${id}`;
    case 'clock':
      return `test clock ${id}`;
    default:
      return named(`${process} ${subject.number ? plain(subject.number) : id}`, amount);
  }
}

const PURPOSES: Record<Exclude<AttemptKind, 'charge' | 'refund'>, string> = {
  vault: 'save a %',
  verify_source: 'verify a %',
  delete_source: 'delete a % at the payment gateway',
};

function attemptOf(id: number, { kind, method, number }: Partial<ProcessSubject>, amount: string): string {
  const source = method === 'ach' ? 'bank account' : 'card';
  if (kind === 'refund') return amount ? `refund of ${amount}` : `refund ${id}`;
  if (kind && kind !== 'charge') return `attempt ${id} to ${PURPOSES[kind].replace('%', source)}`;
  const charge = amount ? `charge of ${amount}` : `charge ${id}`;
  return number ? `${charge} for invoice ${plain(number)}` : charge;
}

/** State of a process's object: "249.00 usd owed, attempt 1 failed: declined, insufficient_funds". */
export function statusInWords(process: ProcessName, facts: ProcessFacts): string {
  switch (process) {
    case 'subscription':
      return `${facts.status}${facts.paused ? ', paused' : ''}, ${counted(facts.cyclesBilled ?? 0, 'cycle')} billed`;
    case 'invoice':
      return invoiceInWords(facts);
    case 'charge':
      return lastAttempt(facts);
    default:
      return facts.status ?? '';
  }
}

function invoiceInWords(facts: ProcessFacts): string {
  const { status, balance, currency, attemptCount, attemptState: state, failureCode } = facts;
  if (status === 'paid' || status === 'voided' || status === 'draft') return status;
  const owed = `${money(balance, currency)} owed`;
  if (status === 'closed') return `closed, ${owed}`;
  const how = status === 'past_due' ? `${owed}, past due` : owed;
  if (state === null || state === 'succeeded') return how;
  if (state === 'failed')
    return `${how}, attempt ${attemptCount} failed: declined, ${failureCode ?? 'no reason given'}`;
  return `${how}: ${lastAttempt(facts)}`;
}

/** State of a test clock: "ready at 2027-02-03 10:00Z". */
export function clockInWords({
  status,
  frozenAt,
  targetAt,
}: Pick<Plain<TestClock>, 'status' | 'frozenAt' | 'targetAt'>): string {
  const time = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')}Z`;
  return `${status} at ${time(frozenAt)}${targetAt ? `, on its way to ${time(targetAt)}` : ''}`;
}

function lastAttempt(facts: ProcessFacts): string {
  const { attemptKind: kind, attemptState: state, attemptAmount: amount, currency } = facts;
  if (!kind || !state) return '';
  const { method, failureCode, failureMessage, interruption } = facts;
  return attemptInWords({ kind, state, amount, currency, method, failureCode, failureMessage, interruption });
}

function named(what: string, amount: string): string {
  return amount ? `${what}, ${amount}` : what;
}

function money(amount: string | null | undefined, currency: string | null | undefined): string {
  return amount && currency ? amountText(amount, currency) : '';
}

/** Replaces special characters in a number that a user chose, because Temporal's pages interpret Markdown. */
function plain(number: string): string {
  return number.replace(/[^\p{L}\p{N} ._/#-]/gu, '?').slice(0, NUMBER);
}

export function presentProblem(problem: Plain<Problem>): Presented {
  return {
    id: problem.id,
    object: 'problem',
    subject: { object: problem.subjectType, id: problem.subjectId },
    step: problem.step,
    message: problem.message,
    money_at_risk: problem.moneyAtRisk ? number(problem.moneyAtRisk) : null,
    currency: orNull(problem.currency),
    since: unix(problem.since),
    tries: problem.tries,
    next_try_at: unixOrNull(problem.nextTryAt),
    updated_at: unix(problem.updatedAt),
  };
}

const REASON_WORDS: Readonly<Record<ReasonCode, (detail: string | null) => string>> = {
  soft_decline: (code) => `soft decline ${code}`,
  hard_decline: (code) => `hard decline ${code}`,
  needs_customer: (code) => `needs_customer decline ${code}`,
  unreachable: () => interruptedInWords({ kind: 'charge' }, 'unreachable'),
  interrupted: () => interruptedInWords({ kind: 'charge' }, 'interrupted'),
  not_made: () => interruptedInWords({ kind: 'charge' }, 'not_made'),
  unauthenticated: () => interruptedInWords({ kind: 'charge' }, 'unauthenticated'),
  refused: () => interruptedInWords({ kind: 'charge' }, 'refused'),
  latest_date: () => 'the next period would end after 2199',
  ahead_of_period: (days) => `it bills ${counted(Number(days), 'day')} before its periods`,
  in_arrears: () => 'the period ends, and it bills in arrears',
  step_failed: (message) => message || 'the step before was refused',
};

/** The reason of a wait: "soft decline insufficient_funds". */
export function reasonInWords({ code, detail }: Reason): string {
  return REASON_WORDS[code](detail);
}

/** A planned step with its reason: "attempt 2 of 4: soft decline insufficient_funds". */
export function waitInWords({ step, reason }: Pick<Wait, 'step' | 'reason'>): string {
  return reason ? `${step}: ${reasonInWords(reason)}` : step;
}
