import { negate } from '../../billing/money.ts';
import type { Period } from '../../billing/periods.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Line } from '../../db/queries/documents/lines.ts';
import { readingOf } from '../../db/queries/kernel/reading.ts';
import { LineItem } from '../../db/schema/lineItem.ts';
import type { LockedSubscription } from '../aggregates/subscription.ts';
import { type DocumentLine, lineAsItIs } from '../documents/lines.ts';
import { addPendingLines, deletePendingLines } from '../lineItems/pendingLines.ts';

/**
 * Takes back the prorated changes of a period that was billed ahead and will not begin: deletes their pending lines, and adds opposite ones
 * for those already billed.
 */
export async function revokeProration(em: EntityManager, at: LockedSubscription, period: Period): Promise<void> {
  const { subscription } = at;
  const revoked = subscription.prorations.filter(({ endAt }) => endAt === period.endAt);
  if (revoked.length === 0) return;
  subscription.prorations = subscription.prorations.filter(({ endAt }) => endAt !== period.endAt);
  await em.write();
  const ids = revoked.flatMap(({ creditId, chargeId }) => [creditId ?? [], chargeId ?? []].flat());
  const lines = [...(await readingOf(em, subscription.accountId).byId(LineItem, ids)).values()];
  await deletePendingLines(
    em,
    at,
    lines.filter(({ invoice }) => !invoice).map(({ id }) => id),
  );
  const billed = lines.filter(({ invoice }) => invoice).map(opposite);
  await addPendingLines(em, at, { currency: at.plan.currency, lines: billed });
}

function opposite(line: Line): DocumentLine {
  const { unitCost, taxes, ...same } = lineAsItIs(line);
  return { ...same, id: null, unitCost: negate(unitCost), taxes: taxes.map((tax) => ({ ...tax, id: null })) };
}
