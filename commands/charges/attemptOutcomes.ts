import { nextLookAtPayer } from '../../billing/payments/presentPayer.ts';
import { cappedRetry } from '../../billing/time/calendar.ts';
import type { Wait } from '../../billing/wait.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { releaseAttempt } from '../../db/queries/charges/attempts.ts';
import { Attempt, type AttemptKind, UNDECIDED } from '../../db/schema/attempt.ts';
import { Charge } from '../../db/schema/charge.ts';
import { Outbox } from '../../db/schema/outbox.ts';
import { lookUpInWords } from '../../present/payments/attempt.ts';
import { API_USER, type Caller } from '../kernel/caller.ts';
import { type LockedCustomer, lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import type { ProcessKey } from '../kernel/stepOutcome.ts';
import { setWakeups, wakeupsOf } from '../kernel/waking.ts';
import { type Answer, storeAnswer, type Written } from './answers.ts';
import { recordChargeOutcome } from './chargeOutcomes.ts';
import type { Found, LockedAttempt, Outcome } from './openAttempt.ts';
import { recordRefundOutcome } from './refundOutcomes.ts';
import { followRefusals } from './refusals.ts';
import { recordVaultOutcome, recordVerification } from './sourceOutcomes.ts';

interface NewOutcome extends ProcessKey {
  outcome: Found;
  isAwaited?: boolean;
  onlyUnconfirmed?: boolean;
  isRecovered?: boolean;
  isReopened?: boolean;
}

/**
 * Third of three steps: records the outcome of an attempt and its effects in one transaction. Idempotent: an attempt with a final outcome
 * is not changed. Returns the answer to the request that started it, if that waits (`isAwaited`) or has a key. `onlyUnconfirmed`: does nothing
 * if the attempt may have been confirmed meanwhile. `isRecovered`: the database had lost the outcome, so no mail is sent. `isReopened`: the
 * attempt was recorded as not made before. Throws Missing.
 */
export async function recordOutcome(em: EntityManager, input: NewOutcome, systemNow: Date): Promise<Answer | null> {
  const { accountId, id, outcome, isAwaited = false, isRecovered = false, isReopened = false } = input;
  const locked = await retryOnOwnerChange(() => lockOwnerAsSystem(em, { table: 'attempt', accountId, id }, systemNow));
  const attempt = await lockRow(em, Attempt, { accountId, id });
  if (!attempt) throw new Missing('Attempt', id);
  if (!UNDECIDED.includes(attempt.state)) return null;
  if (input.onlyUnconfirmed && (attempt.reference || attempt.state !== 'open')) return null;
  const caller = isRecovered || isReopened ? locked.moment.caller : eventCaller(attempt, locked.moment.caller);
  const by = { ...locked, moment: { ...locked.moment, caller } };
  if (attempt.source) await em.populate(attempt, ['source']);
  const wasFound = attempt.state !== 'open';
  if (wasFound && (outcome.status === 'unknown' || outcome.status === attempt.state)) return null;
  if (outcome.status === 'waiting') {
    await waitForPayer(em, locked, { attempt, challenge: outcome.sealedChallenge });
    return null;
  }
  const isWritten = wasFound && (await isShown(em, attempt));
  applyOutcome(attempt, outcome, locked.moment.now);
  if (outcome.status === 'pending') await lookUpDaily(em, locked, attempt);
  if (outcome.status === 'unknown' && locked.clockId !== null) await lookUpSoon(em, locked, attempt);
  if (!UNDECIDED.includes(attempt.state)) await releaseAttempt(em, { accountId, id }, systemNow);
  else if (outcome.status === 'pending' || locked.clockId !== null)
    await em.nativeDelete(Outbox, { accountId, topic: 'charge', subjectId: id });
  const written = await recordEffects(em, { ...by, attempt, isWritten, isRecovered, isReopened }, outcome);
  const answer = await storeAnswer(em, attempt, { written, isAwaited });
  await followRefusals(em, attempt, systemNow);
  return answer;
}

/** Whether the charge of an attempt is shown as pending. One that waits for its payer is, if the gateway had not answered before. */
async function isShown(em: EntityManager, attempt: Attempt): Promise<boolean> {
  if (attempt.state !== 'waiting') return true;
  const { accountId, id } = attempt;
  return (await em.count(Charge, { accountId, attempt: [accountId, id] })) > 0;
}

/** Keeps the page on which the payer authenticates, and plans the next look-up. Nothing is shown as paid or pending. */
async function waitForPayer(
  em: EntityManager,
  locked: LockedCustomer,
  { attempt, challenge }: { attempt: Attempt; challenge: string },
): Promise<void> {
  if (attempt.state === 'pending') return; // the payer has authenticated: the look-up is older
  const { accountId, id, startedAt, method = null } = attempt;
  const { now, systemNow } = locked.moment;
  Object.assign(attempt, { state: 'waiting', sealedChallenge: challenge, updatedAt: now });
  const next = nextLookAtPayer({ startedAt: startedAt.getTime(), method }, systemNow.getTime());
  await planLookUp(em, locked, { attempt, at: next, clockId: null });
  await em.nativeDelete(Outbox, { accountId, topic: 'charge', subjectId: id });
}

/** Kinds whose late outcomes come from a look-up, so that the events name the system. */
const NAMES_SYSTEM_WHEN_LATE: Readonly<Record<AttemptKind, boolean>> = {
  charge: true,
  vault: false,
  verify_source: false,
  delete_source: false,
  refund: true,
};

/** The caller that the events name: the request that started the attempt, whoever records the outcome, or the system. Pages are the system. */
function eventCaller({ origin, kind, state, credential }: Attempt, system: Caller): Caller {
  const isLate = state === 'unknown' || state === 'pending';
  if (origin === 'autopay' || origin === 'page' || (NAMES_SYSTEM_WHEN_LATE[kind] && isLate)) return system;
  const userId = credential?.kind === 'member' ? credential.id : API_USER;
  return { ...system, userId, credential: credential ?? null };
}

const SOON_MILLISECONDS = 1000;

/** Plans a look-up after a second of real time, because a test clock waits for the outcome. */
function lookUpSoon(em: EntityManager, locked: LockedCustomer, attempt: Attempt): Promise<void> {
  return planLookUp(em, locked, { attempt, at: locked.moment.systemNow.getTime() + SOON_MILLISECONDS, clockId: null });
}

/** Plans the next look-up. `clockId`: the test clock in whose time it is; null: real time. */
async function planLookUp(
  em: EntityManager,
  { moment }: LockedCustomer,
  next: { attempt: Attempt; at: number | null; clockId: number | null },
): Promise<void> {
  const { accountId, id } = next.attempt;
  const waiter = { process: 'charge' as const, subjectId: id, clockId: next.clockId };
  const existing = await wakeupsOf(em, { accountId, process: 'charge', ids: [id] });
  await setWakeups(em, moment, { waiter, waits: lookUpWaits(next.attempt, next.at), existing });
}

const DAY_MILLISECONDS = 86_400_000;

/** The waits of an attempt: a look-up at `at`; null: none. */
export function lookUpWaits(attempt: Attempt, at: number | null): Wait[] {
  return at === null ? [] : [{ rule: 'look_up', at, step: lookUpInWords(attempt) }];
}

/** Plans the look-up of an operation that the gateway reports as pending: after a day of the customer's time. */
function lookUpDaily(em: EntityManager, locked: LockedCustomer, attempt: Attempt): Promise<void> {
  const now = locked.moment.now.getTime();
  return planLookUp(em, locked, { attempt, at: cappedRetry(now, now + DAY_MILLISECONDS), clockId: locked.clockId });
}

function applyOutcome(attempt: Attempt, outcome: Outcome, now: Date): void {
  attempt.state = outcome.status;
  attempt.updatedAt = now;
  attempt.sealedChallenge = null;
  if (outcome.status === 'pending' || outcome.status === 'unknown') return;
  attempt.endedAt = now;
  attempt.sealedToken = null;
  attempt.payer = null;
  if (outcome.status === 'failed') {
    attempt.failureCode = outcome.code;
    attempt.failureMessage = outcome.message;
    attempt.declineKind = outcome.kind;
  }
  if (outcome.status === 'abandoned') {
    attempt.interruption = outcome.why ?? 'not_made';
    if (outcome.why === 'refused')
      Object.assign(attempt, { failureCode: outcome.code, failureMessage: outcome.message });
  }
}

async function recordEffects(em: EntityManager, locked: LockedAttempt, outcome: Outcome): Promise<Written> {
  const { kind } = locked.attempt;
  if (kind === 'charge') return recordChargeOutcome(em, locked, outcome);
  if (kind === 'vault') await recordVaultOutcome(em, locked, outcome);
  if (kind === 'verify_source') await recordVerification(em, locked, outcome);
  if (kind === 'refund') await recordRefundOutcome(em, locked, outcome);
  // Of a deleted source, the request has already made the source unusable.
  return {};
}
