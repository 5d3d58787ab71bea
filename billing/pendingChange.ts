import type { SubscriptionDiscount, SubscriptionTax } from './recurring.ts';

/** An add-on of a pending change. Keys name plan and item after they were archived. */
export interface PendingAddon {
  /** Id of the current add-on that it changes; null: a new one. */
  id: number | null;
  planKey: number | null;
  itemKey: number | null;
  /** Ids of plan and item, as clients see them. */
  plan: string | null;
  item: string | null;
  quantity: number;
  amount: string | null;
  description: string | null;
}

/** A change that takes effect with the next period, or with the next contract. Absent fields stay as they are. */
export interface PendingChange {
  /** Key and id of the plan. The key still names it after it was archived. */
  plan?: { key: number; code: string } | undefined;
  quantity?: number | undefined;
  amount?: string | null | undefined;
  /** Number of periods of the next contract. */
  cycles?: number | undefined;
  addons?: PendingAddon[] | undefined;
  discounts?: SubscriptionDiscount[] | undefined;
  taxes?: SubscriptionTax[] | undefined;
}

/** Adds the fields of a change to a pending one. The later value of a field counts. */
export function mergedChange(pending: PendingChange | null, change: PendingChange): PendingChange {
  return { ...pending, ...change };
}

/** The pending change after a bill: discounts that the subscription had (`before`) are as the bill leaves them (`after`). */
export function changeAfterBill(
  pending: PendingChange | null,
  { before, after }: Record<'before' | 'after', readonly SubscriptionDiscount[]>,
): PendingChange | null {
  if (!pending?.discounts) return pending;
  const isOf = (one: SubscriptionDiscount) => (other: SubscriptionDiscount) => other.coupon.id === one.coupon.id;
  const discounts = pending.discounts.flatMap((one) => (before.some(isOf(one)) ? after.filter(isOf(one)) : [one]));
  return { ...pending, discounts };
}

/**
 * The pending change that is left after an immediate change of some fields. A change of the plan also drops the amount, which was agreed for
 * the plan before. Null: nothing is left.
 */
export function withoutFields(pending: PendingChange | null, changed: readonly string[]): PendingChange | null {
  const dropped = new Set<string>(changed.includes('plan') ? [...changed, 'amount'] : changed);
  const left = Object.entries(pending ?? {}).filter(([name]) => !dropped.has(name));
  return left.length === 0 ? null : Object.fromEntries(left);
}
