import type { AppliedTax } from '../billing/document.ts';
import { exactAmount } from '../billing/limits.ts';
import { compare } from '../billing/money.ts';
import { isForCurrency } from '../billing/rate.ts';
import { Refusal } from '../billing/refusal.ts';
import { taxedPlace } from '../billing/shipTo.ts';
import type { EntityManager } from '../db/orm.ts';
import { Item } from '../db/schema/item.ts';
import { assignChanges } from './changes.ts';
import { type DocumentContent, openContent, type RequestedContent } from './documentContent.ts';
import { computeContent, replaceLines } from './documentRows.ts';
import type { InvoiceMoment } from './invoiceMoment.ts';
import { whyUntaxed } from './invoices.ts';
import { matchingTaxRates } from './taxRates.ts';

export interface ContentChange {
  content: RequestedContent;
  currency?: string | undefined;
  /** True: the rates of customer or place are found anew; those of the lines stay. */
  calculateTaxes?: boolean | undefined;
}

/** What became of an invoice's content: the first field of the request that altered it, null when none did. */
export type Altered = 'items' | 'discounts' | 'taxes' | 'currency' | 'calculate_taxes' | null;

/**
 * Makes the content of an invoice what a request wants, and computes its amounts by the rates that are there; the entries are the
 * caller's. Amounts stay as they are unless the request says something of them.
 */
export async function changeContent(em: EntityManager, at: InvoiceMoment, change: ContentChange): Promise<Altered> {
  const { invoice, moment } = at;
  const { lines, discounts, taxes } = change.content;
  const currency = change.currency ?? invoice.currency;
  const isOther = currency !== invoice.currency;
  const said = [lines, discounts, taxes].some((part) => part !== undefined);
  if (!said && !isOther && !change.calculateTaxes) return null;
  const before = { lines: at.lines, discounts: invoice.discounts, taxes: invoice.taxes };
  const untaxed = whyUntaxed(at.customer, true);
  const content = await openContent(em, at, {
    ...{ requested: change.content, currency, before, untaxed },
    redeemer: { type: 'invoice', id: invoice.id },
    automaticRates: change.calculateTaxes ? await automaticRates(em, at, { currency, untaxed }) : null,
  });
  if (change.calculateTaxes && untaxed !== null) dropRates(content);
  if (isOther) await checkCurrency(em, at, content);
  const computed = await computeContent(em, content, { before, now: moment.now });
  const replaced = await replaceLines(
    em,
    { accountId: invoice.accountId, currency, invoice },
    { lines: computed.lines, before: at.lines, now: moment.now },
  );
  at.lines = replaced.lines;
  const discountsChanged = assignChanges(invoice, { discounts: computed.discounts });
  const taxesChanged = assignChanges(invoice, { taxes: computed.taxes });
  const { subtotal, total } = computed.totals;
  // What something is applied to is locked, and refused by the caller.
  if (compare(invoice.balance, invoice.total) === 0 && !invoice.voidedAt) invoice.balance = total;
  for (const [name, amount] of Object.entries({ subtotal, total })) {
    if (compare(Reflect.get(invoice, name), amount) !== 0) Object.assign(invoice, { [name]: amount });
  }
  invoice.currency = currency;
  if (isOther) return 'currency';
  if (replaced.isChanged && lines !== undefined) return 'items';
  if (discountsChanged && discounts !== undefined) return 'discounts';
  if (taxesChanged && taxes !== undefined) return 'taxes';
  return replaced.isChanged || discountsChanged || taxesChanged ? 'calculate_taxes' : null;
}

async function automaticRates(
  em: EntityManager,
  { customer, invoice }: InvoiceMoment,
  { currency, untaxed }: { currency: string; untaxed: string | null },
) {
  const { accountId, taxRates = [] } = customer;
  if (untaxed !== null) return [];
  if (taxRates.length > 0) return taxRates;
  return matchingTaxRates(em, { accountId, currency, ...taxedPlace(invoice.shipTo, customer) });
}

function dropRates(content: DocumentContent): void {
  const withoutRate = ({ taxRate }: Pick<AppliedTax, 'taxRate'>) => taxRate === null;
  for (const line of content.lines) line.taxes = line.taxes.filter(withoutRate);
  content.taxes = content.taxes.filter(withoutRate);
}

/** Refuses another currency where items, coupons, rates or amounts do not go with it. */
async function checkCurrency(em: EntityManager, at: InvoiceMoment, { currency, ...content }: DocumentContent) {
  if (at.invoice.subscription) throw new Refusal('An invoice of a subscription keeps its currency', 'currency');
  const discounts = [...content.discounts, ...content.lines.flatMap((line) => line.discounts)];
  const taxes = [...content.taxes, ...content.lines.flatMap((line) => line.taxes)];
  for (const { fixed } of [...discounts, ...taxes]) if (fixed !== null) exactAmount(fixed, currency, 'currency');
  const codes = content.lines.flatMap(({ itemCode }) => (itemCode === null ? [] : [itemCode]));
  const { accountId } = at.customer;
  const items =
    codes.length === 0 ? [] : await em.find(Item, { accountId, code: { $in: [...new Set(codes)] }, archivedAt: null });
  const named = [
    ...discounts.map(({ coupon }) => ({ what: 'Coupon', one: coupon })),
    ...taxes.map(({ taxRate }) => ({ what: 'Tax rate', one: taxRate })),
    ...items.map(({ code: id, currency: own = null }) => ({ what: 'Item', one: { id, currency: own } })),
  ];
  const foreign = named.find(({ one }) => one !== null && !isForCurrency(one, currency));
  if (foreign?.one) {
    const { id, currency: own } = foreign.one;
    throw new Refusal(`${foreign.what} ${id} is for ${own}, not ${currency}`, 'currency');
  }
}
