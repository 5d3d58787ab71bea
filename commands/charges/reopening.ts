import { add, roundMoney } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Attempt, AttemptKind } from '../../db/schema/attempt.ts';
import { Charge } from '../../db/schema/charge.ts';
import { Payment } from '../../db/schema/payment.ts';
import { Refund } from '../../db/schema/refund.ts';
import type { GatewayLook } from '../ports/ports.ts';
import { recordOutcome } from './attemptOutcomes.ts';
import type { Outcome } from './lockedAttempt.ts';
import { lockRefunded } from './refundOutcomes.ts';

/** Kinds of operations whose effects are recorded whenever the gateway tells of them. */
const RECORDED: Readonly<Record<AttemptKind, boolean>> = {
  charge: true,
  vault: true,
  verify_source: false,
  delete_source: false,
  refund: true,
};

/** What has happened. */
type Happened = Extract<Outcome, { status: 'succeeded' | 'pending' }>;

/** Whether an attempt was recorded as not made, although it may have been sent. */
export function canReopen({ kind, state, reference }: Attempt): boolean {
  return RECORDED[kind] && !!reference && (state === 'failed' || state === 'abandoned');
}

/**
 * Whether something happened that was recorded as not made. A pending charge reserves its invoices, which others may reserve by now, so it
 * counts once it has succeeded.
 */
export function hasHappened(attempt: Attempt, look: GatewayLook | Outcome): look is Happened {
  return (
    canReopen(attempt) && (look.status === 'succeeded' || (look.status === 'pending' && attempt.kind === 'refund'))
  );
}

/**
 * Records an operation that was recorded as not made, and was made: as if its outcome had not been known until now. The attempt and its
 * customer are locked. `isRecovered`: no mail is sent.
 */
export async function reopenAttempt(
  em: EntityManager,
  { attempt, outcome, isRecovered }: { attempt: Attempt; outcome: Outcome; isRecovered: boolean },
  systemNow: Date,
): Promise<void> {
  const { accountId, id } = attempt;
  const isWritten = await isShown(em, attempt);
  if (attempt.kind === 'refund' && !isWritten) await reserveAgain(em, attempt);
  const none = { failureCode: null, failureMessage: null, declineKind: null, interruption: null, endedAt: null };
  Object.assign(attempt, { state: isWritten ? 'unknown' : 'open', ...none });
  await em.write();
  await recordOutcome(em, { accountId, id, outcome, isRecovered, isReopened: true }, systemNow);
}

/** Whether the payment of the charge, or the refund, was written before: it was pending, and then failed. */
async function isShown(em: EntityManager, attempt: Attempt): Promise<boolean> {
  const { accountId, kind } = attempt;
  if (kind === 'refund') return (await em.count(Refund, { accountId, attempt })) > 0;
  const charge = kind === 'charge' ? await em.findOne(Charge, { accountId, attempt }) : null;
  return charge !== null && (await em.count(Payment, { accountId, charge })) > 0;
}

/** Reserves the amount of a refund on its charge again, as before it was sent. */
async function reserveAgain(em: EntityManager, attempt: Attempt): Promise<void> {
  const { charge } = await lockRefunded(em, attempt);
  charge.refundReserved = add(charge.refundReserved, roundMoney(attempt.amount ?? '0', charge.currency));
}
