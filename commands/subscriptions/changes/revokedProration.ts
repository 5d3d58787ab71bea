import { negate } from '../../../billing/money/money.ts';
import type { ProratedLine } from '../../../billing/subscriptions/proration.ts';
import type { Period } from '../../../billing/time/periods.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Line } from '../../../db/queries/documents/lines.ts';
import { holdersOf } from '../../../db/queries/invoices/paidParts.ts';
import { readingOf } from '../../../db/queries/kernel/reading.ts';
import { LineItem } from '../../../db/schema/lineItem.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { type DocumentLine, lineAsItIs } from '../../documents/lines.ts';
import { addPendingLines, deletePendingLines } from '../../lineItems/pendingLines.ts';

/**
 * Takes back the prorated changes of a period that was billed ahead and will not begin: deletes their pending lines, and adds opposite ones
 * for those on an invoice that is not voided.
 */
export async function revokeProration(em: EntityManager, locked: LockedSubscription, period: Period): Promise<void> {
  const { subscription } = locked;
  const { segment } = subscription;
  const { proratedPrices } = subscription;
  if (proratedPrices)
    subscription.proratedPrices = proratedPrices.filter((one) => one.segment !== segment || one.endAt !== period.endAt);
  const isRevoked = (one: ProratedLine) => one.segment === segment && one.endAt === period.endAt;
  const revoked = subscription.prorations.filter(isRevoked);
  if (revoked.length === 0) return;
  subscription.prorations = subscription.prorations.filter((one) => !isRevoked(one));
  await em.write();
  const { accountId } = subscription;
  const ids = revoked.map(({ lineId }) => lineId);
  const changed = [...(await readingOf(em, accountId).byId(LineItem, ids)).values()];
  const invoiceIds = changed.flatMap(({ invoice }) => invoice?.id ?? []);
  const holders = await holdersOf(em, { accountId, ids: invoiceIds });
  const pending = changed.filter(({ invoice }) => !invoice);
  await deletePendingLines(
    em,
    locked,
    pending.map(({ id }) => id),
  );
  const billed = changed.filter(({ invoice }) => invoice && holders.has(invoice.id));
  const lines = billed.map((line) => opposite(line, holders.get(line.invoice?.id ?? 0) ?? null));
  const added = await addPendingLines(em, locked, { currency: locked.plan.currency, lines });
  const { endAt } = period;
  const opposites = added.map((lineId) => ({ lineId, credited: [], segment: null, endAt }));
  subscription.prorations = [...subscription.prorations, ...opposites];
}

/** The line that takes back a line of an invoice. The opposite of a credit falls to the invoices that the credit falls to. */
function opposite(line: Line, invoice: number | null): DocumentLine {
  const { unitCost, taxes, credited, ...same } = lineAsItIs(line);
  return {
    ...same,
    id: null,
    unitCost: negate(unitCost),
    taxes: taxes.map((tax) => ({ ...tax, id: null })),
    credited: credited ?? [{ invoice, amount: line.amount }],
  };
}
