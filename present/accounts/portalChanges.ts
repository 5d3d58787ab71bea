import type { PortalChanges } from '../../billing/subscriptions/selfService.ts';
import { orNull, type Presented } from '../kernel/values.ts';

/** The changes that customers make themselves; null: nothing is said about them. */
export function presentPortalChanges(changes: Partial<PortalChanges> | null | undefined): Presented | null {
  if (!changes) return null;
  const { plans = [], addons = [], minQuantity, maxQuantity, upgrade, downgrade } = changes;
  return {
    plans,
    addons: addons.map(({ plan, item, maxQuantity: most }) => ({ plan, catalog_item: item, max_quantity: most })),
    min_quantity: orNull(minQuantity),
    max_quantity: orNull(maxQuantity),
    upgrade: orNull(upgrade),
    downgrade: orNull(downgrade),
  };
}
