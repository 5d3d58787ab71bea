import { type AppliedDiscount, type AppliedTax, taxesOn } from '../../billing/documents/document.ts';
import type { BillToSnapshot, SellerSnapshot } from '../../billing/documents/snapshot.ts';
import type { Json } from '../../billing/json.ts';
import type { PrintedFact } from './document.ts';
import type { Pen } from './head.ts';

/** Name of a discount: "Spring sale 10%", "Early-payment discount 2%". For a fixed amount, only the name. */
export function discountName(
  { coupon, percent }: Pick<AppliedDiscount, 'coupon' | 'percent'>,
  { labels, formats, own }: Pen,
): string {
  if (percent !== undefined) return `${labels.earlyDiscount} ${formats.percent(Number(percent))}`;
  if (coupon === null) return labels.discount;
  const name = own(textOf(coupon.name) ?? labels.discount);
  return coupon.is_percent ? `${name} ${formats.percent(coupon.value)}` : name;
}

/** Name of a tax: "VAT 19%". */
export function taxName({ taxRate }: Pick<AppliedTax, 'taxRate'>, { labels, formats, own }: Pen): string {
  if (taxRate === null) return labels.tax;
  const name = own(textOf(taxRate.name) ?? labels.tax);
  return taxRate.is_percent ? `${name} ${formats.percent(taxRate.value)}` : name;
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

interface Taxed {
  seller: SellerSnapshot;
  buyer: BillToSnapshot | null;
  taxes: readonly AppliedTax[];
  lines: readonly { taxes: AppliedTax[]; taxable: boolean }[];
}

/**
 * Notes about taxes: reverse charge where a rule applied it, the seller's note for exempt customers, and that of a small business on a
 * document without tax rates.
 */
export function taxNotes({ seller, buyer, taxes: ofDocument, lines }: Taxed, { accounting, own }: Pen): PrintedFact[] {
  const taxes = [...ofDocument, ...lines.flatMap((line) => line.taxes)];
  const reversed = ofDocument.filter(isReverseCharge);
  const isReversed = lines.some((line) => taxesOn(line, reversed).some(isReverseCharge));
  const notes = [
    isReversed ? accounting.reverseCharge : null,
    ...(taxes.length === 0 ? exemptReasonsOf(seller, buyer) : []),
  ];
  return notes.flatMap((note) => (note ? [{ label: accounting.taxNote, value: own(note) }] : []));
}

/** Why a document has no taxes: the seller's note for exempt customers, and that of a small business. */
function exemptReasonsOf(seller: SellerSnapshot, buyer: BillToSnapshot | null): string[] {
  const notes = [buyer?.isExempt ? seller.exemptionNote : null, seller.smallBusinessNote];
  return notes.flatMap((note) => note ?? []);
}

/** The same in one text; null: nothing says why. */
export function exemptReasonOf(seller: SellerSnapshot, buyer: BillToSnapshot | null): string | null {
  return exemptReasonsOf(seller, buyer).join(' ') || null;
}

const isReverseCharge = ({ taxRate }: Pick<AppliedTax, 'taxRate'>): boolean => taxRate?.reverse_charge === true;
