import { withoutFields } from '../../billing/pendingChange.ts';
import { discountsChosen, type SubscriptionDiscount } from '../../billing/recurring.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type Address, newShipTo } from '../../billing/shipTo.ts';
import { checkRenewal, type RenewalMode } from '../../billing/subscription.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Subscription } from '../../db/schema/subscription.ts';
import { presentPendingChange } from '../../present/subscriptions/subscription.ts';
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
import { checkPending, keepChange } from './pendingChange.ts';
import { type FoundPriceChange, findPriceChange, isPriceChange, type PriceChange } from './price.ts';
import { changePrice } from './priceChange.ts';
import { revokeAhead, revokeUnlessBegins } from './revoking.ts';
import { moveStart, movesStart, type StartChange, takeFirstStep } from './starting.ts';

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
  const kept = subscription.pendingChange ?? null;
  const terms = await changedTerms(em, at, change);
  if (change.dropsPending && !change.isForRenewal) subscription.pendingChange = null;
  const former = await discountsBefore(em, at);
  const price = await findPriceChange(em, at, change);
  if (change.isForRenewal) return changeAtRenewal(em, at, { change, terms });
  const moves = movesStart(at, change);
  const isBilling = moves || isPriceChange(at, price) || differs(subscription, { ...pauseOf(at, change), ...terms });
  const isDropped = Boolean(change.dropsPending && kept);
  if (!isBilling && !isDropped && !differs(subscription, { cancelAtPeriodEnd, metadata })) {
    if (kept) await replanSubscription(em, at, {});
    return at;
  }
  if (isBilling || cancelAtPeriodEnd) await catchUp(em, at);
  if (isOver(subscription)) throw new Refusal(`Subscription is ${subscription.status} and can no longer be changed`);
  const movedAhead = moves ? await revokeAhead(em, at) : null;
  const before = {
    ...subscriptionEventObject(at),
    ...(isDropped ? { pending_change: presentPendingChange(kept) } : {}),
  };
  if (moves) moveStart(at, change);
  if (cancelAtPeriodEnd !== undefined) subscription.cancelAtPeriodEnd = cancelAtPeriodEnd;
  if (metadata !== undefined) subscription.metadata = metadata;
  const { renewalMode, renewalCycles, ...content } = terms;
  if (assignChanges(subscription, { renewalMode, renewalCycles })) checkRenewal(termsOf(subscription));
  const resumed = await changePause(em, at, change);
  const discounts =
    content.discounts && discountsChosen(content.discounts, { before: former, after: subscription.discounts });
  const changed = changedFields(at, { ...price, discounts, taxes: content.taxes });
  subscription.pendingChange = withoutFields(subscription.pendingChange ?? null, changed);
  const isRepriced = assignChanges(subscription, { ...content, discounts });
  const priced = isPriceChange(at, price) ? await changePrice(em, at, price) : null;
  await checkPending(em, at).catch(refuseMisfit);
  if (isRepriced && !priced) await repriceComponents(em, at);
  recordSubscription(em, at, { type: 'subscription.updated', before });
  const credit = movedAhead ?? priced?.credit ?? (await revokeUnlessBegins(em, at));
  const first = moves || priced?.restarts ? await takeFirstStep(em, at) : null;
  const now =
    priced?.isProrated && price.prorate === 'now'
      ? await billPending(em, at, { lines: [], date: at.moment.now })
      : null;
  await replanSubscription(em, at, {});
  await numberDocuments(em, at, { bills: [resumed, priced?.used ?? null, first, now], credit });
  return at;
}

/**
 * The discounts of a subscription before due bills count them. Takes due steps if a kept change may be due, so that the request is compared
 * with the subscription after it. None if it has applied: then all chosen discounts are new.
 */
async function discountsBefore(em: EntityManager, at: LockedSubscription): Promise<SubscriptionDiscount[]> {
  const { subscription } = at;
  const { discounts } = subscription;
  if (!subscription.pendingChange) return discounts;
  await catchUp(em, at);
  return subscription.pendingChange ? discounts : [];
}

interface RenewalChange {
  change: SubscriptionChange;
  price: FoundPriceChange;
  terms: RequestedTerms;
}

/** Keeps a change until the next period or contract begins. Refuses changes of fields that cannot wait. */
async function changeAtRenewal(
  em: EntityManager,
  at: LockedSubscription,
  { change, terms }: Omit<RenewalChange, 'price'>,
): Promise<LockedSubscription> {
  const { subscription } = at;
  const { cancelAtPeriodEnd, metadata } = change;
  const { discounts, taxes, ...others } = terms;
  if (
    differs(subscription, { cancelAtPeriodEnd, metadata, ...others, ...pauseOf(at, change) }) ||
    movesStart(at, change)
  )
    throw new Refusal(
      'Only the price, discounts and taxes can change with the renewal: send other changes separately',
      'when',
    );
  if (change.dropsPending) throw new Refusal('Send either when: renewal or pending_change: null', 'pending_change');
  if (change.prorationDate) throw new Refusal('A change with the renewal is not prorated', 'proration_date');
  const had = new Set(subscription.discounts.map(({ coupon }) => coupon.id));
  const chosen = discounts?.map((discount) => ({ ...discount, isKept: had.has(discount.coupon.id) }));
  await catchUp(em, at);
  if (isOver(subscription)) throw new Refusal(`Subscription is ${subscription.status} and can no longer be changed`);
  const before = subscriptionEventObject(at);
  const earlier = subscription.pendingChange ?? null;
  const found = await findPriceChange(em, at, change);
  const dropped = unchangedFields(at, { change, price: found, terms });
  await keepChange(em, at, { price: found, discounts: chosen, taxes, dropped });
  if (!differs({ pendingChange: earlier }, { pendingChange: subscription.pendingChange ?? null })) return at;
  const credit = await revokeUnlessBegins(em, at);
  recordSubscription(em, at, { type: 'subscription.updated', before });
  await replanSubscription(em, at, {});
  await numberDocuments(em, at, { bills: [], credit });
  return at;
}

/** The fields that a request for the renewal sets to their present values. The amount of another plan is none of them. */
function unchangedFields(at: LockedSubscription, { change, price, terms }: RenewalChange): string[] {
  const { subscription } = at;
  const { quantity, amount, cycles } = price;
  const { discounts, taxes } = terms;
  const next = change.planCode === undefined ? subscription.pendingChange?.plan : price.plan;
  const asked = { quantity, amount: next ? undefined : amount, cycles, discounts, taxes };
  const same = Object.entries(asked)
    .filter(([name, value]) => value !== undefined && !differs(subscription, { [name]: value }))
    .map(([name]) => name);
  const plan = change.planCode !== undefined && !price.plan ? ['plan'] : [];
  return [...plan, ...(change.addons && !price.addons ? ['addons'] : []), ...same];
}

/** Refuses a change after which the pending change could no longer be applied. */
function refuseMisfit(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  throw new Refusal(`The pending change does not fit this change: ${error.message}`, 'pending_change');
}

/** The fields of a pending change that a request changes at once. */
function changedFields(
  { subscription }: LockedSubscription,
  {
    plan,
    quantity,
    amount,
    cycles,
    addons,
    discounts,
    taxes,
  }: FoundPriceChange & Pick<RequestedTerms, 'discounts' | 'taxes'>,
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

/** The terms that a request names. Undefined ones stay. */
type RequestedTerms = { [Name in keyof Terms]?: Terms[Name] | undefined };

/** The requested discounts, taxes and other terms. Locks coupons, so call it before due bills lock number series. */
async function changedTerms(
  em: EntityManager,
  at: LockedSubscription,
  { discounts, taxes, shipTo, renewalMode, renewalCycles }: SubscriptionChange,
): Promise<RequestedTerms> {
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
