import type { DeclineKind } from '../../billing/payments/declines.ts';
import type { ToldDispute } from '../../billing/payments/dispute.ts';

// What can follow a charge that succeeded.

/** A debit that the bank took back after it had succeeded. */
export interface GatewayReturn {
  /** The gateway's code, such as `insufficient_funds` or `account_closed`. */
  code: string;
  message: string;
  /** Whether the bank account can be debited again: `soft`: it can; `hard`: it never can. */
  kind: DeclineKind;
  /** Decimal text: the gateway's fee. Null: it told none. */
  fee: string | null;
}

/** A dispute of a charge, as the gateway shows it now. */
export interface GatewayDispute extends ToldDispute {
  /** The gateway's id of it. */
  reference: string;
  /** The gateway's word for the reason, such as `fraudulent`. */
  reason: string;
  evidenceDueAt: Date | null;
  /** Fees that it charged and has not given back. Null: it told none. */
  fee: string | null;
}

/** A refund of a charge that was made at the gateway itself, by no operation. */
export interface GatewayRefund {
  reference: string;
  /** Decimal text in the currency of the charge. */
  amount: string;
  status: 'succeeded' | 'pending';
  recordedAt: Date;
}

/** The return and the disputes of a charge that succeeded. */
export interface GatewayReversals {
  returned: GatewayReturn | null;
  /** All its disputes. */
  disputes: GatewayDispute[];
  /** Its refunds that were made at the gateway itself, unless they failed. Absent: the gateway makes none. */
  refunds?: readonly GatewayRefund[];
}
