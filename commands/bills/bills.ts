import { MOST_LINES } from '../../billing/limits.ts';
import { isNegative, type Money, negate, zero } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import { handOver } from '../../db/queries/catalog/couponRedemptions.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { labelsOf } from '../../words/labels/words.ts';
import { numberCreditNote, type WrittenCreditNote, writeCreditNote } from '../creditNotes/issuing.ts';
import { holdReasonOf } from '../customers/billable.ts';
import { prepareDocument } from '../documents/ids.ts';
import { newLine } from '../documents/lines.ts';
import {
  type ComputedInvoice,
  type InvoiceHead,
  numberInvoice,
  type WrittenInvoice,
  writeComputed,
} from '../invoices/issuing.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { balancedLines, pendingLines } from '../lineItems/pendingLines.ts';
import { type BillContent, computeBill, type Priced, price, priceFitting } from './pricing.ts';
import { lockReversed } from './reversedBills.ts';

/** A written bill (an invoice that no request asked for) without its number. */
export interface WrittenBill extends WrittenInvoice {
  /** Reason why it is held as a draft; null: it is issued. */
  holdReason: string | null;
  /** The credit note for a negative total; null: none. */
  credit: WrittenCreditNote | null;
  /** Further invoices with the pending lines that did not fit on it. */
  more: WrittenBill[];
}

/**
 * Writes a bill: its own lines and the customer's pending lines in its currency. A bill that may not be issued becomes a held draft. A
 * negative total goes to the credit balance; while the customer is on credit hold, the pending lines then stay pending instead. Refuses
 * only a bill whose own amounts are too large.
 */
export async function writeBill(em: EntityManager, locked: LockedCustomer, input: NewBill): Promise<WrittenBill> {
  return writePricedBill(em, locked, await priceBill(em, locked, input));
}

/** Writes a bill like `writeBill`, unless it would have no line. Null: it would have none. */
export async function writeBillOfAnyLine(
  em: EntityManager,
  locked: LockedCustomer,
  input: NewBill,
): Promise<WrittenBill | null> {
  const bill = await priceBill(em, locked, input);
  return bill.priced.content.lines.length === 0 ? null : writePricedBill(em, locked, bill);
}

type NewBill = InvoiceHead & BillContent;

interface PricedBill {
  head: InvoiceHead;
  priced: Priced;
  /** Whether pending lines may remain for further invoices. */
  isFull: boolean;
}

async function priceBill(
  em: EntityManager,
  locked: LockedCustomer,
  { lines, discounts, taxes, ...head }: NewBill,
): Promise<PricedBill> {
  const { currency } = head;
  const own = { lines, discounts, taxes };
  const most = MOST_LINES - lines.length - 1;
  const oldest = await pendingLines(em, locked, { currency, most });
  const swept = oldest.length < most ? oldest : ((await balancedLines(em, locked, { currency, oldest })) ?? oldest);
  const whole = await priceFitting(em, locked, { head, own, swept });
  const mustStayPending =
    isNegative(whole.computed.totals.total) && (await holdReasonOf(em, locked, nothingIn(currency))) !== null;
  const priced = mustStayPending ? await price(em, locked, { head, own, swept: [] }) : whole;
  return { head, priced, isFull: swept.length === most || whole.swept.length < swept.length };
}

async function writePricedBill(
  em: EntityManager,
  locked: LockedCustomer,
  { head, priced, isFull }: PricedBill,
): Promise<WrittenBill> {
  const bill = await writePriced(em, locked, { head, priced });
  const hasMore = isFull && bill.holdReason === null;
  return { ...bill, more: hasMore ? await writePending(em, locked, head) : [] };
}

/** Maximum number of invoices from pending lines per currency and transaction. Further lines wait for the next bill. */
const MOST_INVOICES = 10;

/** Writes as many invoices as the pending lines in a currency need. Lines with a negative sum stay pending. Stops at a held bill. */
export async function writePending(
  em: EntityManager,
  locked: LockedCustomer,
  { currency, origin = 'other' }: Pick<InvoiceHead, 'currency' | 'origin'>,
): Promise<WrittenBill[]> {
  const bills: WrittenBill[] = [];
  const head = { currency, origin };
  const own = { lines: [], discounts: [], taxes: null };
  while (bills.length < MOST_INVOICES) {
    const oldest = await pendingLines(em, locked, { currency, most: MOST_LINES });
    const swept = oldest.length < MOST_LINES ? oldest : await balancedLines(em, locked, { currency, oldest });
    const priced = swept === null || swept.length === 0 ? null : await priceFitting(em, locked, { head, own, swept });
    if (!priced || priced.swept.length === 0 || isNegative(priced.computed.totals.total)) break;
    const bill = await writePriced(em, locked, { head, priced });
    bills.push({ ...bill, more: [] });
    if (bill.holdReason !== null) break;
  }
  return bills;
}

/** Numbers the documents of a bill and records their events. The series stay locked until the commit. Returns the first invoice. */
export async function numberBill(em: EntityManager, locked: LockedCustomer, bill: WrittenBill): Promise<Invoice> {
  const invoice = await numberInvoice(em, locked, bill);
  for (const other of bill.more) await numberBill(em, locked, other);
  if (bill.credit) await numberCreditNote(em, locked, bill.credit);
  return invoice;
}

/** Documents that a change of a subscription wrote, without their numbers. */
export interface Unnumbered {
  bills: (WrittenBill | null)[];
  credit: WrittenCreditNote | null;
}

/** Numbers the documents that a change of a subscription wrote. The series stay locked until the commit, so call it last. */
export async function numberDocuments(
  em: EntityManager,
  locked: LockedCustomer,
  { bills, credit }: Unnumbered,
): Promise<void> {
  for (const bill of bills) if (bill) await numberBill(em, locked, bill);
  if (credit) await numberCreditNote(em, locked, credit);
}

async function writePriced(
  em: EntityManager,
  locked: LockedCustomer,
  { head, priced }: { head: InvoiceHead; priced: Priced },
): Promise<Omit<WrittenBill, 'more'>> {
  const { prepared, swept, computed } = priced;
  const { total } = computed.totals;
  if (isNegative(total)) return writeCredited(em, locked, { head, priced, amount: negate(total) });
  const holdReason = await holdReasonOf(em, locked, { currency: head.currency, total });
  const kept = holdReason === null ? prepared : { ...prepared, snapshotId: null };
  const written = await writeSwept(em, locked, {
    ...head,
    isDraft: holdReason !== null,
    prepared: kept,
    computed,
    swept,
  });
  return { ...written, holdReason, credit: null };
}

/** Writes an invoice with pending lines, and moves the redemptions of their coupons to it. */
async function writeSwept(
  em: EntityManager,
  locked: LockedCustomer,
  input: ComputedInvoice & { swept: readonly LineItem[] },
): Promise<WrittenInvoice> {
  const written = await writeComputed(em, locked, input);
  const { accountId, id } = written.invoice;
  const lineIds = input.swept.filter(({ discounts }) => discounts.some(({ coupon }) => coupon)).map((line) => line.id);
  if (lineIds.length > 0) await handOver(em, accountId, { lineIds, to: { type: 'invoice', id } });
  return written;
}

/**
 * Writes an invoice with a total of zero, and a credit note for the negative amount. It pays what is open of the bills that it reverses, then
 * other open invoices; the rest goes to the credit balance.
 */
async function writeCredited(
  em: EntityManager,
  locked: LockedCustomer,
  { head, priced, amount }: { head: InvoiceHead; priced: Priced; amount: Money },
): Promise<Omit<WrittenBill, 'more'>> {
  const { prepared, swept, content } = priced;
  const { currency } = head;
  const { credited: name } = labelsOf(locked.customer.language ?? locked.moment.caller.account.language);
  const carried = newLine({ name, unitCost: amount, discountable: false, taxable: false });
  const computed = await computeBill(em, locked, {
    content: { ...content, lines: [...content.lines, carried] },
    swept,
  });
  const written = await writeSwept(em, locked, { ...head, prepared, computed, swept });
  const preparation = { table: 'credit_note' as const, lines: 1, shipTo: null, isIssued: true, isTaxed: false };
  const reversed = await lockReversed(em, locked, { currency, lines: content.lines });
  const credit = await writeCreditNote(em, locked, {
    currency,
    invoice: { ...locked, ...written },
    destination: { invoice: null, reversed },
    prepared: await prepareDocument(em, locked, preparation),
    content: { currency, lines: [carried], discounts: [], taxes: [] },
  });
  return { ...written, holdReason: null, credit };
}

const nothingIn = (currency: string) => ({ currency, total: zero(currency) });
