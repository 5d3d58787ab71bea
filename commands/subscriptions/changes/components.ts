import type { OpenTax } from '../../../billing/documents/document.ts';
import { type Pricing, planLines } from '../../../billing/documents/pricing.ts';
import { lineDescription } from '../../../billing/subscriptions/addon.ts';
import { pricingOf } from '../../../billing/subscriptions/plan.ts';
import type { ComponentPrice } from '../../../billing/subscriptions/proration.ts';
import type { Item } from '../../../db/schema/item.ts';
import type { Plan } from '../../../db/schema/plan.ts';
import type { Subscription, SubscriptionAddon } from '../../../db/schema/subscription.ts';
import { tierWords } from '../../../present/printed/plan.ts';
import type { Labels } from '../../../words/labels/wording.ts';
import { type DocumentLine, newLine } from '../../documents/lines.ts';
import type { WantedAddon } from './addons.ts';

/** A subscription with what it bills: its plan and its add-ons, with their items. */
export interface Sold {
  subscription: Subscription;
  plan: Plan;
  addons: readonly SubscriptionAddon[];
}

/** A part of a subscription with a price of its own: its plan, or an add-on. It keeps its values when the row changes. */
export interface Component {
  /** Null: the plan of the subscription. */
  addonId: number | null;
  /** Whether it bills reported usage. Its quantity then has no meaning. */
  isUsage: boolean;
  pricing: Pricing;
  quantity: string;
  /** Text on its lines. */
  description: string | null;
  /** The tax rates of its item, if it is taxable. */
  taxRateIds: readonly number[];
  /** Further values of its lines. */
  line: Partial<DocumentLine>;
}

/** The parts of a subscription that bill its own quantities, in the order of their lines: its plan, then its add-ons. */
export function componentsOf(sold: Sold): Component[] {
  return allComponents(sold).filter(({ isUsage }) => !isUsage);
}

/** The parts of a subscription that bill reported usage, in the same order. */
export function usageComponentsOf(sold: Sold): Component[] {
  return allComponents(sold).filter(({ isUsage }) => isUsage);
}

function allComponents({ subscription, plan, addons }: Sold): Component[] {
  const { quantity, amount } = subscription;
  return [ofPlan(plan, { id: null, quantity, amount }), ...addons.map(componentOf)];
}

/** The quantity and agreed amount of the plan, and the add-ons, that a subscription would have. */
interface Wanted {
  quantity: number;
  amount: string | null;
  addons: readonly WantedAddon[];
}

/** The parts with quantities that a subscription would have. The position of an add-on stands for its id. */
export function componentsWanted(plan: Plan, wanted: Wanted): Component[] {
  return allWanted(plan, wanted).filter(({ isUsage }) => !isUsage);
}

/** The parts that a subscription would have to bill reported usage. The position of an add-on stands for its id. */
export function usageWanted(plan: Plan, wanted: Wanted): Component[] {
  return allWanted(plan, wanted).filter(({ isUsage }) => isUsage);
}

function allWanted(plan: Plan, { quantity, amount, addons }: Wanted): Component[] {
  const others = addons.flatMap(({ plan: sold, item, values }, id) => {
    const own = { id, ...values };
    if (sold) return ofPlan(sold, own);
    return item ? ofItem(item, own) : [];
  });
  return [ofPlan(plan, { id: null, quantity, amount }), ...others];
}

/** The prices of the parts of a subscription that have quantities. */
export function pricesOf(sold: Sold): ComponentPrice[] {
  return componentsOf(sold).map(({ addonId, quantity, pricing, line }) => {
    const { planCode, itemCode } = line;
    return { addonId, quantity, price: JSON.stringify({ planCode, itemCode, pricing }) };
  });
}

/** An add-on as a part of its subscription. */
function componentOf(addon: SubscriptionAddon): Component {
  if (addon.plan) return ofPlan(addon.plan, addon);
  if (addon.item) return ofItem(addon.item, addon);
  throw new Error(`add-on ${addon.id} has neither plan nor item`);
}

interface Own {
  id: number | null;
  quantity: number;
  amount?: string | null | undefined;
  description?: string | null | undefined;
}

function ofPlan(plan: Plan, { id: addonId, quantity, amount, description = null }: Own): Component {
  const { item, name, code: planCode } = plan;
  const { discountable = true, taxable = true, taxRateIds = [] } = item ?? {};
  const sold = { planCode, itemCode: item?.code ?? null, glAccount: item?.glAccount ?? null };
  return {
    addonId,
    isUsage: plan.quantityType === 'usage',
    pricing: pricingOf(plan, amount),
    quantity: String(quantity),
    description,
    taxRateIds: taxable ? taxRateIds : [],
    line: { ...sold, addonId, type: 'plan', name, discountable, taxable },
  };
}

function ofItem(item: Item, { id: addonId, quantity, description }: Own): Component {
  const { name, discountable, taxable, taxRateIds, unitCost, code: itemCode } = item;
  const { type = null, glAccount = null } = item;
  return {
    addonId,
    isUsage: false,
    pricing: { mode: 'per_unit', amount: unitCost, tiers: null },
    quantity: String(quantity),
    description: description ?? item.description ?? null,
    taxRateIds: taxable ? taxRateIds : [],
    line: { addonId, itemCode, name, type, glAccount, discountable, taxable },
  };
}

/** Tax rates by id, others are left out, and the labels of the customer's language. */
interface LineOptions {
  rates: ReadonlyMap<number, OpenTax>;
  labels: Labels;
}

/** The lines that bill a whole period of a component. */
export function componentLines(component: Component, { rates, labels }: LineOptions): DocumentLine[] {
  const { pricing, taxRateIds, line } = component;
  const taxes = taxRateIds.flatMap((id) => rates.get(id) ?? []);
  return planLines(pricing, component.quantity).map(({ quantity, unitCost, tier }) => {
    const description = lineDescription(component.description, tier && tierWords(tier, labels));
    return newLine({ ...line, description, quantity, unitCost, taxes });
  });
}
