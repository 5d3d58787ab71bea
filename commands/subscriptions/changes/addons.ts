import { Refusal } from '../../../billing/refusal.ts';
import { checkAddonInterval } from '../../../billing/subscriptions/addon.ts';
import { checkAgreedAmount, checkPlanQuantity, isSameAmount } from '../../../billing/subscriptions/plan.ts';
import { reserveSeveralIds } from '../../../db/ids.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { Item } from '../../../db/schema/item.ts';
import { Plan } from '../../../db/schema/plan.ts';
import { SubscriptionAddon } from '../../../db/schema/subscription.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { type NamedCode, sortByCodes } from '../../catalog/codes.ts';
import { assignChanges, differs } from '../../kernel/changes.ts';

/**
 * An add-on in a request. A field that is left out keeps its value; on a new add-on the quantity is 1, and the rest is empty. Null clears a
 * field.
 */
export interface RequestedAddon {
  /** Id of the current add-on that it changes; null: a new one. */
  id?: number | null | undefined;
  planCode?: string | null | undefined;
  itemCode?: string | null | undefined;
  quantity?: number | undefined;
  amount?: string | null | undefined;
  description?: string | null | undefined;
}

/** An add-on that a subscription is to have. */
export interface WantedAddon {
  /** The current add-on that it is; null: a new one. */
  kept: SubscriptionAddon | null;
  plan: Plan | null;
  item: Item | null;
  values: { quantity: number; amount: string | null; description: string | null };
}

interface Asked {
  /** The plan of the subscription. */
  plan: Plan;
  requested: readonly RequestedAddon[];
  /** The current add-ons, with their plans and items. */
  current: readonly SubscriptionAddon[];
}

/**
 * The add-ons that a request asks for. Refuses unknown and repeated ids, unknown or archived plans and items, those of another interval or
 * currency, other plans and items for current add-ons, and amounts that do not fit. An archived plan of a current add-on stays.
 */
export async function chooseAddons(em: EntityManager, { plan, requested, current }: Asked): Promise<WantedAddon[]> {
  const kept = keptAddons(requested, current);
  const { accountId } = plan;
  const named = requested.map((one, index) => (kept[index] ? null : namedBy(one, index)));
  const plans = await livePlans(em, { accountId, codes: named.flatMap((one) => one?.plan ?? []) });
  const items = await liveItems(em, { accountId, codes: named.flatMap((one) => one?.item ?? []) });
  return requested.map((one, index) => {
    const known = kept[index] ?? null;
    const sold = known ?? { plan: plans.get(one.planCode ?? ''), item: items.get(one.itemCode ?? '') };
    const wanted = wantedOf(one, { kept: known, plan: sold.plan ?? null, item: sold.item ?? null });
    checkWanted(plan, wanted, `addons[${index}]`);
    return wanted;
  });
}

/** The current add-on that each requested one changes. Refuses unknown and repeated ids, and another plan or item. */
function keptAddons(
  requested: readonly RequestedAddon[],
  current: readonly SubscriptionAddon[],
): (SubscriptionAddon | null)[] {
  const known = new Map(current.map((addon) => [addon.id, addon]));
  const named = new Set<number>();
  return requested.map(({ id = null, planCode, itemCode }, index) => {
    if (id === null) return null;
    const path = `addons[${index}]`;
    const addon = known.get(id);
    if (!addon) throw new Refusal('resource_missing', `Add-on was not found: ${id}`, `${path}[id]`);
    if (named.has(id)) throw new Refusal('parameter_invalid', `Add-on is named twice: ${id}`, `${path}[id]`);
    named.add(id);
    refuseOther(addon.plan?.code ?? null, planCode, { what: 'Plan', param: `${path}[plan]` });
    refuseOther(addon.item?.code ?? null, itemCode, { what: 'Catalog item', param: `${path}[catalog_item]` });
    return addon;
  });
}

function refuseOther(
  own: string | null,
  asked: string | null | undefined,
  { what, param }: { what: string; param: string },
): void {
  if (asked === undefined || asked === own) return;
  throw new Refusal(
    'parameter_invalid',
    `${what} of an add-on cannot be changed: leave this one out and add another without id`,
    param,
  );
}

/** The plan or item that a new add-on names. Refuses both and neither. */
function namedBy({ planCode, itemCode }: RequestedAddon, index: number): { plan?: NamedCode; item?: NamedCode } {
  const [plan, item] = [`addons[${index}][plan]`, `addons[${index}][catalog_item]`];
  if (planCode && itemCode)
    throw new Refusal('parameter_invalid', 'An add-on has a plan or a catalog item, not both', item);
  if (planCode) return { plan: { code: planCode, param: plan } };
  if (itemCode) return { item: { code: itemCode, param: item } };
  throw new Refusal('parameter_missing', 'Plan or catalog item missing', plan);
}

interface Named {
  accountId: number;
  codes: readonly NamedCode[];
}

async function livePlans(em: EntityManager, { accountId, codes }: Named): Promise<Map<string, Plan>> {
  if (codes.length === 0) return new Map();
  const code = { $in: [...new Set(codes.map((one) => one.code))] };
  const found: Plan[] = await em.find(Plan, { accountId, code, archivedAt: null }, { populate: ['item'] });
  const plans = await sortByCodes(em, { kind: 'plan', accountId, codes }, found);
  return new Map(plans.map((plan) => [plan.code, plan]));
}

async function liveItems(em: EntityManager, { accountId, codes }: Named): Promise<Map<string, Item>> {
  if (codes.length === 0) return new Map();
  const code = { $in: [...new Set(codes.map((one) => one.code))] };
  const found: Item[] = await em.find(Item, { accountId, code, archivedAt: null });
  const items = await sortByCodes(em, { kind: 'item', accountId, codes }, found);
  return new Map(items.map((item) => [item.code, item]));
}

function wantedOf(
  { quantity, amount, description }: RequestedAddon,
  sold: Pick<WantedAddon, 'kept' | 'plan' | 'item'>,
): WantedAddon {
  const { kept } = sold;
  return {
    ...sold,
    values: {
      quantity: quantity ?? kept?.quantity ?? 1,
      amount: amountOf(amount, kept?.amount ?? null),
      description: description === undefined ? (kept?.description ?? null) : description,
    },
  };
}

/** The stored text of an amount stays while its value does. */
function amountOf(asked: string | null | undefined, before: string | null): string | null {
  return asked === undefined || isSameAmount(asked, before) ? before : asked;
}

/** Refuses a plan of another interval, a price in another currency, and an amount that does not fit. */
function checkWanted(main: Plan, { plan, item, values }: WantedAddon, path: string): void {
  const sold = plan ?? item;
  const field = `${path}[${plan ? 'plan' : 'catalog_item'}]`;
  if (plan) checkAddonInterval(main, plan, field);
  if (sold?.currency && sold.currency !== main.currency) {
    const what = plan ? 'Plan' : 'Item';
    throw new Refusal(
      'currency_mismatch',
      `${what} ${sold.code} is priced in ${sold.currency}, not ${main.currency}`,
      field,
    );
  }
  if (plan) checkPlanQuantity(plan, values.quantity, `${path}[quantity]`);
  if (plan) checkAgreedAmount(plan, values.amount, `${path}[amount]`);
  else if (values.amount !== null)
    throw new Refusal('parameter_invalid', `Item ${item?.code} has a price: omit amount`, `${path}[amount]`);
}

/** Whether the wanted add-ons differ from the current ones, also if only their order differs. */
export function hasOtherAddons(current: readonly SubscriptionAddon[], wanted: readonly WantedAddon[]): boolean {
  if (current.length !== wanted.length) return true;
  return wanted.some(({ kept, values }, index) => kept === null || kept !== current[index] || differs(kept, values));
}

/**
 * Gives a locked subscription the wanted add-ons: changes those that it keeps, adds new ones and removes all others. Bills nothing. The
 * caller prices the subscription and records the event.
 */
export async function changeAddons(
  em: EntityManager,
  locked: LockedSubscription,
  wanted: readonly WantedAddon[],
): Promise<void> {
  const { subscription, moment } = locked;
  const kept = new Set(wanted.map((one) => one.kept));
  for (const addon of locked.addons) {
    if (!kept.has(addon)) Object.assign(addon, { removedAt: moment.now, updatedAt: moment.now });
  }
  const ids = (await reserveSeveralIds(em, 'subscription_addon', wanted.filter((one) => !one.kept).length)).values();
  locked.addons = wanted.map(({ kept: known, plan, item, values }, position) => {
    if (known) {
      if (assignChanges(known, values)) known.updatedAt = moment.now;
      return Object.assign(known, { position });
    }
    const { accountId } = subscription;
    const id = ids.next().value;
    if (id === undefined) throw new Error('fewer ids than add-ons');
    const times = { createdAt: moment.now, updatedAt: moment.now };
    return em.create(SubscriptionAddon, { accountId, id, subscription, plan, item, ...values, position, ...times });
  });
  subscription.hasAddons = locked.addons.length > 0;
}
