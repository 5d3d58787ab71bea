import { cancelSubscription, createSubscription, updateSubscription } from '../../../commands/subscriptions.ts';
import { Subscription } from '../../../db/schema/subscription.ts';
import { presentSubscription } from '../../../present/subscription.ts';
import { expandOne } from '../../expand.ts';
import { given } from '../../given.ts';
import { list } from '../../list.ts';
import { found, pathId, type Route, reply, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { subscriptionRelations, subscriptions } from './listing.ts';
import { newSubscription, subscriptionChange } from './schema.ts';

const shown = (subscription: Subscription) => presentSubscription(subscription, subscription.plan);

export const subscriptionRoutes: Route[] = [
  withBody({
    method: 'POST',
    path: '/subscriptions',
    summary: 'Start a subscription',
    body: newSubscription,
    handle: (request, body) => {
      const { customer: customerId, plan: planCode, quantity, paused, metadata } = body;
      const asked = { customerId, planCode, quantity, paused, metadata, cancelAtPeriodEnd: body.cancel_at_period_end };
      const term = { startAt: body.start_date ?? null, cycles: body.cycles ?? null };
      return write(request, {
        statusCode: 201,
        command: (em, caller, now) => createSubscription(em, { caller, ...asked, ...term }, now),
        present: ({ subscription, plan }) => presentSubscription(subscription, plan),
      });
    },
  }),
  {
    method: 'GET',
    path: '/subscriptions',
    summary: 'List subscriptions; canceled and finished ones with canceled=1, finished=1',
    handle: (request) => list(request, subscriptions),
  },
  {
    method: 'GET',
    path: '/subscriptions/:id',
    summary: 'Read a subscription',
    handle: async (request) => {
      const id = pathId(request, 'Subscription');
      const { em, query, caller } = request;
      const stored = await em.findOne(Subscription, { accountId: caller.account.id, id }, { populate: ['plan'] });
      const row = found(stored, 'Subscription', id);
      return reply(200, await expandOne(em, { row, presented: shown(row), query, relations: subscriptionRelations }));
    },
  },
  withBody({
    method: 'PATCH',
    path: '/subscriptions/:id',
    summary: 'Pause, resume, cancel at the end of the period, replace metadata',
    body: subscriptionChange,
    handle: (request, body) => {
      const id = pathId(request, 'Subscription');
      const { paused, metadata } = body;
      const change = given({ paused, metadata, cancelAtPeriodEnd: body.cancel_at_period_end });
      return write(request, {
        statusCode: 200,
        command: (em, caller, now) => updateSubscription(em, { caller, id, ...change }, now),
        present: ({ subscription, plan }) => presentSubscription(subscription, plan),
      });
    },
  }),
  {
    method: 'DELETE',
    path: '/subscriptions/:id',
    summary: 'Cancel a subscription at once',
    handle: (request) => {
      const id = pathId(request, 'Subscription');
      return write(request, {
        statusCode: 200,
        command: (em, caller, now) => cancelSubscription(em, { caller, id }, now),
        present: ({ subscription, plan }) => presentSubscription(subscription, plan),
      });
    },
  },
];
