import { Refusal } from '../../billing/refusal.ts';
import { checkPortalChanges, type PortalChanges } from '../../billing/subscriptions/selfService.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Item } from '../../db/schema/item.ts';
import { Plan } from '../../db/schema/plan.ts';

/**
 * Refuses changes that no customer could make: unknown or archived plans and items, an add-on that is both or neither, and bounds that no quantity
 * meets. `inherited`: what the account allows, for the word of a plan.
 */
export async function checkOffered(
  em: EntityManager,
  accountId: number,
  { changes, inherited = null }: { changes: Partial<PortalChanges>; inherited?: Partial<PortalChanges> | null },
): Promise<void> {
  checkPortalChanges(changes, inherited);
  const { plans = [], addons = [] } = changes;
  for (const [index, { plan, item }] of addons.entries()) {
    if (Boolean(plan) === Boolean(item))
      throw new Refusal(
        'parameter_invalid',
        'An add-on has either a plan or a catalog item',
        `portal_changes[addons][${index}]`,
      );
  }
  const [planCodes, itemCodes] = [addons.flatMap(({ plan }) => plan ?? []), addons.flatMap(({ item }) => item ?? [])];
  const named = (codes: readonly string[]) => ({ accountId, code: { $in: [...codes] }, archivedAt: null });
  const sold = plans.length + planCodes.length > 0 ? await em.find(Plan, named([...plans, ...planCodes])) : [];
  const items = itemCodes.length > 0 ? await em.find(Item, named(itemCodes)) : [];
  refuseUnknown(plans, { known: sold, what: 'Plan', param: 'portal_changes[plans]' });
  refuseUnknown(planCodes, { known: sold, what: 'Plan', param: 'portal_changes[addons]' });
  refuseUnknown(itemCodes, { known: items, what: 'Item', param: 'portal_changes[addons]' });
}

function refuseUnknown(
  codes: readonly string[],
  { known, what, param }: { known: readonly { code: string }[]; what: string; param: string },
): void {
  const unknown = codes.find((code) => !known.some((one) => one.code === code));
  if (unknown !== undefined) throw new Refusal('resource_missing', `${what} was not found: ${unknown}`, param);
}
