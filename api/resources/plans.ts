import type { z } from 'zod';
import { quantityTypes } from '../../billing/subscriptions/plan.ts';
import { archivePlan, createPlan, updatePlan } from '../../commands/catalog/plans.ts';
import { searchWords } from '../../db/queries/kernel/search.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { CATALOG_KEYS, CATALOG_WORDS } from '../../db/schema/indexes.ts';
import { Item } from '../../db/schema/item.ts';
import { Plan } from '../../db/schema/plan.ts';
import { presentPlan } from '../../present/catalog/products.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { column, filtered, type Resource, sorted, updatedBetween, where } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { relation } from '../reading/expand.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';
import { items } from './items.ts';
import { portalChanges, portalChangesSent, shownPortalChanges } from './portalChanges.ts';

const shownTier = shown.sometimes(
  shown.value('PlanTier', 'Price tier: quantities above the previous `max_qty`, up to its own', {
    unit_cost: shown.money('Price per unit in this tier', 5),
  }),
  {
    min_qty: shown.number('Smallest whole quantity: the previous `max_qty` plus 1; absent from the first tier', 11),
    max_qty: shown.number('Largest quantity of the tier; absent from the last tier', 20),
  },
);

const plan = shown.shape('Plan', 'Plan: a recurring price for subscriptions', {
  id: shown.code('Id of the plan: chosen at creation, otherwise generated', 'gold'),
  catalog_item: shown.nullable(shown.code('Id of the item that it belongs to; null: none', 'support-hour'), null),
  name: shown.text('Name of the plan, as printed on documents', 'Gold plan'),
  currency: shown.currency(),
  amount: shown.nullable(shown.money('Price per unit and period; null: tiers or the subscription have the price', 49)),
  pricing_mode: shown.choice(
    '`per_unit`: quantity x `amount`; `volume`: the whole quantity at the price of its tier; `tiered`: each part at the price of its tier; `custom`: quantity x the amount of the subscription',
    'per_unit',
    'volume',
    'tiered',
    'custom',
  ),
  quantity_type: shown.choice(
    '`constant`: the subscription has the quantity; `usage`: the usage that `POST /subscriptions/{id}/usage` reports, billed at the end of its period',
    ...quantityTypes,
  ),
  interval: shown.choice('Unit of the billing period', 'month', 'day', 'week', 'year'),
  interval_count: shown.integer('Length of the billing period in `interval` units; 3 with `month` is a quarter', 1),
  tiers: shown.nullable(shown.listOf(shownTier, 'Price tiers; null for `per_unit` and `custom`'), null),
  portal_changes: shown.unset(
    shown.one(
      shownPortalChanges,
      'Changes of its subscriptions that customers make in the portal; what is null is as the account says; null: all is',
    ),
  ),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
  metadata: shown.metadata,
});

const readOnly = ['object', 'created_at', 'updated_at'];

/** Maximum number of intervals between two bills. */
const MOST_INTERVALS = 365;

const MOST_TIERS = 100;

const tier = object({
  min_qty: fields.described(fields.unitPrice, 'Smallest whole quantity: the previous `max_qty` plus 1; may be omitted'),
  max_qty: fields.described(fields.unitPrice, 'Largest quantity of the tier; omitted only in the last tier'),
  unit_cost: fields.required(fields.unitPrice),
});

const changesOfPlan = fields.described(
  portalChanges,
  'Changes of its subscriptions that customers make in the portal; they replace the current ones as a whole; what is absent is as the account says',
);

const newPlan = object(
  {
    id: fields.newCode,
    name: fields.required(fields.name),
    catalog_item: fields.code,
    currency: fields.currency,
    pricing_mode: fields.withDefault(fields.choice('per_unit', 'volume', 'tiered', 'custom'), 'per_unit'),
    amount: fields.described(
      fields.unitPrice,
      'Price per unit and period; required for `per_unit`, refused for other modes; in major currency units',
    ),
    tiers: fields.list(tier, MOST_TIERS),
    quantity_type: fields.withDefault(fields.choice(...quantityTypes), 'constant'),
    interval: fields.required(fields.choice('day', 'week', 'month', 'year')),
    interval_count: fields.withDefault(fields.wholeNumber(1, MOST_INTERVALS), 1),
    portal_changes: changesOfPlan,
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly },
);

const fixed = [
  'id',
  'catalog_item',
  'currency',
  'amount',
  'pricing_mode',
  'quantity_type',
  'interval',
  'interval_count',
  'tiers',
];

const planChange = object(
  {
    name: fields.kept(fields.name),
    portal_changes: changesOfPlan,
    metadata: fields.resettable(fields.metadata, {}),
  },
  { readOnly, fixed },
);

/** Converts the price fields of a request to the input of commands. */
function priceOf({ pricing_mode: pricingMode, amount, tiers }: z.output<typeof newPlan>) {
  const kept = tiers?.map(({ min_qty, max_qty, unit_cost: unitCost }) => ({
    minQuantity: min_qty ?? null,
    maxQuantity: max_qty ?? null,
    unitCost,
  }));
  return { pricingMode, amount, tiers: kept };
}

const ofItem = '(account_id, item_id) in (select account_id, id from item where code = ?)';

export const plans: Resource<Plan, 'code'> = {
  name: 'Plan',
  area: 'catalog',
  shape: plan,
  row: Plan,
  idColumn: 'code',
  metadata: true,
  searchable: searchWords(
    { words: CATALOG_WORDS, keys: CATALOG_KEYS, columns: { name: 'name', id: 'code' } },
    '`name` and `id`',
  ),
  exists: condition('archived_at is null'),
  columns: {
    id: column('code', fields.code),
    name: column('name', fields.text()),
    currency: filtered('currency', fields.currency),
    interval: filtered('"interval"', fields.choice('day', 'week', 'month', 'year')),
    pricing_mode: filtered('pricing_mode', fields.choice('per_unit', 'volume', 'tiered', 'custom')),
    catalog_item: { sort: null, filter: where(fields.code, (code) => condition(ofItem, code)) },
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (reading, rows) => {
    const ids = rows.flatMap(({ item }) => (item ? [item.id] : []));
    const found = await reading.byId(Item, ids);
    return rows.map((row) => presentPlan(row, found.get(row.item?.id ?? 0) ?? null));
  },
  relations: {
    catalog_item: relation(
      () => items,
      (row) => row.item?.id ?? null,
    ),
  },
};

const path = '/plans';
const present = (plan: Plan) => presentPlan(plan, plan.item ?? null);

export const planRoutes: Route[] = [
  createRoute({
    path,
    resource: plans,
    summary: 'Create a plan',
    body: newPlan,
    present,
    example: { id: 'gold', name: 'Gold plan', amount: 49, interval: 'month' },
    command: (em, { caller, body }, now) => {
      const { id, name, interval, interval_count: intervalCount, metadata } = body;
      const currency = body.currency ?? caller.account.currency;
      const portalChanges = portalChangesSent(body.portal_changes) ?? null;
      const quantityType = body.quantity_type;
      const fields = { name, metadata, interval, intervalCount, currency, quantityType, portalChanges };
      const named = { code: id ?? null, itemCode: body.catalog_item ?? null };
      return createPlan(em, { caller, ...named, fields, price: priceOf(body) }, now);
    },
  }),
  listRoute({ path, resource: plans, summary: 'List plans' }),
  readRoute({ path, resource: plans, summary: 'Read a plan' }),
  updateRoute({
    path,
    resource: plans,
    summary: 'Change a plan: name, metadata, or what its customers change themselves',
    present,
    body: planChange,
    example: { name: 'Gold plan 2027' },
    command: (em, { caller, code, body: { portal_changes: changes, ...fields } }, now) =>
      updatePlan(em, { caller, code, fields: { ...fields, portalChanges: portalChangesSent(changes) } }, now),
  }),
  deleteRoute({
    path,
    resource: plans,
    summary: 'Archive a plan; existing subscriptions keep it',
    command: archivePlan,
  }),
];
