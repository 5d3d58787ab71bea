import { allOf } from '../../../db/queries/listing.ts';
import { Subscription } from '../../../db/schema/subscription.ts';
import { presentCustomer } from '../../../present/customer.ts';
import { presentPlan } from '../../../present/plan.ts';
import { presentSubscription } from '../../../present/subscription.ts';
import type { Relations } from '../../expand.ts';
import * as fields from '../../fields.ts';
import { conditionsOn, type Listing, readParameter } from '../../listing.ts';
import type { ApiRequest } from '../../route.ts';

const where = conditionsOn<Subscription>();
const statuses = fields.choice('not_started', 'active', 'past_due', 'finished', 'canceled');

export const subscriptionRelations: Relations<Subscription> = {
  customer: {
    load: (em, rows) => em.populate(rows, ['customer.defaultSource']),
    present: ({ customer }) => presentCustomer(customer, customer.defaultSource ?? null),
  },
  plan: {
    load: (em, rows) => em.populate(rows, ['plan.item']),
    present: ({ plan }) => presentPlan(plan, plan.item ?? null),
  },
};

/** Ended subscriptions only for those who ask for them, by `canceled=1`, `finished=1` or a filter on the status. */
function scope({ caller, query }: ApiRequest) {
  const accountId = caller.account.id;
  const hidden = (['canceled', 'finished'] as const).filter((status) => {
    const text = query.get(status) ?? '';
    return text === '' || !readParameter(fields.boolean, text, status);
  });
  if (hidden.length === 0 || query.has('filter[status]')) return { accountId };
  return allOf<Subscription>([{ accountId }, { status: { $nin: hidden } }]);
}

export const subscriptions: Listing<Subscription> = {
  row: Subscription,
  scope,
  sort: {
    id: (to) => ({ id: to }),
    start_date: (to) => ({ anchorAt: to }),
    status: (to) => ({ status: to }),
    period_end: (to) => ({ periodEndAt: to }),
    created_at: (to) => ({ createdAt: to }),
    updated_at: (to) => ({ updatedAt: to }),
  },
  filter: {
    id: where(fields.id, (id) => ({ id })),
    customer: where(fields.id, (id) => ({ customer: { id } })),
    plan: where(fields.code, (code) => ({ plan: { code } })),
    status: where(statuses, (status) => ({ status })),
    paused: where(fields.boolean, (paused) => ({ paused })),
    cancel_at_period_end: where(fields.boolean, (cancelAtPeriodEnd) => ({ cancelAtPeriodEnd })),
  },
  parameters: {
    updated_after: where(fields.timestamp, (at) => ({ updatedAt: { $gte: at } })),
    updated_before: where(fields.timestamp, (at) => ({ updatedAt: { $lte: at } })),
  },
  byId: (to) => ({ id: to }),
  find: (em, conditions, slice) => em.find(Subscription, conditions, { ...slice, populate: ['plan'] }),
  present: (subscription) => presentSubscription(subscription, subscription.plan),
  relations: subscriptionRelations,
};
