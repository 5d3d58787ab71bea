import type { SubscriptionDiscount, SubscriptionTax } from './recurring.ts';

/** A discount of a pending change. `isKept`: the subscription had it already, and its bills until the change count. */
export interface PendingDiscount extends SubscriptionDiscount {
  isKept: boolean;
  /** Id of the redemption that the change took; null: the subscription had redeemed the coupon before. */
  redemption?: number | null;
}

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
  discounts?: PendingDiscount[] | undefined;
  taxes?: SubscriptionTax[] | undefined;
}

/** Adds the fields of a change to a pending one. The later value of a field counts. */
export function mergedChange(pending: PendingChange | null, change: PendingChange): PendingChange {
  return { ...pending, ...change };
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

/** The discounts that a pending change leads to. One that has ended since is dropped; one that goes on keeps its number of bills. */
export function discountsApplied(
  pending: readonly PendingDiscount[],
  current: readonly SubscriptionDiscount[],
): SubscriptionDiscount[] {
  return pending.flatMap(({ coupon, cyclesLeft, isKept }) => {
    const same = current.find((one) => one.coupon.id === coupon.id);
    return same ?? (isKept ? [] : { coupon, cyclesLeft });
  });
}

/** The redemptions that a pending change took. */
export function redemptionsOfChange(pending: PendingChange | null): number[] {
  return pending?.discounts?.flatMap(({ redemption }) => redemption ?? []) ?? [];
}

/** The redemptions that a pending change took, and that neither the subscription nor its pending change needs after that was dropped. */
export function redemptionsToGiveBack(
  dropped: PendingChange | null,
  { pendingChange, discounts }: { pendingChange: PendingChange | null; discounts: readonly SubscriptionDiscount[] },
): number[] {
  const pending = new Set(redemptionsOfChange(pendingChange));
  const attached = new Set(discounts.map(({ coupon }) => coupon.id));
  const unused = dropped?.discounts?.filter(({ coupon }) => !attached.has(coupon.id)) ?? [];
  return redemptionsOfChange({ discounts: unused }).filter((id) => !pending.has(id));
}
