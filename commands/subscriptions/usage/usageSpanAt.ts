import { add } from '../../../billing/money/money.ts';
import { periodAt, periodIndexAt } from '../../../billing/time/periods.ts';
import { spansToBill } from '../../../billing/usage/usage.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { UsageRange } from '../../../db/queries/usage/taking.ts';
import { type BilledSpan, billedSpans } from '../../../db/queries/usage/totals.ts';
import { UsageRate } from '../../../db/schema/usage.ts';
import { type LockedSubscription, stateOf } from '../../aggregates/subscription.ts';
import { collectedOf, timesOf } from './usageSpans.ts';

/** The span of usage with which a record is or will be billed. */
export interface SpanAt extends UsageRange {
  /** Quantity that bills have taken. Decimal text. */
  billed: string;
}

/** For each usage record, the span with which it is or will be billed, in the order of `records`. */
export async function spansAt(
  em: EntityManager,
  locked: LockedSubscription,
  records: readonly { addonId: number | null; usedAt: Date }[],
): Promise<SpanAt[]> {
  const { subscription } = locked;
  const { accountId, id: subscriptionId } = subscription;
  const rates = await em.find(UsageRate, { accountId, subscription }, { orderBy: { fromAt: 'asc' } });
  const billed = await billedSpans(em, { accountId, subscriptionId });
  return records.map(({ addonId, usedAt }) => {
    const time = usedAt.getTime();
    const own = ownRates(rates, addonId);
    return billedSpanAt(billed, own, { addonId, time }) ?? openSpanAt(locked, own, { addonId, time });
  });
}

function ownRates(rates: readonly UsageRate[], addonId: number | null): UsageRate[] {
  return rates.filter((rate) => (rate.addonId ?? null) === addonId);
}

function billedSpanAt(
  billed: readonly BilledSpan[],
  rates: readonly UsageRate[],
  { addonId, time }: { addonId: number | null; time: number },
): SpanAt | null {
  const span = billed.find(
    (one) => one.addonId === addonId && one.startAt.getTime() <= time && time < one.endAt.getTime(),
  );
  if (!span) return null;
  const [startAt, endAt] = [span.startAt.getTime(), span.endAt.getTime()];
  const rate = rates.find(({ id }) => id === span.rateId);
  const late = rate && collectedOf({ rate, startAt, turn: span.turns });
  return { addonId, startAt, endAt, billed: add(span.quantity, late?.quantity ?? '0') };
}

/** The span that no bill has taken. It starts with the last bill, the period or its rate, and ends with the period or the rate. */
function openSpanAt(
  locked: LockedSubscription,
  rates: readonly UsageRate[],
  { addonId, time }: { addonId: number | null; time: number },
): SpanAt {
  const { schedule } = stateOf(locked);
  const rate = rates.findLast(({ fromAt }) => fromAt.getTime() <= time) ?? rates[0];
  if (!rate) throw new Error('a usage record has a rate');
  const endOfPeriod = periodAt(schedule, periodIndexAt(schedule, time)).endAt;
  const trialEndAt = locked.subscription.trialEndAt?.getTime() ?? null;
  const until = trialEndAt !== null && time < trialEndAt ? trialEndAt : Math.max(endOfPeriod, time + 1);
  const spans = spansToBill(timesOf(rate), { until, schedule, trialEndAt });
  const span = spans.findLast(({ startAt }) => startAt <= time) ?? { startAt: time, endAt: time + 1 };
  const collected = collectedOf({ rate, startAt: span.startAt, turn: 0 });
  return { addonId, ...span, billed: collected?.quantity ?? '0' };
}
