import type { Json } from './json.ts';
import type { Money } from './money.ts';

/** A coupon as it is presented, kept as it was when it was attached. */
export interface CouponSnapshot {
  [field: string]: Json;
  id: string;
  value: number;
  is_percent: boolean;
}

/** A tax rate as it is presented, kept as it was when it was chosen. */
export interface TaxRateSnapshot {
  [field: string]: Json;
  id: string;
  value: number;
  is_percent: boolean;
  inclusive: boolean;
}

/** A discount of a line or a document, with the amount it came to. */
export interface AppliedDiscount {
  id: number;
  amount: Money;
  /** What is taken off at most, of one that no coupon gave; null with a coupon. */
  fixed: Money | null;
  coupon: CouponSnapshot | null;
  /** Epoch milliseconds. */
  expiresAt: number | null;
}

/** A tax of a line or a document, with the amount it came to. */
export interface AppliedTax {
  id: number;
  amount: Money;
  /** The tax itself, where no rate says how much it is; null with a rate. */
  fixed: Money | null;
  taxRate: TaxRateSnapshot | null;
  /** Tells rates apart that had the same id one after another. */
  rateKey: number | null;
  /** Epoch milliseconds. */
  updatedAt: number;
}

/** A discount whose amount has yet to be computed. Id null: it is new. */
export type OpenDiscount = Omit<AppliedDiscount, 'id' | 'amount'> & { id: number | null };

/** A tax whose amount has yet to be computed. Id null: it is new. */
export type OpenTax = Omit<AppliedTax, 'id' | 'amount'> & { id: number | null };
