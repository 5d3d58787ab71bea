import { isSamePeriod, leftOfAmount, leftOfLines } from '../../../billing/documents/creditedLines.ts';
import { discountedOf } from '../../../billing/documents/document.ts';
import { type Money, sum } from '../../../billing/money/money.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { type Line, linesOfEach } from '../../../db/queries/documents/lines.ts';
import { correctionsOf } from '../../../db/queries/invoices/corrections.ts';
import { type DocumentLine, newLine } from '../../documents/lines.ts';
import type { SubscriptionContent } from '../changes/content.ts';

/** Charges less what credit notes on their invoices credit of them. `invoiceId`: the invoice that has its line now; null: the line is pending. */
export async function lessCreditNotes<Charge extends { line: Line; amount: Money; invoiceId: number | null }>(
  em: EntityManager,
  accountId: number,
  charges: readonly Charge[],
): Promise<Charge[]> {
  const invoiceIds = [...new Set(charges.flatMap(({ invoiceId }) => invoiceId ?? []))];
  const left = await leftOfInvoices(em, { accountId, invoiceIds });
  return charges.map((charge) => {
    const { line, amount, invoiceId } = charge;
    const lines = (invoiceId && left.get(invoiceId)) || [];
    const same = lines.find((one) => one.line.id === line.id) ?? lines.find((one) => isCopy(one.line, line));
    if (!same) return charge;
    return { ...charge, amount: leftOfAmount(amount, { net: line.net, left: same.left }, line.currency) };
  });
}

interface LeftOfLine {
  line: Line;
  left: Money;
}

/** The lines of the invoices that credit notes correct, each with the part that these leave of it. */
async function leftOfInvoices(
  em: EntityManager,
  { accountId, invoiceIds }: { accountId: number; invoiceIds: readonly number[] },
): Promise<Map<number, LeftOfLine[]>> {
  if (invoiceIds.length === 0) return new Map();
  const notes = await correctionsOf(em, { accountId, invoiceIds });
  if (notes.size === 0) return new Map();
  const lines = await linesOfEach(em, 'invoice', { accountId, ids: [...notes.keys()] });
  const credits = await linesOfEach(em, 'credit_note', { accountId, ids: [...notes.values()].flat() });
  const leftOf = (id: number, noteIds: readonly number[]): LeftOfLine[] => {
    const billed = lines.get(id) ?? [];
    const [first] = billed;
    if (!first) return [];
    const credited = noteIds.flatMap((noteId) => credits.get(noteId) ?? []);
    const left = leftOfLines(billed, credited, first.currency);
    return billed.map((line, index) => ({ line, left: left[index] ?? line.net }));
  };
  return new Map([...notes].map(([id, noteIds]) => [id, leftOf(id, noteIds)]));
}

/** Whether a line of a consolidated invoice is the copy of another. */
function isCopy(one: Line, other: Line): boolean {
  const names = ['planCode', 'itemCode', 'addonId', 'name', 'description', 'net'] as const;
  return names.every((name) => (one[name] ?? null) === (other[name] ?? null)) && isSamePeriod(one, other);
}

/** The prices of a whole period net of all discounts, with inclusive taxes, by the add-on. Key null: the plan. */
export function netPrices(
  { lines, discounts }: Pick<SubscriptionContent, 'lines' | 'discounts'>,
  currency: string,
): Map<number | null, Money> {
  const amounts = discountedOf({ lines, discounts, taxes: [], currency });
  const prices = new Map<number | null, Money>();
  for (const [index, { addonId }] of lines.entries())
    prices.set(addonId, sum([prices.get(addonId) ?? '0', amounts[index] ?? '0'], currency));
  return prices;
}

/** A line with a net price of what another line bills. Discounts and taxes of its invoice skip it: it has its own taxes. */
export function netLine(
  { type, name, planCode, itemCode, glAccount, addonId }: DocumentLine,
  values: Partial<DocumentLine>,
): DocumentLine {
  const sold = { type, name, planCode, itemCode, glAccount, addonId };
  return newLine({ ...sold, ...values, discountable: false, taxable: false });
}
