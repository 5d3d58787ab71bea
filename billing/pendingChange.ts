import type { SubscriptionDiscount, SubscriptionTax } from './recurring.ts';

/** A change that takes effect with the next period or contract. Absent fields stay as they are. */
export interface PendingChange {
  /** Key and id of the plan. The key still names it after it was archived. */
  plan?: { key: number; code: string };
  quantity?: number;
  amount?: string | null;
  /** Number of periods of the contract that begins with a change of the interval. */
  cycles?: number;
  discounts?: SubscriptionDiscount[];
  taxes?: SubscriptionTax[];
}
