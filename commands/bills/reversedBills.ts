import { isNegative } from '../../billing/money/money.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { openDebts } from '../../db/queries/credit/spending.ts';
import { holdersOf } from '../../db/queries/invoices/paidParts.ts';
import { type LockedInvoice, lockInvoices } from '../aggregates/invoice.ts';
import { creditKeyOf } from '../credit/creditBalance.ts';
import type { DocumentLine } from '../documents/lines.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

/**
 * Locks what is open of the bills that the lines of a negative bill credit, the oldest due date first. Empty if credit pays no open invoices.
 */
export async function lockReversed(
  em: EntityManager,
  locked: LockedCustomer,
  { currency, lines }: { currency: string; lines: readonly DocumentLine[] },
): Promise<LockedInvoice[]> {
  const { customer, moment } = locked;
  if (!setting(moment.caller.account, 'apply_credits_at_issue')) return [];
  const { accountId } = customer;
  const credits = lines.filter(({ unitCost, quantity }) => isNegative(unitCost) !== isNegative(quantity));
  const ids = credits.flatMap(({ credited }) => credited?.flatMap(({ invoice }) => invoice ?? []) ?? []);
  if (ids.length === 0) return [];
  await em.write();
  const only = [...new Set((await holdersOf(em, { accountId, ids })).values())];
  const debts = await openDebts(em, creditKeyOf(customer, currency), { only, most: only.length });
  const inOrder = debts.map(({ invoiceId }) => invoiceId);
  const bills = await lockInvoices(em, locked, inOrder);
  return inOrder.flatMap((id) => bills.find(({ invoice }) => invoice.id === id) ?? []);
}
