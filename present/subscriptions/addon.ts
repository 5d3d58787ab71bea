import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { SubscriptionAddon } from '../../db/schema/subscription.ts';
import { numberOrNull, orNull, type Presented, unix } from '../kernel/values.ts';

type Code = { code: string } | null | undefined;

/** An add-on with the codes of its plan or item. An entity is one, if both are loaded. */
export interface CodedAddon
  extends Pick<Plain<SubscriptionAddon>, 'id' | 'quantity' | 'amount' | 'description' | 'createdAt' | 'updatedAt'> {
  plan?: Code;
  item?: Code;
}

export function presentAddon(addon: CodedAddon): Presented {
  return {
    id: addon.id,
    object: 'subscription_addon',
    plan: orNull(addon.plan?.code),
    catalog_item: orNull(addon.item?.code),
    quantity: addon.quantity,
    amount: numberOrNull(addon.amount),
    description: orNull(addon.description),
    created_at: unix(addon.createdAt),
    updated_at: unix(addon.updatedAt),
  };
}
