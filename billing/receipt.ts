import { isPositive, type Money, subtract } from './money.ts';

/** The fields of a payment that show whether its money has arrived. */
export interface ReceivedPayment {
  voided: boolean;
  amount: Money;
  /** The part of the amount that credit pays. */
  credit: Money;
}

/**
 * Reason why a payment has no receipt; null: its money has arrived, and it has one. `chargeStatus`: status of its charge; null: it was
 * received outside the gateways.
 */
export function whyNoReceipt({ voided, amount, credit }: ReceivedPayment, chargeStatus: string | null): string | null {
  if (voided) return 'Payment is voided: it has no receipt';
  if (chargeStatus === 'pending') return 'Payment is pending: it has a receipt once it has succeeded';
  if (chargeStatus === 'failed') return 'Payment has failed: it has no receipt';
  if (!isPositive(subtract(amount, credit))) return 'Payment consists of credits only: a receipt is for received money';
  return null;
}
