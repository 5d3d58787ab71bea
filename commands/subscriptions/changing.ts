import { type PendingChange, withoutFields } from '../../billing/pendingChange.ts';
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
import { chooseCoupons, chooseRates, repriceComponents } from './content.ts';
import { numberDocuments } from './ending.ts';
import { billPending } from './final.ts';
import { changePause, type PauseChange } from './pausing.ts';
import { keepChange } from './pendingChange.ts';
import { changePrice, type FoundPriceChange, findPriceChange, isPriceChange, type PriceChange } from './priceChange.ts';
import { revokeAhead, revokeUnlessBegins } from './revoking.ts';
import { movesStart, moveStart, type StartChange, takeFirstStep } from './starting.ts';

export interface SubscriptionChange extends PauseChange, PriceChange, StartChange {
  caller: Caller;
  id: number;
  /** Keeps price, discounts and taxes for the next period or contract instead of changing them now. */
  isForRenewal?: boolean;
  /** Drops the pending change. */
  dropsPending?: boolean;
  cancelAtPeriodEnd?: boolean;
  renewalMode?: RenewalMode;
  renewalCycles?: number | null;
  shipTo?: Address | null;
  discounts?: readonly string[];
  taxes?: readonly string[];
  metadata?: Record<string, string>;
}

/**
 * Changes a subscription, if anything differs: its price, discounts, taxes, shipping address, start, trial, pause, the terms of its renewal,
 * its cancellation at the end of the period, metadata. Takes due steps first if their result depends on the change. Prorates a change of the
 * price, and bills it at once if asked to or if periods restart. Takes back the bill of a period that is billed ahead and will not begin.
 * Refuses a subscription that has ended. Throws Missing.
 */
export async function updateSubscription(
  em: EntityManager,
  change: SubscriptionChange,
  systemNow: Date,
): Promise<LockedSubscription> {
  const at = await lockSubscription(em, change, systemNow);
  const { subscription } = at;
  const { cancelAtPeriodEnd, metadata } = change;
  const former = subscription.discounts;
  const price = await findPriceChange(em, at, change);
  const terms = await changedTerms(em, at, change);
  if (change.isForRenewal) {
    const { discounts, taxes } = terms;
    return changeAtRenewal(em, at, { price, discounts, taxes, dropsPending: change.dropsPending ?? false });
  }
  const moves = movesStart(at, change);
  const isBilling = moves || isPriceChange(at, price) || differs(subscription, { ...pauseOf(at, change), ...terms });
  const dropsPending = Boolean(change.dropsPending && subscription.pendingChange);
  if (!isBilling && !dropsPending && !differs(subscription, { cancelAtPeriodEnd, metadata })) return at;
  if (isBilling || cancelAtPeriodEnd) await catchUp(em, at);
  if (isOver(subscription)) throw new Refusal(`Subscription is ${subscription.status} and can no longer be changed`);
  const movedAhead = moves ? await revokeAhead(em, at) : null;
  const before = subscriptionEventObject(at);
  if (moves) moveStart(at, change);
  if (cancelAtPeriodEnd !== undefined) subscription.cancelAtPeriodEnd = cancelAtPeriodEnd;
  if (metadata !== undefined) subscription.metadata = metadata;
  const { renewalMode, renewalCycles, ...content } = terms;
  if (assignChanges(subscription, { renewalMode, renewalCycles })) checkRenewal(termsOf(subscription));
  const resumed = await changePause(em, at, change);
  const discounts =
    content.discounts && discountsChosen(content.discounts, { before: former, after: subscription.discounts });
  const changed = changedFields(at, { ...price, discounts, taxes: content.taxes });
  subscription.pendingChange = dropsPending ? null : withoutFields(subscription.pendingChange ?? null, changed);
  const isRepriced = assignChanges(subscription, { ...content, discounts });
  const priced = isPriceChange(at, price) ? await changePrice(em, at, price) : null;
  if (isRepriced || priced) await repriceComponents(em, at);
  recordSubscription(em, at, { type: 'subscription.updated', before });
  const credit = movedAhead ?? priced?.credit ?? (await revokeUnlessBegins(em, at));
  const first = moves || priced?.restarts ? await takeFirstStep(em, at) : null;
  const now = priced?.isProrated && price.prorate === 'now' ? await billPending(em, at, { lines: [], date: at.moment.now }) : null;
  await replanSubscription(em, at, {});
  await numberDocuments(em, at, { bills: [resumed, priced?.used ?? null, first, now], credit });
  return at;
}

/** Keeps a change until the next period or contract begins. Takes back a bill ahead of a contract that the change belongs to. */
async function changeAtRenewal(
  em: EntityManager,
  at: LockedSubscription,
  change: Parameters<typeof keepChange>[2],
): Promise<LockedSubscription> {
  const { subscription } = at;
  await catchUp(em, at);
  if (isOver(subscription)) throw new Refusal(`Subscription is ${subscription.status} and can no longer be changed`);
  const before = subscriptionEventObject(at);
  await keepChange(em, at, change);
  recordSubscription(em, at, { type: 'subscription.updated', before });
  const credit = await revokeUnlessBegins(em, at);
  await replanSubscription(em, at, {});
  await numberDocuments(em, at, { bills: [], credit });
  return at;
}

/** The fields of a pending change that a request changes at once. */
function changedFields(
  { subscription }: LockedSubscription,
  { plan, quantity, amount, cycles, addons, discounts, taxes }: FoundPriceChange & Pick<PendingChange, 'discounts' | 'taxes'>,
): string[] {
  const values = Object.entries({ quantity, amount, cycles, discounts, taxes });
  const changed = values.filter(([name, value]) => differs(subscription, { [name]: value })).map(([name]) => name);
  return [...(plan ? ['plan'] : []), ...(addons ? ['addons'] : []), ...changed];
}

function pauseOf({ subscription }: LockedSubscription, { paused, resumeAt, resumeMode }: PauseChange): object {
  return subscription.paused || paused ? { paused, resumeAt, resumeMode } : { resumeAt };
}

function termsOf({ cycles, renewalMode, renewalCycles }: Subscription) {
  return { cycles: cycles ?? null, renewalMode, renewalCycles: renewalCycles ?? null };
}

type Terms = Pick<Subscription, 'discounts' | 'taxes' | 'shipTo' | 'renewalMode' | 'renewalCycles'>;

/** The requested discounts, taxes and other terms. Locks coupons, so call it before due bills lock number series. */
async function changedTerms(
  em: EntityManager,
  at: LockedSubscription,
  { discounts, taxes, shipTo, renewalMode, renewalCycles }: SubscriptionChange,
): Promise<{ [Name in keyof Terms]?: Terms[Name] | undefined }> {
  const { id, discounts: coupons, taxes: rates } = at.subscription;
  const { currency } = at.plan;
  const now = at.moment.now.getTime();
  return {
    renewalMode,
    renewalCycles,
    shipTo: shipTo === undefined ? undefined : newShipTo(shipTo, at.subscription.shipTo ?? null, now),
    discounts: discounts && (await chooseCoupons(em, at, { codes: discounts, known: coupons, currency, id })),
    taxes: taxes && (await chooseRates(em, at, { codes: taxes, known: rates, currency })),
  };
}
