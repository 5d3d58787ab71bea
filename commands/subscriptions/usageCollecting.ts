import { add } from '../../billing/money.ts';
import type { SubscriptionStep } from '../../billing/subscriptionSteps.ts';
import type { CollectedUsage } from '../../billing/usage.ts';
import { reserveSeveralIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { hasMoreUsage, MOST_MARKED, markSomeUsage } from '../../db/queries/usage/taking.ts';
import type { LockedSubscription } from '../aggregates/subscription.ts';
import { freshSpans, rangeOf, ratesOf, type Span } from './usageSpans.ts';

/**
 * Marks a part of the usage that a due step will bill, if there is much of it, so that the bill itself is short. Call it until it returns
 * null: the rest is small enough for the bill. Returns the number of records that it marked.
 */
export async function collectUsage(
  em: EntityManager,
  at: LockedSubscription,
  step: SubscriptionStep,
): Promise<number | null> {
  const { subscription } = at;
  const until = usageUntil(step);
  if (!subscription.hasUsage || until === null) return null;
  const { accountId, id: subscriptionId } = subscription;
  const key = { accountId, subscriptionId };
  const rates = await ratesOf(em, at);
  const spans = rates.flatMap((rate) => freshSpans(at, rate, new Date(until)));
  if (!(await hasMoreUsage(em, key, { ranges: spans.map(rangeOf), most: MOST_MARKED }))) return null;
  const ids = (await reserveSeveralIds(em, 'usage_total', spans.length)).map(Number);
  const wanted = spans.map((span, index) => ({
    ...rangeOf(span),
    totalId: collectedOf(span)?.totalId ?? ids[index] ?? 0,
  }));
  const taken = await markSomeUsage(em, key, wanted);
  let count = 0;
  for (const [index, span] of spans.entries()) {
    const totalId = wanted[index]?.totalId ?? 0;
    const more = taken.get(totalId);
    if (!more) continue;
    count += more.records;
    const before = collectedOf(span);
    const { startAt, endAt, rate } = span;
    const quantity = add(before?.quantity ?? '0', more.quantity);
    const collected = { totalId, startAt, endAt, quantity, records: (before?.records ?? 0) + more.records };
    rate.collected = [...(rate.collected ?? []).filter((one) => one !== before), collected];
  }
  return count;
}

/** The usage of a span that was collected before its bill; null: none. */
function collectedOf({ rate, startAt }: Span): CollectedUsage | null {
  return rate.collected?.find((one) => one.startAt === startAt) ?? null;
}

/** End of the usage that a step bills, epoch milliseconds; null: it bills none. */
function usageUntil(step: SubscriptionStep): number | null {
  switch (step.kind) {
    case 'bill':
      if (step.inArrears) return step.endAt;
      return step.at < step.startAt ? null : step.startAt;
    case 'begin':
      return step.startAt;
    case 'pause':
    case 'cancel':
    case 'finish':
    case 'await_renewal':
      return step.at;
    default:
      return null;
  }
}
