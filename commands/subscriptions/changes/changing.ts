import { Refusal } from '../../../billing/refusal.ts';
import { type PendingChange, withoutFields } from '../../../billing/subscriptions/pendingChange.ts';
import { discountsChosen, type SubscriptionDiscount } from '../../../billing/subscriptions/recurring.ts';
import { checkRenewal } from '../../../billing/subscriptions/subscription.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Subscription } from '../../../db/schema/subscription.ts';
import { presentPendingChange } from '../../../present/subscriptions/subscription.ts';
import {
  type LockedSubscription,
  lockSubscription,
  recordSubscription,
  refuseOver,
  replanSubscription,
  subscriptionEventObject,
} from '../../aggregates/subscription.ts';
import type { WrittenBill } from '../../bills/bills.ts';
import { numberDocuments, type Unnumbered } from '../../bills/bills.ts';
import { assignChanges, differs } from '../../kernel/changes.ts';
import { type FoundPriceChange, findPriceChange, isPriceChange } from '../prices/price.ts';
import { catchUp } from '../steps/billing.ts';
import { billPending } from '../steps/final.ts';
import { moveStart, movesStart, takeFirstStep } from '../steps/starting.ts';
import { moveRates } from '../usage/usageRates.ts';
import { setThresholds, tellThresholds, thresholdsOfChange } from '../usage/usageThresholds.ts';
import { repriceComponents } from './content.ts';
import { changePause, checkPlannedResume, skipPausedPeriods, stopBackfill } from './pausing.ts';
import { checkPending } from './pendingChange.ts';
import { giveBackCoupons, redemptionsOf } from './pendingCoupons.ts';
import { changePrice } from './priceChange.ts';
import { changeAtRenewal } from './renewalChange.ts';
import {
  changedFields,
  pauseOf,
  type RequestedTerms,
  requestedTerms,
  type SubscriptionChange,
} from './requestedChange.ts';
import { revokeAhead, revokeUnlessBegins } from './revoking.ts';

/**
 * Changes a subscription, if anything differs: its price, discounts, taxes, shipping address, start, trial, pause, the terms of its
 * renewal, its cancellation or pause at the end of the period, metadata. Takes due steps first if their result depends on the change; a pause
 * stops a backfill instead.
 * Prorates a change of the price, and bills it at once if asked to or if periods restart. Takes back the bill of a period that is billed
 * ahead and will not begin. Refuses a subscription that has ended. Throws Missing.
 */
export async function updateSubscription(
  em: EntityManager,
  change: SubscriptionChange,
  systemNow: Date,
): Promise<LockedSubscription> {
  const locked = await lockSubscription(em, change, systemNow);
  await numberDocuments(em, locked, await changeLocked(em, locked, change));
  return locked;
}

/** Changes a locked subscription. Returns the documents that it wrote, without their numbers. */
async function changeLocked(
  em: EntityManager,
  locked: LockedSubscription,
  change: SubscriptionChange,
): Promise<Unnumbered> {
  const { subscription } = locked;
  const { cancelAtPeriodEnd, metadata } = change;
  const kept = subscription.pendingChange ?? null;
  const redeemed = change.isForRenewal && change.discounts ? await redemptionsOf(em, subscription) : new Map();
  const terms = await requestedTerms(em, locked, change);
  // Before the due steps, so that a pending change whose bill is refused can be dropped.
  if (change.dropsPending && !change.isForRenewal) subscription.pendingChange = null;
  const { former, caught, isStopped } = await catchUpKeptChange(em, locked, change);
  const price = await findPriceChange(em, locked, change);
  if (change.isForRenewal) return changeAtRenewal(em, locked, { change, terms, redeemed, caught });
  const moves = movesStart(locked, change);
  const isBilling =
    moves || isPriceChange(locked, price) || differs(subscription, { ...pauseOf(locked, change), ...terms });
  const isDropped = Boolean(change.dropsPending && kept);
  const changesEnd = differs(subscription, { cancelAtPeriodEnd });
  const usageThresholds = thresholdsOfChange(locked, change);
  const setsThresholds = differs(subscription, { usageThresholds });
  if (!isBilling && !isDropped && !changesEnd && !setsThresholds && !differs(subscription, { metadata })) {
    if (kept) await replanSubscription(em, locked, {});
    return { bills: caught, credit: null };
  }
  if (!isStopped) caught.push(...(isBilling || changesEnd ? await catchUp(em, locked) : []));
  refuseOver(subscription);
  const movedAhead = moves ? await revokeAhead(em, locked) : null;
  const before = {
    ...subscriptionEventObject(locked),
    ...(isDropped ? { pending_change: presentPendingChange(kept) } : {}),
  };
  const isWaiting = subscription.status === 'not_started';
  if (moves) moveStart(locked, change);
  if (moves && isWaiting) await moveRates(em, locked, subscription.startAt ?? subscription.anchorAt);
  if (cancelAtPeriodEnd !== undefined) subscription.cancelAtPeriodEnd = cancelAtPeriodEnd;
  if (changesEnd && cancelAtPeriodEnd) skipPausedPeriods(locked);
  if (metadata !== undefined) subscription.metadata = metadata;
  const { renewalMode, renewalCycles, ...content } = terms;
  if (assignChanges(subscription, { renewalMode, renewalCycles })) checkRenewal(termsOf(subscription));
  const resumed = await changePause(em, locked, change);
  const isRepriced = await assignContent(em, locked, { price, content, former, dropped: isDropped ? kept : null });
  const priced = isPriceChange(locked, price) ? await changePrice(em, locked, price) : null;
  if (setsThresholds) setThresholds(locked, usageThresholds ?? null);
  await checkPending(em, locked).catch(refuseMisfit);
  checkPlannedResume(locked);
  if (isRepriced && !priced) await repriceComponents(em, locked);
  recordSubscription(em, locked, { type: 'subscription.updated', before });
  if (setsThresholds) await tellThresholds(em, locked);
  const credit = movedAhead ?? priced?.credit ?? (await revokeUnlessBegins(em, locked));
  const first = await firstOf(em, locked, { moves, restarts: priced?.restarts ?? false });
  const now =
    priced?.isProrated && price.prorate === 'now'
      ? await billPending(em, locked, { lines: [], date: locked.moment.now })
      : null;
  await replanSubscription(em, locked, {});
  return { bills: [...caught, resumed, priced?.used ?? null, first, now], credit };
}

/**
 * Takes due steps if a pending change may be due, so that the request is compared with the subscription after it. `caught`: the bills of
 * those steps. `former`: the discounts before them; none if the pending change has applied, because all chosen discounts are new then.
 * `isStopped`: the request pauses a backfill, whose steps are not taken.
 */
async function catchUpKeptChange(
  em: EntityManager,
  locked: LockedSubscription,
  { paused }: SubscriptionChange,
): Promise<{ former: SubscriptionDiscount[]; caught: WrittenBill[]; isStopped: boolean }> {
  const { subscription } = locked;
  const { discounts } = subscription;
  const isStopped = paused === true && !subscription.paused && stopBackfill(locked);
  if (!subscription.pendingChange || isStopped) return { former: discounts, caught: [], isStopped };
  const caught = await catchUp(em, locked);
  return { former: subscription.pendingChange ? discounts : [], caught, isStopped };
}

/** Takes the first step after another start, or after a change of now from which periods are counted anew. */
async function firstOf(
  em: EntityManager,
  locked: LockedSubscription,
  { moves, restarts }: { moves: boolean; restarts: boolean },
): Promise<WrittenBill | null> {
  return moves || restarts ? takeFirstStep(em, locked, { keepsPending: restarts }) : null;
}

/**
 * Sets discounts, taxes and shipping address. Drops the fields of the pending change that the request changes at once, and gives back its
 * coupons. Returns whether anything was set.
 */
async function assignContent(
  em: EntityManager,
  locked: LockedSubscription,
  {
    price,
    content,
    former,
    dropped,
  }: {
    price: FoundPriceChange;
    content: Pick<RequestedTerms, 'discounts' | 'taxes' | 'shipTo'>;
    /** The discounts before due bills counted them. */
    former: readonly SubscriptionDiscount[];
    /** The pending change that the request drops. */
    dropped: PendingChange | null;
  },
): Promise<boolean> {
  const { subscription } = locked;
  const discounts =
    content.discounts && discountsChosen(content.discounts, { before: former, after: subscription.discounts });
  const changed = changedFields(locked, { ...price, discounts, taxes: content.taxes });
  const pending = subscription.pendingChange ?? null;
  subscription.pendingChange = withoutFields(pending, changed);
  const isRepriced = assignChanges(subscription, { ...content, discounts });
  await giveBackCoupons(em, subscription, dropped ?? pending);
  return isRepriced;
}

/** Refuses a change after which the pending change could no longer be applied. */
function refuseMisfit(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  throw new Refusal(error.code, `The pending change does not fit this change: ${error.message}`, 'pending_change');
}

function termsOf({ cycles, renewalMode, renewalCycles }: Subscription) {
  return { cycles: cycles ?? null, renewalMode, renewalCycles: renewalCycles ?? null };
}
