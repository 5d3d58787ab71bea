import { cancelSubscription, createSubscription, updateSubscription } from '../../../commands/subscriptions.ts';
import type { Subscription } from '../../../db/schema/subscription.ts';
import { presentSubscription } from '../../../present/subscription.ts';
import { given } from '../../given.ts';
import { listRoute, readRoute } from '../../readRoutes.ts';
import { refuseChanges } from '../../request.ts';
import { pathId, type Route, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { subscriptions } from './resource.ts';
import { newSubscription, subscriptionChange } from './schema.ts';

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
  listRoute(
    '/subscriptions',
    subscriptions,
    'List subscriptions; canceled and finished ones with canceled=1, finished=1',
  ),
  readRoute('/subscriptions', subscriptions, 'Read a subscription'),
  withBody({
    method: 'PATCH',
    path: '/subscriptions/:id',
    summary: 'Pause, resume, cancel at the end of the period, replace metadata',
    body: subscriptionChange,
    handle: (request, body) => {
      const id = pathId(request, 'Subscription');
      const { paused, metadata, plan, quantity, start_date } = body;
      const change = given({ paused, metadata, cancelAtPeriodEnd: body.cancel_at_period_end });
      return write(request, {
        statusCode: 200,
        command: async (em, caller, now) => {
          const changed = await updateSubscription(em, { caller, id, ...change }, now);
          const asShown = presentSubscription(changed.subscription, changed.plan);
          refuseChanges({ plan, quantity, start_date }, asShown);
          return changed;
        },
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
