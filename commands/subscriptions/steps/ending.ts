import { Refusal } from '../../../billing/refusal.ts';
import type { GivenReason } from '../../../billing/subscriptions/selfService.ts';
import { hasCyclesLeft } from '../../../billing/subscriptions/subscription.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { CancellationCause } from '../../../present/emails/subscriptionNotices.ts';
import {
  isOver,
  type LockedSubscription,
  lockSubscription,
  replanSubscription,
  stateOf,
} from '../../aggregates/subscription.ts';
import { numberDocuments, type Unnumbered } from '../../bills/bills.ts';
import type { Caller } from '../../kernel/caller.ts';
import { pricesOf } from '../changes/components.ts';
import { giveReason } from '../changes/customersChoices.ts';
import { stopBackfill } from '../changes/pausing.ts';
import { revokeAhead } from '../changes/revoking.ts';
import { checkCountsFrom, writeProration } from '../prices/proration.ts';
import { remainingLines } from '../prices/remaining.ts';
import { billUsed } from './arrears.ts';
import { catchUp } from './billing.ts';
import { endSubscription } from './final.ts';

/** Billing of what is left by a cancellation. */
export interface CancellationTerms {
  /** Whether the unused rest of what was billed is credited. */
  prorate?: boolean;
  /** Whether the periods that the contract still has are billed. */
  billRemaining?: boolean;
  /** Time until which the period in progress counts as used; absent: now. */
  usedUntil?: Date | null;
}

/**
 * Cancels a subscription at once, after its due steps, or without the rest of a backfill. Its final invoice has the pending lines of its
 * changes; with `prorate` also a credit for the unused rest, and with `billRemaining` the contract's remaining periods. Refuses a
 * subscription that has ended, and a time of use outside the current period. Throws Missing.
 */
export async function cancelSubscription(
  em: EntityManager,
  {
    prorate = false,
    billRemaining = false,
    usedUntil = null,
    cancellation = null,
    ...who
  }: CancellationTerms & { caller: Caller; id: number; cancellation?: GivenReason | null },
  systemNow: Date,
): Promise<LockedSubscription> {
  const locked = await lockSubscription(em, who, systemNow);
  const { subscription } = locked;
  const caught = isOver(subscription) || stopBackfill(locked) ? [] : await catchUp(em, locked);
  if (isOver(subscription)) throw new Refusal('state_conflict', `Subscription is already ${subscription.status}`);
  if (billRemaining && !subscription.cycles)
    throw new Refusal(
      'state_conflict',
      'Subscription has no contract whose remaining periods could be billed',
      'bill_remaining',
    );
  if (billRemaining && prorate)
    throw new Refusal('parameter_invalid', 'Send either bill_remaining or prorate', 'bill_remaining');
  if (usedUntil) checkCountsFrom(locked, usedUntil);
  if (cancellation) giveReason(subscription, cancellation);
  const { bills, credit } = await cancelNow(em, locked, { prorate, billRemaining, usedUntil, cause: 'request' });
  await replanSubscription(em, locked, {});
  await numberDocuments(em, locked, { bills: [...caught, ...bills], credit });
  return locked;
}

/**
 * Cancels a locked subscription whose due steps are taken. Bills the period in progress in arrears, and takes back the bill of a period that
 * has not begun, unless the remaining periods are billed. The caller replans, and then numbers the documents.
 */
export async function cancelNow(
  em: EntityManager,
  locked: LockedSubscription,
  { prorate = false, billRemaining = false, usedUntil, cause }: CancellationTerms & { cause: CancellationCause },
): Promise<Unnumbered> {
  const { now } = locked.moment;
  const from = usedUntil ?? now;
  const until = (billRemaining && locked.subscription.periodEndAt) || from;
  const used = await billUsed(em, locked, { until, date: now, isFinal: true });
  const keepsAhead = billRemaining && hasCyclesLeft(stateOf(locked));
  const credit = keepsAhead ? null : await revokeAhead(em, locked);
  if (prorate) await writeProration(em, locked, { before: pricesOf(locked), after: [], from });
  const lines = billRemaining ? await remainingLines(em, locked) : [];
  const final = await endSubscription(em, locked, {
    status: 'canceled',
    at: now,
    cause,
    lines,
    isUsageBilled: used !== null,
  });
  return { bills: [used, final], credit };
}
