import { type AppliedTax, taxesOn } from '../../billing/document.ts';
import type { BillToSnapshot, SellerSnapshot } from '../../billing/snapshot.ts';
import type { PrintedFact } from './document.ts';
import type { Pen } from './head.ts';

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
