import type { PortalCancel } from '../../billing/selfServiceSettings.ts';
import type { CustomersChoice } from '../../billing/subscriptions/selfService.ts';
import type { Presented } from '../kernel/values.ts';

interface Named {
  code: string;
  name: string;
}

/** What a customer can do with a subscription. */
interface Offered {
  obstacle: string | null;
  plans: readonly { plan: Named; isCurrent: boolean; quantity: { min: number; max: number } | null }[];
  addons: readonly { plan: Named | null; item: Named | null; quantity: number; maxQuantity: number }[];
  canChange: boolean;
  canPause: boolean;
  canResume: boolean;
  cancel: PortalCancel;
  undo: readonly CustomersChoice[];
}

export function presentOffer(offer: Offered): Presented {
  return {
    obstacle: offer.obstacle,
    can_change: offer.canChange,
    plans: offer.plans.map(({ plan, isCurrent, quantity }) => ({
      plan: plan.code,
      name: plan.name,
      current: isCurrent,
      quantity: quantity && { min: quantity.min, max: quantity.max },
    })),
    addons: offer.addons.map(({ plan, item, quantity, maxQuantity }) => ({
      plan: plan?.code ?? null,
      catalog_item: item?.code ?? null,
      name: plan?.name ?? item?.name ?? '',
      quantity,
      max_quantity: maxQuantity,
    })),
    can_pause: offer.canPause,
    can_resume: offer.canResume,
    cancel: offer.cancel,
    undo: [...offer.undo],
  };
}
