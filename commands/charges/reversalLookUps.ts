import { stepTexts } from '../../billing/stepTexts.ts';
import { cappedRetry } from '../../billing/time/calendar.ts';
import type { Wait } from '../../billing/wait.ts';
import type { EntityManager } from '../../db/orm.ts';
import { countReversalLookUp } from '../../db/queries/charges/attempts.ts';
import { Charge } from '../../db/schema/charge.ts';
import { Dispute } from '../../db/schema/dispute.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import type { ProcessKey } from '../kernel/stepOutcome.ts';
import { setWakeups, wakeupsOf } from '../kernel/waking.ts';

export const LOOK = stepTexts.ask_reversals;

/**
 * Counts a look-up for reversals of an attempt (`reversal_look_ups`). Returns its number and the customer's time: that of its test clock,
 * else `systemNow`.
 */
export async function nextLookUp(em: EntityManager, { accountId, id }: ProcessKey, systemNow: Date) {
  const counted = await countReversalLookUp(em, { accountId, id });
  if (!counted) throw new Error(`attempt ${id} is gone`);
  return { number: counted.number, at: counted.frozenAt ?? systemNow };
}

const DAY_MILLISECONDS = 86_400_000;

/** Plans the next look-up while a dispute is open: after a day of the customer's time, in case an event is lost. */
export async function planLookUp(em: EntityManager, locked: LockedCustomer, attempt: ProcessKey): Promise<void> {
  const { waiter, existing } = await waitingOf(em, locked, attempt);
  const waits = (await hasOpenDispute(em, attempt))
    ? [waitUntil(locked, locked.moment.now.getTime() + DAY_MILLISECONDS)]
    : [];
  await setWakeups(em, locked.moment, { waiter, waits, existing });
}

/** Looks a charge that succeeded up at once: something has shown that the gateway knows more of it. */
export async function lookUpNow(em: EntityManager, locked: LockedCustomer, attempt: ProcessKey): Promise<void> {
  const { waiter, existing } = await waitingOf(em, locked, attempt);
  await setWakeups(em, locked.moment, { waiter, waits: [waitUntil(locked, locked.moment.now.getTime())], existing });
}

/** The wake-ups of an attempt with an outcome. */
export async function waitingOf(em: EntityManager, locked: LockedCustomer, { accountId, id }: ProcessKey) {
  const waiter = { process: 'charge' as const, subjectId: id, clockId: locked.clockId };
  return { waiter, existing: await wakeupsOf(em, { accountId, process: 'charge', ids: [id] }) };
}

function waitUntil({ moment }: LockedCustomer, time: number): Wait {
  const now = moment.now.getTime();
  return { rule: 'dispute', at: cappedRetry(now, time) ?? now, step: LOOK };
}

async function hasOpenDispute(em: EntityManager, { accountId, id }: ProcessKey): Promise<boolean> {
  const charge = await em.findOne(Charge, { accountId, attempt: [accountId, id] as const }, { fields: ['id'] });
  if (!charge) return false;
  return (await em.count(Dispute, { accountId, charge: [accountId, charge.id] as const, status: 'open' })) > 0;
}
