import { add } from '../../../billing/money/money.ts';
import type { SubscriptionStep } from '../../../billing/subscriptions/subscriptionSteps.ts';
import type { EntityManager } from '../../../db/orm.ts';
import {
  hasMuchUsage,
  markSomeUsage,
  type RangeToTake,
  rangesWithUsage,
  type TakenUsage,
} from '../../../db/queries/usage/taking.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import {
  addonOf,
  collectedOf,
  rangeOf,
  ratesOf,
  type Span,
  spansUntil,
  type UsageUntil,
  withIds,
} from './usageSpans.ts';

/**
 * Marks a part of the usage that a due step will bill, late usage included, if there is much of it, so that the bill itself is short. Call it until it returns
 * null: the rest is small enough for the bill. Returns the number of records that it marked.
 */
export async function collectUsage(
  em: EntityManager,
  locked: LockedSubscription,
  step: SubscriptionStep,
): Promise<number | null> {
  const { subscription } = locked;
  const until = usageUntil(step);
  if (!subscription.hasUsage || until === null) return null;
  const { accountId, id: subscriptionId } = subscription;
  const key = { accountId, subscriptionId };
  const rates = await ratesOf(em, locked);
  if (!(await hasMuchUsage(em, key, [...new Set(rates.map(addonOf))]))) return null;
  const { fresh, late } = await spansUntil(em, locked, { ...until, rates });
  const used = await rangesWithUsage(em, key, await rangesToTake(em, [...late, ...fresh]));
  if (used.length === 0) return null;
  const taken = await markSomeUsage(em, key, used);
  for (const { span, totalId } of used) {
    const more = taken.get(totalId);
    if (more) collect(span, { totalId, ...more });
  }
  return [...taken.values()].reduce((count, { records }) => count + records, 0);
}

async function rangesToTake(em: EntityManager, spans: readonly Span[]): Promise<(RangeToTake & { span: Span })[]> {
  const numbered = await withIds(em, spans);
  return numbered.map((span) => ({ ...rangeOf(span), totalId: span.totalId, span }));
}

/** Adds marked usage to what is collected of a span. */
function collect(span: Span, { totalId, quantity, records }: TakenUsage & { totalId: number }): void {
  const { rate, startAt, endAt, turn } = span;
  const before = collectedOf(span);
  const sum = { quantity: add(before?.quantity ?? '0', quantity), records: (before?.records ?? 0) + records };
  const others = (rate.collected ?? []).filter((one) => one !== before);
  rate.collected = [...others, { totalId, turn, startAt, endAt, ...sum }];
}

/** The usage that a step bills; null: it bills none. */
function usageUntil(step: SubscriptionStep): UsageUntil | null {
  switch (step.kind) {
    case 'bill':
      if (step.inArrears) return { until: new Date(step.endAt) };
      return step.at < step.startAt ? null : { until: new Date(step.startAt) };
    case 'begin':
      return { until: new Date(step.startAt) };
    case 'pause':
    case 'await_renewal':
      return { until: new Date(step.at) };
    case 'cancel':
    case 'finish':
    case 'late_usage':
      return { until: new Date(step.at), isFinal: true };
    default:
      return null;
  }
}
