import { Refusal } from '../../../billing/refusal.ts';
import { withoutFields } from '../../../billing/subscriptions/pendingChange.ts';
import { discountsChosen } from '../../../billing/subscriptions/recurring.ts';
import { checkRenewal } from '../../../billing/subscriptions/subscription.ts';
import type { UsageThreshold } from '../../../billing/usage/usageThresholds.ts';
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
import { numberDocuments, type Unnumbered, type WrittenBill } from '../../bills/bills.ts';
import { assignChanges, differs } from '../../kernel/changes.ts';
import { isPriceChange } from '../prices/price.ts';
import { catchUp } from '../steps/billing.ts';
import { billPending } from '../steps/final.ts';
import { moveStart, movesStart, takeFirstStep } from '../steps/starting.ts';
import { setThresholds, tellThresholds, thresholdsOfChange } from '../usage/usageThresholds.ts';
import { repriceComponents } from './content.ts';
import { choiceFactsOf, noteChoices, reasonAfter } from './customersChoices.ts';
import { changePause, checkPlannedResume, skipPausedPeriods } from './pausing.ts';
import { checkPending } from './pendingChange.ts';
import { giveBackCoupons } from './pendingCoupons.ts';
import { changePrice, type PricedChange } from './priceChange.ts';
import { changeAtRenewal } from './renewalChange.ts';
import { changedFields, pauseOf, type ReadChange, readChange, type SubscriptionChange } from './requestedChange.ts';
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
  const before = choiceFactsOf(locked.subscription);
  const read = await readChange(em, locked, change);
  const written = await (change.isForRenewal ? changeAtRenewal(em, locked, read) : changeNow(em, locked, read));
  noteChoices(locked, before, change.isOfCustomer ?? false);
  await numberDocuments(em, locked, written);
  return locked;
}

/** What a change does now. */
interface Plan {
  /** Nothing differs. */
  isEmpty: boolean;
  /** Due steps come first, because their result depends on the change. */
  waitsForDueSteps: boolean;
  movesStart: boolean;
  /** Undefined: they stay. */
  usageThresholds: UsageThreshold[] | null | undefined;
}

/** Compares a request with the subscription. */
function planOf(locked: LockedSubscription, { change, terms, price, dropped, isStopped }: ReadChange): Plan {
  const { subscription } = locked;
  const { cancelAtPeriodEnd, metadata } = change;
  const usageThresholds = thresholdsOfChange(locked, change);
  const setsThresholds = differs(subscription, { usageThresholds });
  const isMoved = movesStart(locked, change);
  const course = { cancelAtPeriodEnd, ...pauseOf(locked, change), ...terms };
  const changesBills = isMoved || isPriceChange(locked, price) || differs(subscription, course);
  const own = { metadata, ...reasonAfter(subscription, change) };
  return {
    isEmpty: !changesBills && !dropped && !setsThresholds && !differs(subscription, own),
    waitsForDueSteps: changesBills && !isStopped,
    movesStart: isMoved,
    usageThresholds: setsThresholds ? usageThresholds : undefined,
  };
}

/** Changes a locked subscription. Returns the documents that it wrote, without their numbers. */
async function changeNow(em: EntityManager, locked: LockedSubscription, read: ReadChange): Promise<Unnumbered> {
  const { change, price, kept, dropped } = read;
  const plan = planOf(locked, read);
  if (plan.isEmpty) {
    if (kept) await replanSubscription(em, locked, {});
    return { bills: read.caught, credit: null };
  }
  const caught = [...read.caught, ...(plan.waitsForDueSteps ? await catchUp(em, locked) : [])];
  refuseOver(locked.subscription);
  const movedAhead = plan.movesStart ? await revokeAhead(em, locked) : null;
  const before = {
    ...subscriptionEventObject(locked),
    ...(dropped ? { pending_change: presentPendingChange(dropped) } : {}),
  };
  if (plan.movesStart) await moveStart(em, locked, change);
  const resumed = await changeCourse(em, locked, read);
  const priced = await changeContent(em, locked, { read, plan });
  recordSubscription(em, locked, { type: 'subscription.updated', before });
  if (plan.usageThresholds !== undefined) await tellThresholds(em, locked);
  const credit = movedAhead ?? priced?.credit ?? (await revokeUnlessBegins(em, locked));
  const restarts = priced?.restarts ?? false;
  const first = plan.movesStart || restarts ? await takeFirstStep(em, locked, { keepsPending: restarts }) : null;
  const isBilledNow = priced?.isProrated && price.prorate === 'now';
  const now = isBilledNow ? await billPending(em, locked, { lines: [], date: locked.moment.now }) : null;
  await replanSubscription(em, locked, {});
  return { bills: [...caught, resumed, priced?.used ?? null, first, now], credit };
}

/** Sets the end, the terms of the renewal, the pause and metadata. Returns the bill of a subscription that resumes. */
async function changeCourse(
  em: EntityManager,
  locked: LockedSubscription,
  { change, terms: { renewalMode, renewalCycles } }: ReadChange,
): Promise<WrittenBill | null> {
  const { subscription } = locked;
  const { cancelAtPeriodEnd, metadata } = change;
  Object.assign(subscription, reasonAfter(subscription, change));
  if (assignChanges(subscription, { cancelAtPeriodEnd }) && cancelAtPeriodEnd) skipPausedPeriods(locked);
  if (metadata !== undefined) subscription.metadata = metadata;
  if (assignChanges(subscription, { renewalMode, renewalCycles })) checkRenewal(termsOf(subscription));
  return changePause(em, locked, change);
}

/** Sets price, discounts, taxes, shipping address and thresholds. Null: the price stays. */
async function changeContent(
  em: EntityManager,
  locked: LockedSubscription,
  { read, plan }: { read: ReadChange; plan: Plan },
): Promise<PricedChange | null> {
  const isRepriced = await assignContent(em, locked, read);
  const priced = isPriceChange(locked, read.price) ? await changePrice(em, locked, read.price) : null;
  if (plan.usageThresholds !== undefined) setThresholds(locked, plan.usageThresholds);
  await checkPending(em, locked).catch(refuseMisfit);
  checkPlannedResume(locked);
  if (isRepriced && !priced) await repriceComponents(em, locked);
  return priced;
}

/**
 * Sets discounts, taxes and shipping address. Drops the fields of the pending change that the request changes at once, and gives back its
 * coupons. Returns whether anything was set.
 */
async function assignContent(
  em: EntityManager,
  locked: LockedSubscription,
  { terms, price, former, dropped }: ReadChange,
): Promise<boolean> {
  const { subscription } = locked;
  const { taxes, shipTo } = terms;
  const discounts =
    terms.discounts && discountsChosen(terms.discounts, { before: former, after: subscription.discounts });
  const changed = changedFields(locked, { ...price, discounts, taxes });
  const pending = subscription.pendingChange ?? null;
  subscription.pendingChange = withoutFields(pending, changed);
  const isRepriced = assignChanges(subscription, { discounts, taxes, shipTo });
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
