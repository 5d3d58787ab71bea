import { isPositive, type Money, subtract, sum } from '../money/money.ts';

/** The fields of a payment that show whether its money has arrived. */
export interface ReceivedPayment {
  voided: boolean;
  amount: Money;
  /** The part of the amount that credit pays. */
  credit: Money;
}

/**
 * Why a payment has no receipt, or null if it has one because its money has arrived. `chargeStatus` is null for money that was received
 * outside the gateways.
 */
export function whyNoReceipt({ voided, amount, credit }: ReceivedPayment, chargeStatus: string | null): string | null {
  if (voided) return 'Payment is voided: it has no receipt';
  if (chargeStatus === 'pending') return 'Payment is pending: it has a receipt once it has succeeded';
  if (chargeStatus === 'failed') return 'Payment has failed: it has no receipt';
  if (!isPositive(subtract(amount, credit))) return 'Payment consists of credits only: a receipt is for received money';
  return null;
}

/** The fields of a refund that show whether its money has left. */
export interface GivenRefund {
  status: string;
  amount: Money;
}

/** The sum of the refunds that have succeeded. */
export function refundedOf(refunds: readonly GivenRefund[], currency: string): Money {
  const given = refunds.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount);
  return sum(given, currency);
}
