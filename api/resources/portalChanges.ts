import type { z } from 'zod';
import { changeTimes, type PortalChanges } from '../../billing/subscriptions/selfService.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import * as shown from '../framework/shape.ts';

/** Maximum number of plans, and of add-ons, to choose from. */
const MOST = 50;
const MOST_QUANTITY = 1_000_000_000;

const texts = {
  plans: 'Ids of the plans that they can change to; empty for a plan: those that the account names',
  addons:
    'Add-ons that they can choose, each up to its largest quantity; empty for a plan: those that the account names',
  min_quantity: 'Smallest quantity',
  max_quantity: 'Largest quantity; 0: the quantity cannot be changed',
  upgrade: 'When a change to a price that is not lower takes effect; `none`: they cannot make it',
  downgrade: 'When a change to a lower price takes effect; `none`: they cannot make it',
};

const shownAddon = shown.value('PortalAddon', 'Add-on that customers choose themselves', {
  plan: shown.nullable(shown.code('Id of the plan; null for a catalog item', 'seats')),
  catalog_item: shown.nullable(shown.code('Id of the catalog item; null for a plan', 'support-hour'), null),
  max_quantity: shown.integer('Largest quantity', 20),
});

/** The changes that customers make themselves, as a field of an account or a plan. */
export const shownPortalChanges = shown.value(
  'PortalChanges',
  'Changes of a subscription that its customer makes in the portal',
  {
    plans: shown.textList(texts.plans, 'gold'),
    addons: shown.listOf(shownAddon, texts.addons),
    min_quantity: shown.unset(shown.integer(texts.min_quantity, 1)),
    max_quantity: shown.unset(shown.integer(texts.max_quantity, 50)),
    upgrade: shown.unset(shown.oneOf(texts.upgrade, 'now', changeTimes)),
    downgrade: shown.unset(shown.oneOf(texts.downgrade, 'renewal', changeTimes)),
  },
);

const addon = object({
  plan: fields.described(fields.code, 'Id of the plan; either this or `catalog_item` is required'),
  catalog_item: fields.described(fields.code, 'Id of the catalog item'),
  max_quantity: fields.withDefault(fields.described(fields.wholeNumber(1, MOST_QUANTITY), 'Largest quantity'), 1),
});

export const portalChanges = fields.nested(
  object({
    plans: fields.described(fields.list(fields.required(fields.code), MOST), texts.plans),
    addons: fields.described(fields.list(addon, MOST), texts.addons),
    min_quantity: fields.described(fields.wholeNumber(0, MOST_QUANTITY), texts.min_quantity),
    max_quantity: fields.described(fields.wholeNumber(0, MOST_QUANTITY), texts.max_quantity),
    upgrade: fields.described(fields.choice(...changeTimes), texts.upgrade),
    downgrade: fields.described(fields.choice(...changeTimes), texts.downgrade),
  }),
);

/** The value of a request as commands take it. What is absent or empty is left out. */
export function portalChangesSent(sent: z.output<typeof portalChanges>): Partial<PortalChanges> | null | undefined {
  if (!sent) return sent;
  const given = {
    plans: sent.plans && [...new Set(sent.plans)],
    addons: sent.addons?.map(({ plan = null, catalog_item: item = null, max_quantity: maxQuantity }) => ({
      plan,
      item,
      maxQuantity,
    })),
    minQuantity: sent.min_quantity,
    maxQuantity: sent.max_quantity,
    upgrade: sent.upgrade,
    downgrade: sent.downgrade,
  };
  const isSaid = (value: unknown) => value != null && !(Array.isArray(value) && value.length === 0);
  const entries = Object.entries(given).filter(([, value]) => isSaid(value));
  return entries.length === 0 ? null : Object.fromEntries(entries);
}
