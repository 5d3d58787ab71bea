import { add, isPositive, negate, roundMoney, subtract } from '../../billing/money/money.ts';
import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Charge, type ChargedSource } from '../../db/schema/charge.ts';
import type { PaymentSource } from '../../db/schema/customer.ts';
import { Payment } from '../../db/schema/payment.ts';
import { unix } from '../../present/kernel/values.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { ledger } from '../kernel/posting.ts';
import { postMoney } from '../payments/moneyPosting.ts';
import type { VaultedSource } from '../ports/ports.ts';
import type { LockedAttempt, Outcome } from './openAttempt.ts';

/** Status of a charge or refund by the outcome of its attempt. */
export const STATUS_OF = {
  succeeded: 'succeeded',
  pending: 'pending',
  unknown: 'pending',
  failed: 'failed',
  abandoned: 'failed',
} as const;

/** Reserves the ids of a charge and its payment in one statement; null: both exist, because the charge was pending. */
export async function reserveChargeIds(em: EntityManager, locked: LockedAttempt): Promise<ChargeIds | null> {
  return locked.isWritten ? null : reserveIds(em, 'charge', 'payment');
}

export type ChargeIds = Record<'charge' | 'payment', number>;

/** Writes the charge of an attempt with its outcome: inserts it, or updates the one that was pending or declined. */
export async function writeCharge(
  em: EntityManager,
  locked: LockedAttempt,
  { outcome, ids }: { outcome: Outcome; ids: ChargeIds | null },
): Promise<Charge> {
  const { attempt, moment } = locked;
  const { accountId } = attempt;
  const failureMessage = 'message' in outcome ? outcome.message : null;
  const status = STATUS_OF[outcome.status];
  const uncertain = outcome.status === 'unknown';
  const known = ids && !locked.isReopened ? null : await em.findOne(Charge, { accountId, attempt });
  if (known) {
    const source = known.source ?? chargedSource(locked, 'source' in outcome ? outcome.source : null);
    return em.assign(known, { status, uncertain, failureMessage, source, updatedAt: moment.now });
  }
  if (!ids) throw new Error(`attempt ${attempt.id} has no charge`);
  return em.create(Charge, {
    accountId,
    id: ids.charge,
    attempt,
    customer: locked.customer,
    currency: attempt.currency ?? '',
    amount: attempt.amount ?? '0',
    convenienceFee: attempt.convenienceFee,
    gateway: attempt.gateway,
    gatewayId: attempt.reference ?? '',
    status,
    uncertain,
    receiptEmail: attempt.receiptEmail ?? locked.customer.email ?? null,
    failureMessage,
    source: chargedSource(locked, 'source' in outcome ? outcome.source : null),
    amountRefunded: '0',
    refundReserved: '0',
    refunds: [],
    createdAt: moment.now,
    updatedAt: moment.now,
  });
}

/** The stored source that was charged, else the one that the gateway reported for the token. */
function chargedSource(locked: LockedAttempt, reported: VaultedSource | null): ChargedSource | null {
  const stored = locked.attempt.source;
  if (stored) return snapshotOf(stored);
  if (!reported) return null;
  const { reference, customerReference, ...card } = reported;
  return { ...card, id: null, gatewayId: reference, gatewayCustomer: customerReference };
}

function snapshotOf(stored: PaymentSource): ChargedSource {
  const { id, type, gatewayId, last4, brand, expMonth, expYear, funding, bankName, routingNumber, verified } = stored;
  return {
    id,
    type,
    gatewayId,
    last4,
    brand,
    expMonth,
    expYear,
    funding,
    bankName,
    routingNumber,
    verified,
    gatewayCustomer: stored.gatewayCustomer ?? null,
    currency: stored.currency,
    createdAt: unix(stored.createdAt),
    updatedAt: unix(stored.updatedAt),
  };
}

/** The payment of a succeeded or pending charge: inserts it, or reads that of the pending charge. */
export async function writePayment(
  em: EntityManager,
  locked: LockedAttempt,
  { charge, ids }: { charge: Charge; ids: ChargeIds | null },
): Promise<Payment> {
  const { attempt, moment } = locked;
  const { accountId } = attempt;
  if (!ids) {
    const known = await em.findOneOrFail(Payment, { accountId, charge });
    return em.assign(known, { voided: false }); // it is voided if the charge had failed meanwhile
  }
  return em.create(Payment, {
    refunds: [],
    accountId,
    id: ids.payment,
    customer: locked.customer,
    charge,
    date: moment.now,
    currency: charge.currency,
    amount: roundMoney(charge.amount, charge.currency),
    // Nothing can be applied before the money has arrived.
    balance: '0',
    credit: '0',
    refundedOwn: '0',
    refundExpense: '0',
    method: attempt.method ?? 'other',
    reference: charge.gatewayId,
    source: 'api',
    voided: false,
    matched: false,
    metadata: {},
    createdAt: moment.now,
    updatedAt: moment.now,
  });
}

/** A charge that succeeded, and its payment. Both are locked. */
export interface PaidCharge {
  charge: Charge;
  payment: Payment;
}

/** Posts the change of a fee that the gateway charged for a dispute or a return. `told` null: the gateway tells no fees. */
export function recordFee(
  em: EntityManager,
  { moment }: LockedCustomer,
  { charge, payment, before, told }: PaidCharge & { before: string; told: string | null },
): void {
  if (told === null) return;
  const { currency, gateway } = charge;
  const change = subtract(roundMoney(told, currency), before);
  const [debit, credit] = isPositive(change)
    ? [ledger.gatewayFees, ledger.clearing(gateway)]
    : [ledger.clearing(gateway), ledger.gatewayFees];
  const amount = isPositive(change) ? change : negate(change);
  postMoney(em, { payment, moment, reason: 'gateway_fee' }, [{ debit, credit, amount: roundMoney(amount, currency) }]);
  charge.gatewayFee = add(charge.gatewayFee, change);
}
