import { type Money, sum } from './money.ts';

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
