import { LATE_FEE_LINE } from '../../billing/collection/lateFee.ts';
import { totalsOf } from '../../billing/documents/document.ts';
import { creditedUnits } from '../../billing/documents/noteRounding.ts';
import type { Rounding } from '../../billing/documents/totals.ts';
import {
  allocate,
  amountText,
  compare,
  isNegative,
  isPositive,
  type Money,
  roundMoney,
  subtract,
  sum,
  zero,
} from '../../billing/money/money.ts';
import {
  type CreditedInvoice,
  leftToCredit,
  reducedBy,
  reductionTo,
  roundingOf,
} from '../../billing/payments/creditCeiling.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Line, linesOfEach } from '../../db/queries/documents/lines.ts';
import { correctionsOf, creditsOfLines, type LineCredit } from '../../db/queries/invoices/corrections.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import { readingOf } from '../../db/queries/kernel/reading.ts';
import { CreditNote } from '../../db/schema/creditNote.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { LockedCreditNote } from '../aggregates/creditNote.ts';
import { contentAsItIs, type DocumentContent } from '../documents/content.ts';
import { computeContent, replaceLines } from '../documents/rows.ts';

/** What was credited of an invoice, and what it still charges of its late fees: zero or more. */
interface Credited extends CreditedInvoice {
  feesLeft: Money;
}

/** An invoice with its lines, locked if a credit note of it is issued. */
export interface CorrectedInvoice {
  invoice: Plain<Invoice>;
  lines: readonly Line[];
}

/** Most issued credit notes of an invoice, and most lines of them, because each further one counts them all. */
const MOST_NOTES = 1000;
const MOST_LINES = 20_000;

/** Reads what was credited of an invoice before. `except`: a credit note that does not count. Refuses an invoice that has too many credit notes. */
export async function creditedBefore(
  em: EntityManager,
  { invoice, lines }: CorrectedInvoice,
  except: number | null = null,
): Promise<Credited> {
  await em.write();
  const { accountId, id, currency } = invoice;
  const ids = ((await correctionsOf(em, { accountId, invoiceIds: [id] })).get(id) ?? []).filter(
    (one) => one !== except,
  );
  if (ids.length >= MOST_NOTES)
    throw new Refusal('limit_exceeded', `An invoice may have at most ${MOST_NOTES} credit notes`, 'invoice');
  const notes = await readingOf(em, accountId).byId(CreditNote, ids);
  const linesOf = await linesOfEach(em, 'credit_note', { accountId, ids });
  const count = [...linesOf.values()].reduce((soFar, own) => soFar + own.length, 0);
  if (count > MOST_LINES)
    throw new Refusal(
      'limit_exceeded',
      `The credit notes of an invoice may have at most ${MOST_LINES} lines together`,
      'invoice',
    );
  const earlier = [...notes.values()].map((note) => ({
    currency,
    discounts: note.discounts,
    taxes: note.taxes,
    total: note.total,
    lines: linesOf.get(note.id) ?? [],
    isEarlyDiscount: Boolean(note.earlyDiscountUntil),
  }));
  const { total, discounts, taxes } = invoice;
  const stored = { currency, total, lines, discounts, taxes };
  const otherwise = sum([await creditedOtherwise(em, invoice), invoice.writtenOff], currency);
  const left = subtract(feesOf(lines, currency), feesOf([...linesOf.values()].flat(), currency));
  const feesLeft = isPositive(left) ? left : zero(currency);
  return { invoice: stored, earlier, otherwise, units: creditedUnits(stored, earlier), feesLeft };
}

/** Sum of the lines that charge late fees or take them back. */
const feesOf = (lines: readonly Pick<Line, 'type' | 'amount'>[], currency: string): Money =>
  sum(
    lines.flatMap(({ type, amount }) => (type === LATE_FEE_LINE ? [amount] : [])),
    currency,
  );

/**
 * The parts of an invoice's lines that prorated changes and corrected usage credited, with their taxes. More usage takes credits of usage back.
 * A change that charges for a line takes no credit back: the charge is on a bill of its own.
 */
async function creditedOtherwise(em: EntityManager, invoice: Plain<Invoice>): Promise<Money> {
  const { currency } = invoice;
  const { ids, credits } = await creditsOfLines(em, invoice);
  const own = new Set<number | null>(ids);
  const creditedBy = (counted: readonly LineCredit[]) => {
    const credited = sum(
      counted.flatMap((credit) => ownParts(credit, own, currency)),
      currency,
    );
    return isNegative(credited) ? zero(currency) : credited;
  };
  const prorated = credits.filter(({ isProrated, amount }) => isProrated && !isNegative(amount));
  const ofUsage = credits.filter(({ isProrated }) => !isProrated);
  return sum([creditedBy(prorated), creditedBy(ofUsage)], currency);
}

/** The parts of a credit that fall to some invoices. */
function ownParts({ amount, parts }: LineCredit, ids: ReadonlySet<number | null>, currency: string): Money[] {
  const weights = parts.map((part) => part.amount);
  const shares = allocate(roundMoney(amount, currency), weights, currency);
  return parts.flatMap(({ invoice }, index) => (ids.has(invoice) ? [shares[index] ?? '0'] : []));
}

/** How a credit note that corrects an invoice comes to its amounts. */
export interface Corrected {
  content: DocumentContent;
  rounding: (discounted: readonly bigint[]) => Rounding;
  /** The part of the asked amount that exceeds the invoice, and that `content` does not contain; null: none. */
  excess: Money | null;
}

/**
 * Decides the amounts of a credit note that corrects an invoice. Refuses one that takes back more late fees than the invoice still charges.
 * Refuses one that credits more than is left of the invoice, unless `isForced`: then its lines are reduced to what is left.
 */
export function correct(
  content: DocumentContent,
  of: Credited,
  { isForced, name }: { isForced: boolean; name: string },
): Corrected {
  refuseNegativePrices(content);
  const rounding = roundingOf(content, of);
  const { total, lines } = totalsOf(content, { rounding });
  refuseFees(content, { lines, of, name });
  const most = leftToCredit(of);
  if (compare(total, most) <= 0) return { content, rounding, excess: null };
  const { currency } = content;
  if (!isForced) {
    const left = `${amountText(most, currency)} of ${name} is left to credit, not ${amountText(total, currency)}`;
    const instead = 'lower the amount, or send force: true with a reason, which adds the excess to the credit balance';
    throw new Refusal('amount_too_large', `Only ${left}: ${instead}`, 'items');
  }
  const reductions = reductionTo(content, { most, of });
  const reduced = reductions ? { ...content, ...reducedBy(content, reductions) } : content;
  const rounded = roundingOf(reduced, of);
  const excess = subtract(total, totalsOf(reduced, { rounding: rounded }).total);
  return { content: reduced, rounding: rounded, excess: isPositive(excess) ? excess : null };
}

/** Refuses late fees that the invoice does not charge, or that were taken back before. */
function refuseFees(
  { lines: asked, currency }: DocumentContent,
  { lines, of, name }: { lines: readonly { amount: Money }[]; of: Credited; name: string },
): void {
  const fees = feesOf(
    asked.map(({ type }, index) => ({ type, amount: lines[index]?.amount ?? zero(currency) })),
    currency,
  );
  if (compare(fees, of.feesLeft) <= 0) return;
  const left = `${amountText(of.feesLeft, currency)} of the late fees on ${name} is left to credit`;
  throw new Refusal('amount_too_large', `Only ${left}, not ${amountText(fees, currency)}: lower the amount`, 'items');
}

/** The amounts of a draft: those that it would have if it were issued now, but also beyond what is left of the invoice. */
export function correctDraft(content: DocumentContent, of: CreditedInvoice): Corrected {
  refuseNegativePrices(content);
  return { content, rounding: roundingOf(content, of), excess: null };
}

/** Refuses lines that are negative before the note is rounded: rounding would raise them to zero. */
function refuseNegativePrices(content: DocumentContent): void {
  refuseNegativeLines(totalsOf(content, { mayBeNegative: true }).lines);
}

export function refuseNegativeLines(lines: readonly { amount: Money }[]): void {
  const index = lines.findIndex(({ amount }) => isNegative(amount));
  if (index >= 0)
    throw new Refusal('parameter_invalid', 'Lines of a credit note must not be negative', `items[${index}][unit_cost]`);
}

/** Computes the amounts of an existing credit note again. Returns the excess of one that is forced (`correct`); null: none. */
export async function recompute(
  em: EntityManager,
  locked: LockedCreditNote,
  { target, isDraft }: { target: CorrectedInvoice; isDraft: boolean },
): Promise<Money | null> {
  const { creditNote, moment } = locked;
  const { accountId, currency, discounts, taxes } = creditNote;
  const isUnused = compare(creditNote.balance, creditNote.total) === 0;
  const of = await creditedBefore(em, target, creditNote.id);
  const before = { lines: locked.lines, discounts, taxes };
  const asked = contentAsItIs(before, currency);
  const how = { isForced: Boolean(creditNote.forceReason), name: nameOf(target) };
  const { content, rounding, excess } = isDraft ? correctDraft(asked, of) : correct(asked, of, how);
  const computed = await computeContent(em, content, { before, now: moment.now, rounding });
  const owner = { accountId, currency, creditNote };
  locked.lines = await replaceLines(em, owner, { lines: computed.lines, before: locked.lines, now: moment.now });
  const { subtotal, total } = computed.totals;
  Object.assign(creditNote, { discounts: computed.discounts, taxes: computed.taxes, subtotal, total });
  if (isUnused) creditNote.balance = total;
  return excess;
}

export function nameOf({ invoice }: CorrectedInvoice): string {
  return `invoice ${invoice.number ?? invoice.id}`;
}
