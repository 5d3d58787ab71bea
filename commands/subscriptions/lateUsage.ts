import { isZero, type Money, sum } from '../../billing/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { LockedSubscription } from '../aggregates/subscription.ts';
import { reportLateUsage } from '../lineItems/lateUsageProblem.ts';
import { addPendingLines } from '../lineItems/pendingLines.ts';
import { takeUsage, writeTotals } from './usage.ts';

/**
 * Bills usage that was reported after the final invoice of an ended subscription: pending lines for the next bill of the customer, and a
 * problem, because no bill may follow. Returns their amount; null: there was no such usage that costs anything.
 */
export async function billLateUsage(em: EntityManager, at: LockedSubscription): Promise<Money | null> {
  const { subscription, plan } = at;
  const { currency } = plan;
  const until = subscription.canceledAt ?? subscription.finishedAt;
  if (!until) throw new Error(`subscription ${subscription.id} has not ended`);
  const { totals, lines } = await takeUsage(em, at, { until, isFinal: true });
  const ids = await addPendingLines(em, at, { currency, lines });
  const billed = totals.filter(({ free, quantity }) => !free && !isZero(quantity));
  for (const total of totals) {
    const index = billed.length === ids.length ? billed.indexOf(total) : 0;
    writeTotals(em, at, { totals: [total], invoice: null, lineId: ids[index] ?? null });
  }
  const amount = sum(
    totals.map((total) => total.amount),
    currency,
  );
  if (isZero(amount)) return null;
  await em.write();
  await reportLateUsage(em, at, currency);
  return amount;
}
