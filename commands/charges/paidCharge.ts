import type { Charge } from '../../db/schema/charge.ts';
import type { Payment } from '../../db/schema/payment.ts';

/** A charge that succeeded, and its payment. Both are locked. */
export interface PaidCharge {
  charge: Charge;
  payment: Payment;
}
