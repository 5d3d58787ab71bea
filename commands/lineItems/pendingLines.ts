import { whyUntaxed } from '../../billing/documents/tax.ts';
import { add, isNegative, subtract, sum } from '../../billing/money/money.ts';
import { chooseNettedLines } from '../../billing/money/netting.ts';
import type { EntityManager } from '../../db/orm.ts';
import { currenciesOfPending, pendingTotals } from '../../db/queries/bills/bills.ts';
import { LineItem } from '../../db/schema/lineItem.ts';
import { presentPendingLine } from '../../present/documents/lineItem.ts';
import { reservePartIds } from '../documents/ids.ts';
import { type DocumentLine, lineAsItIs } from '../documents/lines.ts';
import { type ComputedLine, computeContent } from '../documents/rows.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { recordOfCustomer } from '../kernel/record.ts';

/**
 * Up to `most` pending lines of a locked customer in a currency, oldest first. A line is pending until the caller puts it on an invoice.
 * Makes no query if `hasPendingLines` is false.
 */
export async function pendingLines(
  em: EntityManager,
  { customer }: LockedCustomer,
  { currency, most }: { currency: string; most: number },
): Promise<LineItem[]> {
  if (!customer.hasPendingLines || most <= 0) return [];
  const { accountId } = customer;
  await em.write(); // writes the invoices of lines that this transaction has billed
  const lines = await em.find(LineItem, { accountId, customer, currency }, { orderBy: { id: 'asc' }, limit: most });
  if (lines.length === 0) customer.hasPendingLines = (await em.count(LineItem, { accountId, customer })) > 0;
  return lines;
}

/**
 * Chooses pending lines for one document, as many as `oldest` has. Returns the oldest ones if neither their sum nor that of the remaining
 * lines is negative, else those of `chooseNettedLines`. Null: the sum of all is negative. The caller has written its changes.
 */
export async function balancedLines(
  em: EntityManager,
  { customer }: LockedCustomer,
  { currency, oldest }: { currency: string; oldest: LineItem[] },
): Promise<LineItem[] | null> {
  const { accountId, id: customerId } = customer;
  const most = oldest.length;
  const totals = await pendingTotals(em, { accountId, customerId, currency, most });
  if (isNegative(totals.sum)) return null;
  const alone = oldest.map(({ net, taxes }) => add(net, ...taxes.map(({ amount }) => amount)));
  const total = sum(alone, currency);
  if (!isNegative(total) && !isNegative(subtract(totals.sum, total))) return oldest;
  const ids = chooseNettedLines(totals, most);
  return em.find(LineItem, { accountId, customer, id: { $in: ids } }, { orderBy: { id: 'asc' } });
}

/**
 * Pending lines as lines of a document, which is computed with them. Leaves out tax rates if the customer is no longer taxable, except from
 * credits of what was billed with them, and from late usage, whose taxes are those of another invoice.
 */
export function asDocumentLines({ customer }: LockedCustomer, pending: readonly LineItem[]): DocumentLine[] {
  const lines = pending.map(lineAsItIs);
  if (whyUntaxed(customer, true) === null) return lines;
  return lines.map((line) => {
    if (line.prorated && isNegative(line.unitCost)) return line;
    return { ...line, taxes: line.taxes.filter(({ taxRate, given }) => taxRate === null || given !== undefined) };
  });
}

/** Currencies of the pending lines of a locked customer, its own currency first. */
export async function pendingCurrencies(em: EntityManager, { customer, moment }: LockedCustomer): Promise<string[]> {
  const own = customer.currency ?? moment.caller.account.currency;
  const currencies = await currenciesOfPending(em, { accountId: customer.accountId, customerId: customer.id });
  return currencies.sort((one, other) => Number(other === own) - Number(one === own));
}

/** Adds pending lines to a locked customer and records their events. Returns their ids. */
export async function addPendingLines(
  em: EntityManager,
  locked: LockedCustomer,
  { currency, lines }: { currency: string; lines: DocumentLine[] },
): Promise<number[]> {
  if (lines.length === 0) return [];
  const content = { currency, lines, discounts: [], taxes: [] };
  const computed = await computeContent(em, content, { before: null, now: locked.moment.now, mayBeNegative: true });
  const takeId = await reservePartIds(em, lines.length);
  const rows = computed.lines.map((line) => insertPendingLine(em, locked, { ...line, id: takeId(), currency }));
  for (const row of rows)
    recordOfCustomer(em, locked, { type: 'line_item.created', row, shown: presentPendingLine(row) });
  return rows.map(({ id }) => id);
}

/** Gives a locked customer a pending line. The caller records its event. */
export function insertPendingLine(
  em: EntityManager,
  { customer, moment }: LockedCustomer,
  line: ComputedLine & { id: number; currency: string },
): LineItem {
  customer.hasPendingLines = true;
  const times = { createdAt: moment.now, updatedAt: moment.now };
  return em.create(LineItem, { ...line, ...times, accountId: customer.accountId, customer, position: 0 });
}

/** Deletes pending lines that the product added, and records their events. */
export async function deletePendingLines(
  em: EntityManager,
  locked: LockedCustomer,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const { accountId } = locked.customer;
  const rows = await em.find(LineItem, { accountId, customer: locked.customer, id: { $in: [...ids] } });
  for (const row of rows) {
    recordOfCustomer(em, locked, { type: 'line_item.deleted', row, shown: presentPendingLine(row) });
    em.remove(row);
  }
}
