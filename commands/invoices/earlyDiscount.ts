import { type OpenDiscount, totalsOf } from '../../billing/documents/document.ts';
import {
  discountValue,
  type EarlyDiscount,
  includedDiscount,
  newEarlyDiscount,
  offerOf,
  withoutEarly,
} from '../../billing/documents/earlyDiscount.ts';
import { add, compare, isPositive, roundMoney, subtract } from '../../billing/money/money.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { isNotCollected } from '../aggregates/collectionState.ts';
import { planDiscountReview } from '../aggregates/earlyDiscount.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { activePlanOf } from '../aggregates/paymentPlan.ts';
import { openDiscount } from '../catalog/adjustments.ts';
import { contentAsItIs, type DocumentContent } from '../documents/content.ts';
import { type ComputedContent, computeContent, replaceLines } from '../documents/rows.ts';

/**
 * Whether invoices of an account carry their early-payment discount until it ends. Issued documents of the others never change: a credit note
 * grants the discount once it is earned.
 */
function isOnDocuments(account: Account): boolean {
  return setting(account, 'late_fee_document') === 'line';
}

/** Adds the early-payment discount to the content of an invoice that is issued now, if its account puts it on documents. */
export async function withEarlyDiscount(
  em: EntityManager,
  computed: ComputedContent,
  { account, currency, offer, now }: { account: Account; currency: string; offer: EarlyDiscount | null; now: Date },
): Promise<ComputedContent> {
  const { lines, discounts, taxes, totals } = computed;
  const content: DocumentContent = { currency, lines, discounts, taxes };
  if (!offer || !isOnDocuments(account) || !canCarry(content, offer, totals.total)) return computed;
  const more = { ...content, discounts: [...discounts, newEarlyDiscount(offer)] };
  return computeContent(em, more, { before: null, now });
}

/** Puts the early-payment discount on a draft that is issued now, if its account puts it on documents. */
export async function addEarlyDiscount(em: EntityManager, locked: LockedInvoice): Promise<void> {
  const { invoice, lines, moment } = locked;
  const { currency, discounts, taxes, total } = invoice;
  const offer = offerOf(invoice);
  if (!offer || !isOnDocuments(moment.caller.account)) return;
  if (!canCarry(contentAsItIs({ lines, discounts, taxes }, currency), offer, total)) return;
  await setDiscounts(em, locked, [...discounts.map(openDiscount), newEarlyDiscount(offer)]);
}

/** Takes the early-payment discount off an invoice: total, taxes and balance rise. The caller posts the difference. */
export function removeEarlyDiscount(em: EntityManager, locked: LockedInvoice): Promise<void> {
  return setDiscounts(em, locked, withoutEarly(locked.invoice.discounts).map(openDiscount));
}

/**
 * Makes the early-payment discount of an open invoice follow a change of its terms or date: another time to pay moves its end, and terms that
 * do not offer it take it off the document. A discount that later terms offer is granted by a credit note.
 */
export async function followTerms(em: EntityManager, locked: LockedInvoice): Promise<void> {
  const { invoice, moment } = locked;
  if (isNotCollected(invoice) || activePlanOf(invoice)) return;
  const included = includedDiscount(invoice.discounts);
  if (!included) return planDiscountReview(invoice, moment.now, null);
  const offer = offerOf(invoice);
  if (offer?.percent !== included.percent) return removeEarlyDiscount(em, locked);
  if (offer.endsAt === included.expiresAt) return;
  invoice.discounts = invoice.discounts.map((one) =>
    one.id === included.id ? { ...one, expiresAt: offer.endsAt } : one,
  );
}

/** Whether the discount lowers a total that can be computed again: the total of a consolidated invoice is the sum of its parts. */
function canCarry(content: DocumentContent, { percent }: EarlyDiscount, total: string): boolean {
  const isComputed = compare(totalsOf(content, { mayBeNegative: true }).total, total) === 0;
  return isComputed && isPositive(discountValue(content, percent));
}

/** Gives an invoice other discounts. Its balance changes by as much as its total. */
async function setDiscounts(em: EntityManager, locked: LockedInvoice, discounts: OpenDiscount[]): Promise<void> {
  const { invoice, lines, moment } = locked;
  const { accountId, currency, taxes } = invoice;
  const before = { lines, discounts: invoice.discounts, taxes };
  const content = { ...contentAsItIs(before, currency), discounts };
  const computed = await computeContent(em, content, { before, now: moment.now });
  const written = { lines: computed.lines, before: lines, now: moment.now };
  locked.lines = await replaceLines(em, { accountId, currency, invoice }, written);
  const { subtotal, total } = computed.totals;
  const balance = roundMoney(add(invoice.balance, subtract(total, invoice.total)), currency);
  Object.assign(invoice, { discounts: computed.discounts, taxes: computed.taxes, subtotal, total, balance });
}
