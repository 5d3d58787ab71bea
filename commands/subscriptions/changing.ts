import { discountsChosen } from '../../billing/recurring.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type Address, newShipTo } from '../../billing/shipTo.ts';
import { checkRenewal, type RenewalMode } from '../../billing/subscription.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Subscription } from '../../db/schema/subscription.ts';
import {
  isOver,
  type LockedSubscription,
  lockSubscription,
  recordSubscription,
  replanSubscription,
  subscriptionEventObject,
} from '../aggregates/subscription.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges, differs } from '../kernel/changes.ts';
import { catchUp } from './billing.ts';
import { chooseCoupons, chooseRates, reprice } from './content.ts';
import { numberDocuments } from './ending.ts';
import { changePause, type PauseChange } from './pausing.ts';
import { revokeAhead, revokeUnlessBegins } from './revoking.ts';
import { movesStart, moveStart, type StartChange, takeFirstStep } from './starting.ts';

export interface SubscriptionChange extends PauseChange, StartChange {
  caller: Caller;
  id: number;
  cancelAtPeriodEnd?: boolean;
  renewalMode?: RenewalMode;
  renewalCycles?: number | null;
  shipTo?: Address | null;
  discounts?: readonly string[];
  taxes?: readonly string[];
  metadata?: Record<string, string>;
}

/**
 * Changes a subscription, if anything differs: pauses or resumes it, sets or clears its cancellation at the end of the period, moves its
 * start or its trial's end, replaces discounts, taxes, shipping address, terms of its renewal and metadata. Takes due steps first if their
 * result depends on the change. Takes back the bill of a period that is billed ahead and will not begin. Refuses a subscription that has
 * ended. Throws Missing.
 */
export async function updateSubscription(
  em: EntityManager,
  change: SubscriptionChange,
  systemNow: Date,
): Promise<LockedSubscription> {
  const at = await lockSubscription(em, change, systemNow);
  const { subscription, moment } = at;
  const { cancelAtPeriodEnd, renewalMode, renewalCycles, metadata } = change;
  const { paused, resumeAt, resumeMode } = change;
  const pause = subscription.paused || paused ? { paused, resumeAt, resumeMode } : { resumeAt };
  const former = subscription.discounts;
  const terms = await changedTerms(em, at, change);
  const shipTo =
    change.shipTo === undefined
      ? undefined
      : newShipTo(change.shipTo, subscription.shipTo ?? null, moment.now.getTime());
  const billing = { renewalMode, renewalCycles, shipTo, ...terms };
  const moves = movesStart(at, change);
  if (!moves && !differs(subscription, { cancelAtPeriodEnd, metadata, ...pause, ...billing })) return at;
  if (moves || change.cancelAtPeriodEnd || differs(subscription, { ...pause, ...billing })) await catchUp(em, at);
  if (isOver(subscription)) throw new Refusal(`Subscription is ${subscription.status} and can no longer be changed`);
  const movedAhead = moves ? await revokeAhead(em, at) : null;
  const before = subscriptionEventObject(at);
  if (moves) moveStart(at, change);
  if (change.cancelAtPeriodEnd !== undefined) subscription.cancelAtPeriodEnd = change.cancelAtPeriodEnd;
  if (change.metadata !== undefined) subscription.metadata = change.metadata;
  if (assignChanges(subscription, { renewalMode, renewalCycles })) checkRenewal(termsOf(subscription));
  const resumed = await changePause(em, at, change);
  const { discounts: wanted } = terms;
  const billed = { before: former, after: subscription.discounts };
  const discounts = wanted && discountsChosen(wanted, billed);
  if (assignChanges(subscription, { ...terms, shipTo, discounts })) await reprice(em, at);
  recordSubscription(em, at, { type: 'subscription.updated', before });
  const credit = movedAhead ?? (await revokeUnlessBegins(em, at));
  const bill = moves ? await takeFirstStep(em, at) : resumed;
  await replanSubscription(em, at, {});
  await numberDocuments(em, at, { bill, credit });
  return at;
}

function termsOf({ cycles, renewalMode, renewalCycles }: Subscription) {
  return { cycles: cycles ?? null, renewalMode, renewalCycles: renewalCycles ?? null };
}

/** The requested discounts and taxes. Locks coupons, so call it before due bills lock number series. */
async function changedTerms(
  em: EntityManager,
  at: LockedSubscription,
  { discounts, taxes }: SubscriptionChange,
): Promise<Partial<Pick<Subscription, 'discounts' | 'taxes'>>> {
  const { id, discounts: coupons, taxes: rates } = at.subscription;
  const { currency } = at.plan;
  return {
    ...(discounts
      ? { discounts: await chooseCoupons(em, at, { codes: discounts, known: coupons, currency, id }) }
      : {}),
    ...(taxes ? { taxes: await chooseRates(em, at, { codes: taxes, known: rates, currency }) } : {}),
  };
}
