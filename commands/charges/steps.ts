import { nextLookAtPayer } from '../../billing/payments/presentPayer.ts';
import { cappedRetry } from '../../billing/time/calendar.ts';
import type { EntityManager } from '../../db/orm.ts';
import { remainingEvents } from '../../db/queries/charges/gatewayEvents.ts';
import { Attempt, UNDECIDED } from '../../db/schema/attempt.ts';
import { lookUpInWords } from '../../present/payments/attempt.ts';
import { lockOwnerAsSystem, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import type { ProcessKey, StepOutcome } from '../kernel/stepOutcome.ts';
import { setWakeups, wakeupsOf } from '../kernel/waking.ts';
import { lookUpWaits } from './attemptOutcomes.ts';
import type { AttemptTiming } from './newAttempt.ts';
import { reversalsStep } from './reversals.ts';

const LONGEST_WAIT_MILLISECONDS = 6 * 3_600_000;
const DAY_MILLISECONDS = 24 * 3_600_000;

/**
 * Asks for the due look-up of an attempt, and plans the next one. An event of the gateway makes it due at once. A pending attempt is looked
 * up daily in the customer's time; its wake-up stays until the look-up has ended. Other attempts are looked up in real time, with a
 * back-off: one that waits for its payer at the end of the time for which it waits, too. An attempt with a final outcome takes `reversalsStep`.
 */
export async function advanceCharge(
  em: EntityManager,
  key: ProcessKey & AttemptTiming,
  systemNow: Date,
): Promise<StepOutcome> {
  const { accountId, id } = key;
  const locked = await retryOnOwnerChange(() => lockOwnerAsSystem(em, { table: 'attempt', accountId, id }, systemNow));
  const attempt = await em.findOneOrFail(Attempt, { accountId, id });
  if (!UNDECIDED.includes(attempt.state)) return reversalsStep(em, locked, attempt);
  const hasCome = (await remainingEvents(em, key)).length > 0;
  const clockId = attempt.state === 'pending' ? locked.clockId : null;
  const now = (clockId === null ? systemNow : locked.moment.now).getTime();
  const existing = await wakeupsOf(em, { accountId, process: 'charge', ids: [id] });
  const lookUpDueAt = existing[0]?.at.getTime() ?? attempt.startedAt.getTime() + key.lookUpDelay;
  const due = lookUpDueAt <= now;
  const isLookedUp = attempt.state !== 'pending' || (attempt.lookedUpAt?.getTime() ?? 0) >= lookUpDueAt;
  const next = due && isLookedUp ? nextLookUpAt(attempt, key.lookUpDelay, { now, systemNow }) : lookUpDueAt;
  const waits = lookUpWaits(attempt, cappedRetry(now, next));
  const waiter = { process: 'charge' as const, subjectId: id, clockId };
  const planned = await setWakeups(em, locked.moment, { waiter, waits, existing, inside: true });
  const isAsked = hasCome || (due && (attempt.state !== 'pending' || !isLookedUp));
  return {
    did: isAsked ? lookUpInWords(attempt) : null,
    ...planned,
    more: false,
    call: isAsked ? id : null,
  };
}

/** When the look-up after a due one is, epoch milliseconds of the clock that `now` is from. */
function nextLookUpAt(attempt: Attempt, lookUpDelay: number, { now, systemNow }: { now: number; systemNow: Date }) {
  const startedAt = attempt.startedAt.getTime();
  if (attempt.state === 'pending') return now + DAY_MILLISECONDS;
  if (attempt.state === 'waiting') return nextLookAtPayer({ startedAt, method: attempt.method ?? null }, now);
  const age = systemNow.getTime() - startedAt;
  return now + Math.min(Math.max(age, lookUpDelay), LONGEST_WAIT_MILLISECONDS);
}
