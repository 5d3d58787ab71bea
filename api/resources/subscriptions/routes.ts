import { updateSubscription } from '../../../commands/subscriptions/changing.ts';
import { createSubscription } from '../../../commands/subscriptions/creating.ts';
import { cancelSubscription } from '../../../commands/subscriptions/ending.ts';
import { renewSubscription } from '../../../commands/subscriptions/renewing.ts';
import { number } from '../../../present/kernel/values.ts';
import { presentSubscription } from '../../../present/subscriptions/subscription.ts';
import { definedOnly } from '../../body/definedOnly.ts';
import { refuseChanges } from '../../body/request.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { actionRoute, changeRoute, createRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { timelineRoute } from '../timelines/timeline.ts';
import { dryRunOfChange, dryRunOfCreation } from './dryRun.ts';
import { previewRoute } from './preview.ts';
import { subscriptions } from './resource.ts';
import { contractRenewal, newSubscription, pricedOf, subscriptionChange } from './schema.ts';

type Changed = Awaited<ReturnType<typeof updateSubscription>>;

const path = '/subscriptions';
const present = ({ subscription, plan }: Changed) => presentSubscription(subscription, plan);

export const subscriptionRoutes: Route[] = [
  createRoute({
    path,
    resource: subscriptions,
    summary: 'Create a subscription',
    body: newSubscription,
    present,
    example: { customer: 1, plan: 'gold' },
    command: (em, { caller, body }, now) => {
      const { customer: customerId, paused, metadata } = body;
      const asked = { customerId, paused, metadata, cancelAtPeriodEnd: body.cancel_at_period_end };
      const term = {
        startAt: body.start_date ?? null,
        cycles: body.cycles ?? null,
        renewalMode: body.contract_renewal_mode ?? 'none',
        renewalCycles: body.contract_renewal_cycles ?? null,
        snapDay: body.snap_to_nth_day ?? null,
        backfill: body.backfill ?? false,
        shipTo: body.ship_to ?? null,
      };
      return createSubscription(em, { caller, ...asked, ...term, ...pricedOf(body) }, now);
    },
    dryRun: dryRunOfCreation,
  }),
  previewRoute,
  listRoute({
    path,
    resource: subscriptions,
    summary: 'List subscriptions; `canceled=1` and `finished=1` add those that ended',
  }),
  readRoute({ path, resource: subscriptions, summary: 'Read a subscription' }),
  timelineRoute('subscription', { path, resource: subscriptions }),
  updateRoute({
    path,
    resource: subscriptions,
    summary:
      'Change a subscription: pause, resume, cancel at the end of the period; replace discounts, taxes, metadata or the terms of its renewal',
    body: subscriptionChange,
    example: { cancel_at_period_end: true },
    present,
    command: async (em, { caller, id, body }, now) => {
      const { paused, metadata, plan, quantity, amount, start_date } = body;
      const { discounts, taxes } = body;
      const terms = { discounts: discounts === null ? [] : discounts, taxes: taxes === null ? [] : taxes };
      const change = definedOnly({
        paused,
        resumeAt: body.resume_at,
        resumeMode: body.resume_mode,
        metadata,
        cancelAtPeriodEnd: body.cancel_at_period_end,
        renewalMode: body.contract_renewal_mode,
        renewalCycles: body.contract_renewal_cycles,
        shipTo: body.ship_to,
        ...terms,
      });
      const changed = await updateSubscription(em, { caller, id, ...change }, now);
      refuseChanges({ plan, quantity, amount: amount && number(amount), start_date }, present(changed));
      return changed;
    },
    dryRun: dryRunOfChange,
  }),
  changeRoute({
    method: 'POST',
    path: `${path}/:id/renew`,
    operationId: 'renewSubscription',
    summary: 'Renew a contract that has ended and waits for it (`pending_renewal`)',
    resource: subscriptions,
    body: contractRenewal,
    example: { cycles: 12 },
    command: (em, { caller, id, body }, now) =>
      renewSubscription(em, { caller, id, cycles: body.cycles ?? null, startsNow: body.start === 'now' }, now),
    present,
    dryRun: dryRunOfChange,
  }),
  actionRoute({
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: 'cancelSubscription',
    summary: 'Cancel a subscription at once',
    resource: subscriptions,
    command: cancelSubscription,
    present,
    dryRun: dryRunOfChange,
  }),
];
