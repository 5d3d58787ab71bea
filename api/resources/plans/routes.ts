import { archivePlan, createPlan, updatePlan } from '../../../commands/plans.ts';
import type { Plan } from '../../../db/schema/plan.ts';
import { presentPlan } from '../../../present/plan.ts';
import { listRoute, readRoute } from '../../readRoutes.ts';
import { pathCode, type Route, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { plans } from './resource.ts';
import { newPlan, planChange } from './schema.ts';

const shown = (plan: Plan) => presentPlan(plan, plan.item ?? null);

export const planRoutes: Route[] = [
  withBody({
    method: 'POST',
    path: '/plans',
    summary: 'Create a plan',
    body: newPlan,
    handle: (request, body) => {
      const { id, name, amount, interval, metadata } = body;
      const currency = body.currency ?? request.caller.account.currency;
      const intervals = { interval, intervalCount: body.interval_count };
      const pricing = { currency, amount, pricingMode: 'per_unit', quantityType: 'constant' } as const;
      const plan = {
        code: id ?? null,
        itemCode: body.catalog_item ?? null,
        fields: { name, metadata, ...pricing, ...intervals },
      };
      return write(request, {
        statusCode: 201,
        command: (em, caller, now) => createPlan(em, { caller, ...plan }, now),
        present: shown,
      });
    },
  }),
  listRoute('/plans', plans, 'List plans'),
  readRoute('/plans', plans, 'Read a plan'),
  withBody({
    method: 'PATCH',
    path: '/plans/:id',
    summary: 'Change name or metadata of a plan',
    body: planChange,
    handle: (request, body) => {
      const code = pathCode(request, 'Plan');
      return write(request, {
        statusCode: 200,
        command: (em, caller, now) => updatePlan(em, { caller, code, fields: body }, now),
        present: shown,
      });
    },
  }),
  {
    method: 'DELETE',
    path: '/plans/:id',
    summary: 'End the sale of a plan',
    handle: (request) => {
      const code = pathCode(request, 'Plan');
      return write(request, {
        statusCode: 204,
        command: (em, caller, now) => archivePlan(em, { caller, code }, now),
        present: () => null,
      });
    },
  },
];
