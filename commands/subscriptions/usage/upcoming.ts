import { isEnded } from '../../../billing/subscriptions/subscription.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { type LockedSubscription, lockSubscription } from '../../aggregates/subscription.ts';
import type { Caller } from '../../kernel/caller.ts';
import { upcomingTotals } from './usage.ts';

/** Usage of a subscription until now that no bill has taken, with its price. Call it in a dry run. Throws Missing. */
export async function upcomingUsage(
  em: EntityManager,
  who: { caller: Caller; id: number },
  systemNow: Date,
): Promise<{ at: LockedSubscription; totals: Awaited<ReturnType<typeof upcomingTotals>> }> {
  const locked = await lockSubscription(em, who, systemNow);
  const isFinal = isEnded(locked.subscription.status);
  return { at: locked, totals: await upcomingTotals(em, locked, { until: locked.moment.now, isFinal }) };
}
