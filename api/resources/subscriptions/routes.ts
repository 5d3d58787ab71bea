import { updateSubscription } from '../../../commands/subscriptions/changes/changing.ts';
import { createSubscription } from '../../../commands/subscriptions/changes/creating.ts';
import { revokeSubscriptionLinks } from '../../../commands/subscriptions/changes/links.ts';
import { cancelSubscription } from '../../../commands/subscriptions/steps/ending.ts';
import { renewSubscription } from '../../../commands/subscriptions/steps/renewing.ts';
import { presentSubscription } from '../../../present/subscriptions/subscription.ts';
import { definedOnly } from '../../body/request.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { actionRoute, changeRoute, createRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { timelineRoute } from '../timelines.ts';
import { addonsOf } from './addonFields.ts';
import { cancellationOf, cancellationParameters, reasonOf } from './cancellation.ts';
import { dryRunOfChange, dryRunOfCreation, previewRoute, upcomingInvoicesRoute } from './previews.ts';
import { subscriptions } from './resource.ts';
import { contractRenewal, newSubscription, pricedOf, subscriptionChange, thresholdsOf } from './schema.ts';
import { selfServiceRoutes } from './selfService.ts';

type Changed = Awaited<ReturnType<typeof updateSubscription>>;

const path = '/subscriptions';
const present = ({ subscription, ...sold }: Changed) => presentSubscription(subscription, sold);

export const subscriptionRoutes: Route[] = [
  createRoute({
    path,
    resource: subscriptions,
    summary: 'Create a subscription',
    body: newSubscription,
    present,
    example: { customer: 1, plan: 'gold', addons: [{ plan: 'seats', quantity: 5 }] },
    command: (em, { caller, body }, now) => {
      const subscription = {
        customerId: body.customer,
        paused: body.paused,
        metadata: body.metadata,
        cancelAtPeriodEnd: body.cancel_at_period_end,
        pauseAtPeriodEnd: body.pause_at_period_end,
        startAt: body.start_date ?? null,
        trialDays: body.trial_days ?? null,
        trialEndAt: body.trial_end ?? null,
        billIn: body.bill_in,
        advanceDays: body.bill_in_advance_days,
        cycles: body.cycles ?? null,
        renewalMode: body.contract_renewal_mode ?? 'none',
        renewalCycles: body.contract_renewal_cycles ?? null,
        snapDay: body.snap_to_nth_day ?? null,
        backfill: body.backfill ?? false,
        shipTo: body.ship_to ?? null,
        usageThresholds: thresholdsOf(body.usage_thresholds) ?? null,
      };
      return createSubscription(em, { caller, ...subscription, ...pricedOf(body) }, now);
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
  upcomingInvoicesRoute,
  timelineRoute('subscription', { path, resource: subscriptions }),
  updateRoute({
    path,
    resource: subscriptions,
    summary:
      'Change a subscription: its price, add-ons, discounts, taxes and terms; move its start or the end of its trial; pause or resume it; pause or cancel it at the end of the period',
    body: subscriptionChange,
    example: { cancel_at_period_end: true, addons: [{ plan: 'seats', quantity: 6 }] },
    present,
    command: async (em, { caller, id, body }, now) => {
      const { discounts, taxes } = body;
      const change = definedOnly({
        paused: body.paused,
        pauseAtPeriodEnd: body.pause_at_period_end,
        resumeAt: body.resume_at,
        resumeMode: body.resume_mode,
        metadata: body.metadata,
        startAt: body.start_date,
        trialEndAt: body.trial_end,
        backfill: body.backfill,
        cancelAtPeriodEnd: body.cancel_at_period_end,
        cancellation: reasonOf(body) ?? undefined,
        renewalMode: body.contract_renewal_mode,
        renewalCycles: body.contract_renewal_cycles,
        shipTo: body.ship_to,
        usageThresholds: thresholdsOf(body.usage_thresholds),
        discounts: discounts === null ? [] : discounts,
        taxes: taxes === null ? [] : taxes,
        planCode: body.plan,
        quantity: body.quantity,
        amount: body.amount,
        cycles: body.cycles,
        prorate: body.prorate,
        prorationDate: body.proration_date ?? undefined,
        isForRenewal: body.when === 'renewal',
        dropsPending: body.pending_change === null,
        addons: body.addons === undefined ? undefined : addonsOf(body.addons),
      });
      return updateSubscription(em, { caller, id, ...change }, now);
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
    path: `${path}/:id/revoke_links`,
    operationId: 'revokeSubscriptionLinks',
    summary: 'Give a new address to the page of a subscription; the one from before leads nowhere',
    resource: subscriptions,
    command: revokeSubscriptionLinks,
    present,
  }),
  actionRoute({
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: 'cancelSubscription',
    summary: 'Cancel a subscription at once; its final invoice has what is still to be billed or credited',
    resource: subscriptions,
    parameters: cancellationParameters,
    command: (em, { caller, id, request }, now) =>
      cancelSubscription(em, { caller, id, ...cancellationOf(request) }, now),
    present,
    dryRun: dryRunOfChange,
  }),
  ...selfServiceRoutes,
];
