import { randomUUID } from 'node:crypto';
import { roundMoney } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { claimEvents } from '../../db/queries/charges/gatewayEvents.ts';
import type { Attempt } from '../../db/schema/attempt.ts';
import { Charge } from '../../db/schema/charge.ts';
import { Refund } from '../../db/schema/refund.ts';
import { inTransaction } from '../../db/transaction.ts';
import { systemCaller } from '../kernel/caller.ts';
import { lockOwner, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import type { GatewayRefund } from '../ports/ports.ts';
import type { AttemptDeps } from './attemptDeps.ts';
import { recordOutcome } from './attemptOutcomes.ts';
import type { Outcome } from './lockedAttempt.ts';
import { startRefund } from './refunds.ts';

/** A refund that a gateway made, and that no attempt of the database asked for. */
export interface MadeRefund {
  accountId: number;
  gateway: string;
  reference: string;
  chargeReference: string;
  /** Decimal text in the currency of the charge. */
  amount: string;
  recordedAt: Date;
  outcome: Outcome;
  /** The key of its attempt. */
  key: string;
}

/** Records a refund that a gateway made, once. No mail is sent. False: it is known already. Refuses one of an unknown charge. */
export async function recordMadeRefund(em: EntityManager, made: MadeRefund, systemNow: Date): Promise<boolean> {
  const { accountId, gateway, reference, chargeReference, key, recordedAt, outcome } = made;
  const found = await em.findOne(
    Charge,
    { accountId, gateway, gatewayId: chargeReference },
    { fields: ['id', 'currency'] },
  );
  if (!found) throw new Refusal('resource_missing', `Charge ${chargeReference} of the refund is not in the database`);
  const { id: chargeId, currency } = found;
  const caller = await systemCaller(em, accountId);
  await retryOnOwnerChange(() => lockOwner(em, { caller, table: 'charge', id: chargeId }, systemNow));
  if ((await em.count(Refund, { accountId, gateway, gatewayId: reference })) > 0) return false; // somebody else was faster
  const amount = roundMoney(made.amount, currency);
  const attempt = await startRefund(em, { caller, chargeId, amount, lookUpDelay: 0, isMade: true }, systemNow);
  await recordMade(em, { attempt, key, reference, recordedAt, outcome }, systemNow);
  return true;
}

/** Records the outcome of a new attempt for something that has already happened. */
export async function recordMade(
  em: EntityManager,
  {
    attempt,
    key,
    reference,
    recordedAt,
    outcome,
  }: { attempt: Attempt } & Omit<MadeRefund, 'accountId' | 'gateway' | 'amount' | 'chargeReference'>,
  systemNow: Date,
): Promise<void> {
  const { accountId, id } = attempt;
  Object.assign(attempt, { key, reference, startedAt: recordedAt });
  await em.write();
  await claimEvents(em, { accountId, attemptId: id, reference });
  await recordOutcome(em, { accountId, id, outcome, isRecovered: true }, systemNow);
  await em.write();
}

/** Records the refunds of a charge that were made at the gateway itself, those that are not known yet. Returns why others could not be recorded. */
export async function recordRefundsMadeThere(
  deps: AttemptDeps,
  charge: { accountId: number; gateway: string; reference: string },
  refunds: readonly GatewayRefund[],
): Promise<unknown[]> {
  if (refunds.length === 0) return [];
  const { accountId, gateway, reference: chargeReference } = charge;
  const references = refunds.map(({ reference }) => reference);
  const known = await deps.em
    .fork()
    .find(Refund, { accountId, gateway, gatewayId: { $in: references } }, { fields: ['gatewayId'] });
  const names = new Set(known.map(({ gatewayId }) => gatewayId));
  const failures: unknown[] = [];
  for (const { status, ...refund } of refunds.filter(({ reference }) => !names.has(reference))) {
    const made = { accountId, gateway, chargeReference, ...refund, key: randomUUID() };
    const outcome: Outcome = { status, source: null };
    const record = inTransaction(deps.em, (em) => recordMadeRefund(em, { ...made, outcome }, deps.systemNow()));
    await record.catch((error: unknown) => failures.push(error));
  }
  return failures;
}
