import { Refusal } from '../../../billing/refusal.ts';
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
import type { Caller } from '../../kernel/caller.ts';
import { pricesOf } from '../changes/components.ts';
import { stopBackfill } from '../changes/pausing.ts';
import { revokeAhead } from '../changes/revoking.ts';
import { writeProration } from '../prices/proration.ts';
import { remainingLines } from '../prices/remaining.ts';
import { billUsed } from './arrears.ts';
import { catchUp } from './billing.ts';
import { numberDocuments, type Unnumbered } from './documents.ts';
import { endSubscription } from './final.ts';

/** Billing of what is left by a cancellation. */
export interface CancellationTerms {
  /** Whether the unused rest of what was billed is credited. */
  prorate?: boolean;
  /** Whether the periods that the contract still has are billed. */
  billRemaining?: boolean;
}

/**
 * Cancels a subscription at once, after its due steps, or without the rest of a backfill. Its final invoice has the pending lines of its
 * changes; with `prorate` also a credit for the unused rest, and with `billRemaining` the contract's remaining periods. Refuses a
 * subscription that has ended. Throws Missing.
 */
export async function cancelSubscription(
  em: EntityManager,
  { prorate = false, billRemaining = false, ...who }: CancellationTerms & { caller: Caller; id: number },
  systemNow: Date,
): Promise<LockedSubscription> {
  const at = await lockSubscription(em, who, systemNow);
  const { subscription } = at;
  const caught = isOver(subscription) || stopBackfill(at) ? [] : await catchUp(em, at);
  if (isOver(subscription)) throw new Refusal('state_conflict', `Subscription is already ${subscription.status}`);
  if (billRemaining && !subscription.cycles)
    throw new Refusal(
      'state_conflict',
      'Subscription has no contract whose remaining periods could be billed',
      'bill_remaining',
    );
  if (billRemaining && prorate)
    throw new Refusal('parameter_invalid', 'Send either bill_remaining or prorate', 'bill_remaining');
  const { bills, credit } = await cancelNow(em, at, { prorate, billRemaining, cause: 'request' });
  await replanSubscription(em, at, {});
  await numberDocuments(em, at, { bills: [...caught, ...bills], credit });
  return at;
}

/**
 * Cancels a locked subscription whose due steps are taken. Bills the period in progress in arrears, and takes back the bill of a period that
 * has not begun, unless the remaining periods are billed. The caller replans, and then numbers the documents.
 */
export async function cancelNow(
  em: EntityManager,
  at: LockedSubscription,
  { prorate = false, billRemaining = false, cause }: CancellationTerms & { cause: CancellationCause },
): Promise<Unnumbered> {
  const { now } = at.moment;
  const until = (billRemaining && at.subscription.periodEndAt) || now;
  const used = await billUsed(em, at, { until, date: now, isFinal: true });
  const keepsAhead = billRemaining && hasCyclesLeft(stateOf(at));
  const credit = keepsAhead ? null : await revokeAhead(em, at);
  if (prorate) await writeProration(em, at, { before: pricesOf(at), after: [], from: now });
  const lines = billRemaining ? await remainingLines(em, at) : [];
  const final = await endSubscription(em, at, {
    status: 'canceled',
    at: now,
    cause,
    lines,
    isUsageBilled: used !== null,
  });
  return { bills: [used, final], credit };
}
