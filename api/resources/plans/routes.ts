import { archivePlan, createPlan, updatePlan } from '../../../commands/plans.ts';
import { Plan } from '../../../db/schema/plan.ts';
import { presentPlan } from '../../../present/plan.ts';
import * as fields from '../../fields.ts';
import { list } from '../../list.ts';
import { conditionsOn, type Listing } from '../../listing.ts';
import { found, pathCode, type Route, reply, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { newPlan, planChange } from './schema.ts';

const shown = (plan: Plan) => presentPlan(plan, plan.item ?? null);

const where = conditionsOn<Plan>();

const plans: Listing<Plan> = {
  row: Plan,
  scope: ({ caller }) => ({ accountId: caller.account.id, archivedAt: null }),
  sort: {
    id: (to) => ({ code: to }),
    name: (to) => ({ name: to }),
    created_at: (to) => ({ createdAt: to }),
    updated_at: (to) => ({ updatedAt: to }),
  },
  filter: {
    id: where(fields.code, (code) => ({ code })),
    name: where(fields.text(), (name) => ({ name })),
    currency: where(fields.currency, (currency) => ({ currency })),
    interval: where(fields.choice('day', 'week', 'month', 'year'), (interval) => ({ interval })),
    catalog_item: where(fields.code, (code) => ({ item: { code } })),
  },
  parameters: {
    updated_after: where(fields.timestamp, (at) => ({ updatedAt: { $gte: at } })),
    updated_before: where(fields.timestamp, (at) => ({ updatedAt: { $lte: at } })),
  },
  byId: (to) => ({ id: to }),
  find: (em, conditions, slice) => em.find(Plan, conditions, { ...slice, populate: ['item'] }),
  present: shown,
};

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
  {
    method: 'GET',
    path: '/plans',
    summary: 'List plans',
    handle: (request) => list(request, plans),
  },
  {
    method: 'GET',
    path: '/plans/:id',
    summary: 'Read a plan',
    handle: async (request) => {
      const code = pathCode(request, 'Plan');
      const owned = { accountId: request.caller.account.id, code, archivedAt: null };
      const plan = await request.em.findOne(Plan, owned, { populate: ['item'] });
      return reply(200, shown(found(plan, 'Plan', code)));
    },
  },
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
