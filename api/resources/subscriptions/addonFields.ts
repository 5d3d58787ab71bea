import type { z } from 'zod';
import { MOST_ADDONS } from '../../../billing/subscriptions/addon.ts';
import type { RequestedAddon } from '../../../commands/subscriptions/changes/addons.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

/** Number of units of a plan or an add-on. */
export const quantity = fields.wholeNumber(0, 1_000_000_000);

/** Price of a plan or an add-on whose plan leaves it to the subscription. */
export const price = fields.described(
  fields.unitPrice,
  'Price per unit and period; required for a plan with `pricing_mode` `custom`, refused otherwise; in major currency units',
);

const addonFields = {
  plan: fields.described(
    fields.code,
    'Id of the plan, with the interval and the currency of the main plan; either this or `catalog_item` is required',
  ),
  catalog_item: fields.described(fields.code, 'Id of the catalog item, billed each period at its price'),
  quantity: fields.described(quantity, 'Quantity of the plan or item, in units'),
  amount: price,
  description: fields.described(fields.longText, 'Text on the lines that bill it'),
};

const readOnly = ['object', 'created_at', 'updated_at'];

const newAddon = object(
  { ...addonFields, quantity: fields.withDefault(addonFields.quantity, 1) },
  { readOnly: ['id', ...readOnly] },
);

const changedAddon = object(
  {
    id: fields.described(
      fields.id,
      'Id of the current add-on to change: fields that are omitted stay, its plan or item cannot change; absent: a new add-on',
    ),
    ...addonFields,
    quantity: fields.resettable(addonFields.quantity, 1),
  },
  { readOnly },
);

export const newAddons = fields.described(
  fields.list(newAddon, MOST_ADDONS),
  'Further plans and catalog items that each period bills',
);

export const changedAddons = fields.described(
  fields.list(changedAddon, MOST_ADDONS),
  'All add-ons; they replace the current ones. Absent: they stay; empty: all are removed',
);

/** Converts the add-ons of a request to the input of commands. Null and empty: none. */
export function addonsOf(
  sent: readonly (z.output<typeof newAddon> | z.output<typeof changedAddon>)[] | null,
): RequestedAddon[] {
  return (sent ?? []).map((addon) => ({
    id: 'id' in addon ? addon.id : null,
    planCode: addon.plan,
    itemCode: addon.catalog_item,
    quantity: addon.quantity,
    amount: addon.amount,
    description: addon.description,
  }));
}
