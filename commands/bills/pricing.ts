import { type OpenDiscount, type OpenTax, totalsOf } from '../../billing/documents/document.ts';
import { countFittingLines, linesWithin } from '../../billing/documents/documentRoom.ts';
import { whyUntaxed } from '../../billing/documents/tax.ts';
import { TooLarge } from '../../billing/limits.ts';
import { add, type Money, zero } from '../../billing/money/money.ts';
import { isForCurrency } from '../../billing/money/rate.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { taxOfRate } from '../catalog/adjustments.ts';
import type { DocumentContent } from '../documents/content.ts';
import { type PreparedDocument, prepareDocument } from '../documents/ids.ts';
import { type DocumentLine, newLine } from '../documents/lines.ts';
import { type ComputedContent, computeContent } from '../documents/rows.ts';
import type { InvoiceHead } from '../invoices/issuing.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { updateLateUsageProblem } from '../lineItems/lateUsageProblem.ts';
import { asDocumentLines } from '../lineItems/pendingLines.ts';
import { closeUnbillableProblem, reportUnbillable } from '../lineItems/unbillable.ts';

/** The content of a bill besides pending lines. */
export interface BillContent {
  lines: Partial<DocumentLine>[];
  discounts: OpenDiscount[];
  /** Null: the automatic tax rates, of the customer or of its place. */
  taxes: OpenTax[] | null;
}

/** A priced bill. `swept`: the pending lines on it. */
export interface Priced {
  prepared: PreparedDocument;
  content: DocumentContent;
  swept: readonly LineItem[];
  computed: ComputedContent;
}

interface Bill {
  head: InvoiceHead;
  own: BillContent;
  swept: readonly LineItem[];
}

/** Reserves the ids of a bill and computes it. Refuses amounts that are too large. */
export async function price(em: EntityManager, locked: LockedCustomer, { head, own, swept }: Bill): Promise<Priced> {
  const { currency, shipTo = null } = head;
  const isTaxed = whyUntaxed(locked.customer, true) === null;
  // One more id than lines, for a line that credits a negative total.
  const preparation = { table: 'invoice' as const, lines: own.lines.length + 1, shipTo, isIssued: true, isTaxed };
  const prepared = await prepareDocument(em, locked, preparation);
  const automatic = prepared.automaticRates.filter((rate) => isForCurrency(rate, currency)).map(taxOfRate);
  const lines = [...own.lines.map(newLine), ...asDocumentLines(locked, swept)];
  const content = { currency, lines, discounts: own.discounts, taxes: own.taxes ?? automatic };
  return { prepared, content, swept, computed: await computeBill(em, locked, { content, swept }) };
}

/** Computes the content of a bill. Its total may be negative. */
export function computeBill(
  em: EntityManager,
  locked: LockedCustomer,
  { content, swept }: Pick<Priced, 'content' | 'swept'>,
): Promise<ComputedContent> {
  const before = { lines: [...swept], discounts: [], taxes: [] };
  return computeContent(em, content, { before, now: locked.moment.now, mayBeNegative: true });
}

/**
 * Computes a bill with as many pending lines as its limits allow: on printed characters, on discounts and taxes, and on amounts. A line
 * whose amount is too large for any invoice stays pending and becomes a problem. Refuses a bill that is too large without pending lines.
 */
export async function priceFitting(em: EntityManager, locked: LockedCustomer, asked: Bill): Promise<Priced> {
  const priced = await priceMost(em, locked, { ...asked, swept: printableLines(asked) });
  const { currency } = asked.head;
  if (priced.swept.length > 0) await updateLateUsageProblem(em, locked, { currency, gone: priced.swept });
  return priced;
}

async function priceMost(em: EntityManager, locked: LockedCustomer, bill: Bill): Promise<Priced> {
  const whole = await awaitedOrNullIfTooLarge(price(em, locked, bill));
  if (whole) {
    if (bill.swept.length > 0) await closeUnbillableProblem(em, locked, bill.head.currency);
    return whole;
  }
  const alone = await price(em, locked, { ...bill, swept: [] });
  const { billable, totals, unbillable } = splitByAmount(locked, { ...bill, taxes: alone.content.taxes });
  if (unbillable.length > 0) await reportUnbillable(em, locked, { currency: bill.head.currency, lines: unbillable });
  else await closeUnbillableProblem(em, locked, bill.head.currency);
  // Rounding over all lines can make their sum a little larger than the sum of the lines' own totals: then half as many are tried.
  for (let count = countFittingLines(totals, alone.computed.totals.total); count > 0; count = Math.floor(count / 2)) {
    const part = await awaitedOrNullIfTooLarge(price(em, locked, { ...bill, swept: billable.slice(0, count) }));
    if (part) return part;
  }
  return alone;
}

/** The pending lines that fit within the limits of printed characters, and of discounts and taxes. */
function printableLines({ own, swept }: Bill): LineItem[] {
  const waiting = swept.map((line) => ({ line, total: add(line.net, ...line.taxes.map(({ amount }) => amount)) }));
  return linesWithin(waiting, own.lines.map(newLine));
}

/** Splits pending lines by whether the amount of each fits on an invoice, and totals each with the taxes of the document. */
function splitByAmount(
  locked: LockedCustomer,
  { head: { currency }, swept, taxes }: Bill & { taxes: OpenTax[] },
): { billable: LineItem[]; totals: Money[]; unbillable: LineItem[] } {
  const totalled = swept.map((line) => {
    const content = { currency, lines: asDocumentLines(locked, [line]), discounts: [], taxes };
    return { line, total: nullIfTooLarge(() => totalsOf(content, { mayBeNegative: true }).total) };
  });
  const fitting = totalled.filter(({ total }) => total !== null);
  return {
    billable: fitting.map(({ line }) => line),
    totals: fitting.map(({ total }) => total ?? zero(currency)),
    unbillable: totalled.filter(({ total }) => total === null).map(({ line }) => line),
  };
}

function nullIfTooLarge<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof TooLarge) return null;
    throw error;
  }
}

async function awaitedOrNullIfTooLarge<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error) => {
    if (error instanceof TooLarge) return null;
    throw error;
  });
}
