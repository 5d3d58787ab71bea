import { exactAmount } from '../../billing/limits.ts';
import { add, amountText, compare, isPositive, roundMoney, subtract, zero } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Attempt } from '../../db/schema/attempt.ts';
import { AttemptRefund } from '../../db/schema/attemptParts.ts';
import { Charge } from '../../db/schema/charge.ts';
import type { Caller } from '../kernel/caller.ts';
import { checkOwner, lockOwner, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { lockConfiguration } from './gateways.ts';
import { type AttemptTiming, writeAttempt } from './newAttempt.ts';

export interface NewRefund extends AttemptTiming {
  caller: Caller;
  chargeId: number;
  /** Decimal text in the currency of the charge. */
  amount: string;
  /** Whether the gateway has made it already: then it is recorded, even beyond what is left of the charge. */
  isMade?: boolean;
}

/** Maximum number of refunds of a charge or payment: answers and events list them all. */
export const MOST_REFUNDS = 100;

/**
 * First of three steps of a refund: writes the attempt, and reserves its amount on the charge. Refuses a charge that has not succeeded, and
 * an amount above what is left of it. Throws Missing.
 */
export async function startRefund(em: EntityManager, input: NewRefund, systemNow: Date): Promise<Attempt> {
  const { caller, chargeId: id } = input;
  const key = { accountId: caller.account.id, id };
  const { locked, charge } = await retryOnOwnerChange(async () => {
    const locked = await lockOwner(em, { caller, table: 'charge', id }, systemNow);
    const charge = await lockRow(em, Charge, key);
    if (!charge) throw new Missing('Charge', id);
    checkOwner(locked, charge);
    return { locked, charge };
  });
  const { currency, gateway } = charge;
  const amount = exactAmount(input.amount, currency, 'amount');
  checkStatus(charge, input.isMade ?? false);
  if (!input.isMade) await checkRefundable(em, charge, amount);
  charge.refundReserved = add(charge.refundReserved, amount);
  const attempt = await writeAttempt(em, locked, {
    kind: 'refund',
    origin: 'api',
    gateway,
    currency,
    amount,
    lookUpDelay: input.lookUpDelay,
  });
  em.append(AttemptRefund, { accountId: key.accountId, attempt, charge });
  return attempt;
}

/** `isMade`: a charge that was returned later may have been refunded before. */
function checkStatus({ id, status, returnedAt }: Charge, isMade: boolean): void {
  if (status !== 'succeeded' && !(isMade && returnedAt))
    throw new Refusal('state_conflict', `Charge ${id} is ${status}: only a charge that succeeded can be refunded`);
}

/** Refuses a refund that a gateway is to make. One that it has made is recorded in any case: the money has left. */
async function checkRefundable(em: EntityManager, charge: Charge, amount: string): Promise<void> {
  const { accountId, id, gateway, disputed } = charge;
  if (disputed) throw new Refusal('state_conflict', `Charge ${id} is disputed: it cannot be refunded`);
  checkAmount(charge, amount);
  if (!(await lockConfiguration(em, { accountId, configuration: gateway })))
    throw new Refusal('gateway_missing', `The gateway ${gateway} of charge ${id} is not configured`);
  await checkCount(em, charge);
}

function checkAmount({ id, amount: whole, currency, amountRefunded, refundReserved }: Charge, amount: string): void {
  const rest = subtract(whole, add(amountRefunded, refundReserved));
  const left = isPositive(rest) ? roundMoney(rest, currency) : zero(currency);
  if (compare(amount, left) <= 0) return;
  const message = `Charge ${id} has ${amountText(left, currency)} left to refund, less than ${amount}`;
  throw new Refusal('amount_too_large', message, 'amount');
}

/** Refuses a refund beyond the maximum number. Counts also those that the gateway is being asked for. */
async function checkCount(em: EntityManager, { accountId, id, refunds }: Charge): Promise<void> {
  const asked = await em.count(AttemptRefund, {
    accountId,
    charge: [accountId, id] as const,
    attempt: { state: 'open' },
  });
  if (refunds.length + asked >= MOST_REFUNDS)
    throw new Refusal('limit_exceeded', `Charge ${id} has ${MOST_REFUNDS} refunds already: the maximum`);
}
