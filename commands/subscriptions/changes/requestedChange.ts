import { type Address, newShipTo } from '../../../billing/documents/shipTo.ts';
import type { PendingChange } from '../../../billing/subscriptions/pendingChange.ts';
import type { SubscriptionDiscount } from '../../../billing/subscriptions/recurring.ts';
import type { GivenReason } from '../../../billing/subscriptions/selfService.ts';
import type { RenewalMode } from '../../../billing/subscriptions/subscription.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Subscription } from '../../../db/schema/subscription.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import type { WrittenBill } from '../../bills/bills.ts';
import type { Caller } from '../../kernel/caller.ts';
import { differs } from '../../kernel/changes.ts';
import { type FoundPriceChange, findPriceChange, type PriceChange } from '../prices/price.ts';
import { catchUp } from '../steps/billing.ts';
import type { StartChange } from '../steps/starting.ts';
import type { RequestedThreshold } from '../usage/usageThresholds.ts';
import { chooseCoupons, chooseRates } from './content.ts';
import { type PauseChange, stopBackfill } from './pausing.ts';
import { redemptionsOf } from './pendingCoupons.ts';

/** A request to change a subscription. Absent fields stay as they are. */
export interface SubscriptionChange extends PauseChange, PriceChange, StartChange {
  caller: Caller;
  id: number;
  /** Price, discounts and taxes change at the next period or contract, not now. */
  isForRenewal?: boolean;
  /** Drops the pending change. */
  dropsPending?: boolean;
  cancelAtPeriodEnd?: boolean;
  /** Why the customer cancels. */
  cancellation?: GivenReason;
  /** The customer itself makes the change, and may take it back. */
  isOfCustomer?: boolean;
  renewalMode?: RenewalMode;
  renewalCycles?: number | null;
  shipTo?: Address | null;
  discounts?: readonly string[];
  taxes?: readonly string[];
  /** Null: none. */
  usageThresholds?: readonly RequestedThreshold[] | null;
  metadata?: Record<string, string>;
}

type Terms = Pick<Subscription, 'discounts' | 'taxes' | 'shipTo' | 'renewalMode' | 'renewalCycles'>;

/** The terms that a request names. Undefined ones stay. */
export type RequestedTerms = { [Name in keyof Terms]?: Terms[Name] | undefined };

/** A request with what it names, read before anything changes. */
export interface ReadChange {
  change: SubscriptionChange;
  terms: RequestedTerms;
  price: FoundPriceChange;
  /** The pending change before the request. */
  kept: PendingChange | null;
  /** The pending change that the request drops. */
  dropped: PendingChange | null;
  /** The subscription's redemptions before the request, if it chooses discounts for the renewal. */
  redeemed: ReadonlyMap<string, number>;
  /** The discounts before due bills counted them; none if the pending change has applied, because all chosen discounts are new then. */
  former: readonly SubscriptionDiscount[];
  /** The bills of due steps that the request has already taken. */
  caught: WrittenBill[];
  /** The request pauses a backfill, whose steps are not taken. */
  isStopped: boolean;
}

/**
 * Reads what a request names. Takes due steps if a pending change may be due, so that the request is compared with the subscription after it.
 */
export async function readChange(
  em: EntityManager,
  locked: LockedSubscription,
  change: SubscriptionChange,
): Promise<ReadChange> {
  const { subscription } = locked;
  const { discounts: former, pendingChange: kept = null } = subscription;
  const redeemed = change.isForRenewal && change.discounts ? await redemptionsOf(em, subscription) : new Map();
  const terms = await requestedTerms(em, locked, change);
  // Before the due steps, so that a pending change whose bill is refused can be dropped.
  const dropped = change.dropsPending && !change.isForRenewal ? kept : null;
  if (dropped) subscription.pendingChange = null;
  const isStopped = change.paused === true && !subscription.paused && stopBackfill(locked);
  const isWaiting = Boolean(subscription.pendingChange);
  const caught = isWaiting && !isStopped ? await catchUp(em, locked) : [];
  const hasApplied = isWaiting && !subscription.pendingChange;
  const price = await findPriceChange(em, locked, change);
  return { change, terms, price, kept, dropped, redeemed, former: hasApplied ? [] : former, caught, isStopped };
}

/** The requested discounts, taxes and other terms. Locks coupons, so call it before due bills lock number series. */
async function requestedTerms(
  em: EntityManager,
  locked: LockedSubscription,
  { discounts, taxes, shipTo, renewalMode, renewalCycles }: SubscriptionChange,
): Promise<RequestedTerms> {
  const { id, discounts: coupons, taxes: rates } = locked.subscription;
  const { currency } = locked.plan;
  const now = locked.moment.now.getTime();
  return {
    renewalMode,
    renewalCycles,
    shipTo: shipTo === undefined ? undefined : newShipTo(shipTo, locked.subscription.shipTo ?? null, now),
    discounts: discounts && (await chooseCoupons(em, locked, { codes: discounts, known: coupons, currency, id })),
    taxes: taxes && (await chooseRates(em, locked, { codes: taxes, known: rates, currency })),
  };
}

/** The fields of a pause that a request names. A mode without a pause has no effect. */
export function pauseOf({ subscription }: LockedSubscription, change: PauseChange): object {
  const { paused, pauseAtPeriodEnd, resumeAt, resumeMode } = change;
  const isPausing = subscription.paused || subscription.pauseAtPeriodEnd || paused || pauseAtPeriodEnd;
  return isPausing ? { paused, pauseAtPeriodEnd, resumeAt, resumeMode } : { resumeAt };
}

/** The fields of a pending change that a request changes at once. */
export function changedFields(
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

/**
 * The fields of a request for the renewal that equal the present values. The amount is left out if the plan changes. Cycles are never
 * included, because they count the periods of the next contract.
 */
export function unchangedFields(
  { subscription }: LockedSubscription,
  { change, price, terms }: { change: SubscriptionChange; price: FoundPriceChange; terms: RequestedTerms },
): string[] {
  const { quantity, amount } = price;
  const { discounts, taxes } = terms;
  const next = change.planCode === undefined ? subscription.pendingChange?.plan : price.plan;
  const asked = { quantity, amount: next ? undefined : amount, discounts, taxes };
  const same = Object.entries(asked)
    .filter(([name, value]) => value !== undefined && !differs(subscription, { [name]: value }))
    .map(([name]) => name);
  const plan = change.planCode !== undefined && !price.plan ? ['plan'] : [];
  return [...plan, ...(change.addons && !price.addons ? ['addons'] : []), ...same];
}
