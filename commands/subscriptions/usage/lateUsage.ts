import { type Money, multiply, sum } from '../../../billing/money/money.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { reportLateUsage } from '../../lineItems/lateUsageProblem.ts';
import { addPendingLines } from '../../lineItems/pendingLines.ts';
import { takeUsage, writeTotals } from './usage.ts';

/**
 * Bills usage that was reported after the final invoice of an ended subscription: pending lines for the next bill of the customer, and a
 * problem, because no bill may follow. Returns their amount; null: there was no such usage.
 */
export async function billLateUsage(em: EntityManager, locked: LockedSubscription): Promise<Money | null> {
  const { subscription, plan } = locked;
  const { currency } = plan;
  const until = subscription.canceledAt ?? subscription.finishedAt;
  if (!until) throw new Error(`subscription ${subscription.id} has not ended`);
  const { totals, lines, lineOf } = await takeUsage(em, locked, { until, isFinal: true });
  const ids = await addPendingLines(em, locked, { currency, lines });
  const lineIds = new Map([...lineOf].map(([totalId, line]) => [totalId, ids[lines.indexOf(line)] ?? 0]));
  await writeTotals(em, locked, { totals, invoice: null, lineIds });
  if (lines.length === 0) return null;
  const amount = sum(
    lines.map(({ quantity, unitCost }) => multiply(quantity, unitCost, currency)),
    currency,
  );
  await em.write();
  await reportLateUsage(em, locked, currency);
  return amount;
}
