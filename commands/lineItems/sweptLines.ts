import type { EntityManager } from '../../db/orm.ts';
import { LineItem } from '../../db/schema/lineItem.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { moveRedemptionsToLines } from '../catalog/couponRedemptions.ts';
import { contentAsItIs } from '../documents/content.ts';
import { computeContent, replaceLines } from '../documents/rows.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

/**
 * Makes the pending lines that a deleted draft had taken pending again, with the redemptions of their coupons. The deleted draft keeps only
 * its other lines.
 */
export async function returnSweptLines(em: EntityManager, locked: LockedInvoice): Promise<void> {
  const { invoice, customer, moment } = locked;
  const { accountId, id: invoiceId } = invoice;
  await em.write();
  const swept = await em.find(LineItem, { accountId, invoice, sweptAt: { $ne: null } }, { orderBy: { id: 'asc' } });
  if (swept.length === 0) return;
  for (const line of swept) {
    const alone = await computedAlone(em, locked, line);
    Object.assign(line, alone, { customer, invoice: null, position: 0, sweptAt: null, updatedAt: moment.now });
  }
  customer.hasPendingLines = true;
  await em.write();
  const lines = swept.map(({ id, discounts }) => ({ id, codes: discounts.flatMap(({ coupon }) => coupon?.id ?? []) }));
  await moveRedemptionsToLines(em, locked, { invoiceId, lines });
  const returned = new Set(swept.map(({ id }) => id));
  const before = locked.lines.filter(({ id }) => !returned.has(id));
  const stored = { lines: before, discounts: invoice.discounts, taxes: invoice.taxes };
  const content = contentAsItIs(stored, invoice.currency);
  const rest = await computeContent(em, content, { before: stored, now: moment.now, mayBeNegative: true });
  const { subtotal, total } = rest.totals;
  const owner = { accountId, currency: invoice.currency, invoice };
  locked.lines = await replaceLines(em, owner, { lines: rest.lines, before, now: moment.now });
  Object.assign(invoice, { discounts: rest.discounts, taxes: rest.taxes, subtotal, total });
}

/** The amounts of a line billed alone, without discounts and taxes of a document. */
async function computedAlone(em: EntityManager, { moment }: LockedCustomer, line: LineItem) {
  const stored = { lines: [line], discounts: [], taxes: [] };
  const how = { before: stored, now: moment.now, mayBeNegative: true, isLine: true };
  const { lines } = await computeContent(em, contentAsItIs(stored, line.currency), how);
  const [alone] = lines;
  if (!alone) throw new Error('no line was computed');
  const { amount, net, discounts, taxes } = alone;
  return { amount, net, discounts, taxes };
}
