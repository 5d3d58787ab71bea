import { Refusal } from '../../billing/refusal.ts';
import { newPlanPrice, type PlanPrice } from '../../billing/subscriptions/plan.ts';
import type { PortalChanges } from '../../billing/subscriptions/selfService.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Item } from '../../db/schema/item.ts';
import { Plan } from '../../db/schema/plan.ts';
import { checkOffered } from '../accounts/portalChanges.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import { takeCode, unknownCode } from './codes.ts';

export interface NewPlan {
  caller: Caller;
  /** The id that clients see; null: generated. */
  code: string | null;
  /** Code of the item that it belongs to. */
  itemCode: string | null;
  fields: Pick<Plan, 'name' | 'currency' | 'quantityType' | 'interval' | 'intervalCount'> & {
    portalChanges?: Partial<PortalChanges> | null;
    metadata: Record<string, string>;
  };
  price: PlanPrice;
}

export interface PlanKey {
  caller: Caller;
  code: string;
}

export interface PlanChange extends PlanKey {
  fields: {
    name?: string | undefined;
    portalChanges?: Partial<PortalChanges> | null | undefined;
    metadata?: Record<string, string> | undefined;
  };
}

/** Creates a plan. Refuses the id of another plan, an unknown item, an item of another currency, and an invalid price. */
export async function createPlan(em: EntityManager, input: NewPlan, systemNow: Date): Promise<Plan> {
  const accountId = input.caller.account.id;
  const price = newPlanPrice(input.price);
  const code = await takeCode(em, { kind: 'plan', accountId, code: input.code });
  const item = await findItem(em, input);
  await checkChanges(em, input.caller, input.fields.portalChanges);
  const times = { createdAt: systemNow, updatedAt: systemNow };
  return em.create(Plan, { ...input.fields, ...price, ...times, accountId, code, item });
}

async function findItem(em: EntityManager, { caller, itemCode, fields }: NewPlan): Promise<Item | null> {
  if (itemCode === null) return null;
  const named = { accountId: caller.account.id, code: itemCode };
  const item = await em.findOne(Item, { ...named, archivedAt: null });
  if (!item) throw await unknownCode(em, { ...named, kind: 'item', param: 'catalog_item' });
  if (item.currency && item.currency !== fields.currency) {
    throw new Refusal(
      'currency_mismatch',
      `Item ${itemCode} is priced in ${item.currency}, not ${fields.currency}`,
      'catalog_item',
    );
  }
  return item;
}

async function checkChanges(
  em: EntityManager,
  { account }: Caller,
  changes: Partial<PortalChanges> | null | undefined,
): Promise<void> {
  if (changes) await checkOffered(em, account.id, { changes, inherited: account.portalChanges ?? null });
}

/** Changes name, metadata, or what its customers change themselves. Refuses what `checkOffered` refuses. Throws Missing. */
export async function updatePlan(em: EntityManager, change: PlanChange, systemNow: Date): Promise<Plan> {
  const plan = await findPlan(em, change);
  await checkChanges(em, change.caller, change.fields.portalChanges);
  if (assignChanges(plan, change.fields)) plan.updatedAt = systemNow;
  return plan;
}

/** Archives a plan. Its subscriptions keep it. Its id can be used again. Throws Missing. */
export async function archivePlan(em: EntityManager, key: PlanKey, systemNow: Date): Promise<Plan> {
  const plan = await findPlan(em, key);
  return Object.assign(plan, { archivedAt: systemNow, updatedAt: systemNow });
}

async function findPlan(em: EntityManager, { caller, code }: PlanKey): Promise<Plan> {
  const owned = { accountId: caller.account.id, code, archivedAt: null };
  const plan = await em.findOne(Plan, owned, { populate: ['item'] });
  if (!plan) throw new Missing('Plan', code);
  return plan;
}
