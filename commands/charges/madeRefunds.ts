import { randomUUID } from 'node:crypto';
import { isPositive, roundMoney, subtract } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { claimEvents } from '../../db/queries/charges/gatewayEvents.ts';
import type { Attempt } from '../../db/schema/attempt.ts';
import { Charge } from '../../db/schema/charge.ts';
import { Refund } from '../../db/schema/refund.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Caller, type Moment, systemCaller } from '../kernel/caller.ts';
import { lockOwner, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { ledger } from '../kernel/posting.ts';
import { createCreditBalanceAdjustment } from '../payments/adjustments.ts';
import { returnLoss } from '../payments/losses.ts';
import { paymentEventObject } from '../payments/paymentEvents.ts';
import { returnRefund } from '../payments/refunds.ts';
import { payOpenInvoices } from '../payments/spending.ts';
import type { GatewayRefund } from '../ports/ports.ts';
import { recordOutcome } from './attemptOutcomes.ts';
import type { AttemptDeps, Outcome } from './openAttempt.ts';
import { startRefund } from './refunds.ts';
import { lockMoney, type Recorded, recordChange } from './sentRefunds.ts';

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

/**
 * Undoes a refund that was recorded and whose money did not leave: the payment or the credit balance has it again. Money that was returned
 * becomes unapplied. Refuses one that a gateway made. Throws Missing.
 */
export async function deleteRefund(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Recorded> {
  const accountId = caller.account.id;
  const found = await em.findOne(Refund, { accountId, id }, { populate: ['adjustment'] });
  if (!found) throw new Missing('Refund', id);
  if (!found.method) throw new Refusal('state_conflict', `Refund ${id} was made by a gateway: it cannot be undone`);
  if (!found.payment) return giveCreditBack(em, { caller, id, refund: found }, systemNow);
  const money = await lockMoney(em, { caller, id: found.payment.id }, systemNow);
  const refund = await lockRecorded(em, { accountId, id });
  const { payment, charge, payer } = money;
  if (payment.voided)
    throw new Refusal(
      'state_conflict',
      `Payment ${payment.id} of refund ${id} is voided: it cannot have its money again`,
    );
  const before = paymentEventObject(payer, payment, charge);
  const sent = { refundId: id, date: refund.date ?? refund.createdAt };
  if (refund.returned && payer.customer) {
    const parts = { fromPayment: refund.fromUnapplied, fromFee: '0', expense: refund.expense };
    await returnLoss(em, payer, { payment, charge: null, from: ledger.cash, reason: 'return', sent, ...parts });
  } else await returnRefund(em, payer, { payment, charge, account: ledger.cash, sent, refund });
  if (charge) charge.amountRefunded = subtract(charge.amountRefunded, refund.amount);
  markUndone(refund, payer.moment);
  await recordChange(em, money, { refund, before });
  if (payer.customer && isPositive(refund.fromCredit)) await payOpenInvoices(em, payer, { currency: payment.currency });
  return { refund, customerId: payment.customer?.id ?? null };
}

async function giveCreditBack(
  em: EntityManager,
  { caller, id, refund: found }: { caller: Caller; id: number; refund: Refund },
  systemNow: Date,
): Promise<Recorded> {
  const { adjustment, amount, currency } = found;
  if (!adjustment) throw new Error(`refund ${id} is of nothing`);
  const customerId = adjustment.customer.id;
  const about = { caller, customerId, currency, date: found.date ?? null, notes: null, refundId: id };
  const given = await createCreditBalanceAdjustment(em, { ...about, amount }, systemNow);
  const refund = await lockRecorded(em, { accountId: given.accountId, id }); // after the customer
  markUndone(refund, { caller, now: given.createdAt, systemNow });
  return { refund, customerId };
}

/** Locks a recorded refund. Refuses one that was undone before. */
async function lockRecorded(em: EntityManager, key: { accountId: number; id: number }): Promise<Refund> {
  const refund = await lockRow(em, Refund, key);
  if (!refund) throw new Missing('Refund', key.id);
  if (refund.status === 'failed') throw new Refusal('state_conflict', `Refund ${key.id} was undone already`);
  return refund;
}

function markUndone(refund: Refund, { now }: Moment): void {
  Object.assign(refund, { status: 'failed', failureMessage: 'It was undone: the money did not leave', updatedAt: now });
}
