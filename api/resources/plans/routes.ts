import { archivePlan, createPlan, updatePlan } from '../../../commands/catalog/plans.ts';
import type { Plan } from '../../../db/schema/plan.ts';
import { presentPlan } from '../../../present/catalog/plan.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { plans } from './resource.ts';
import { newPlan, planChange, priceOf } from './schema.ts';

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
      const fields = { name, metadata, interval, intervalCount, currency, quantityType: body.quantity_type };
      const named = { code: id ?? null, itemCode: body.catalog_item ?? null };
      return createPlan(em, { caller, ...named, fields, price: priceOf(body) }, now);
    },
  }),
  listRoute({ path, resource: plans, summary: 'List plans' }),
  readRoute({ path, resource: plans, summary: 'Read a plan' }),
  updateRoute({
    path,
    resource: plans,
    summary: 'Change a plan: name or metadata',
    present,
    body: planChange,
    example: { name: 'Gold plan 2027' },
    command: (em, { caller, code, body }, now) => updatePlan(em, { caller, code, fields: body }, now),
  }),
  deleteRoute({
    path,
    resource: plans,
    summary: 'Archive a plan; existing subscriptions keep it',
    command: archivePlan,
  }),
];
