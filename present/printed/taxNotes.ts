import type { AppliedTax } from '../../billing/document.ts';
import type { BillToSnapshot, SellerSnapshot } from '../../billing/snapshot.ts';
import type { PrintedFact } from './document.ts';
import type { Pen } from './head.ts';

interface Taxed {
  seller: SellerSnapshot;
  buyer: BillToSnapshot | null;
  taxes: readonly AppliedTax[];
  lines: readonly TaxedLine[];
}

interface TaxedLine {
  taxes: readonly AppliedTax[];
  taxable: boolean;
}

/**
 * Notes about taxes: reverse charge where a rule applied it, the seller's note for exempt customers, and that of a small business on a
 * document without tax rates.
 */
export function taxNotes({ seller, buyer, taxes: ofDocument, lines }: Taxed, { accounting, own }: Pen): PrintedFact[] {
  const taxes = [...ofDocument, ...lines.flatMap((line) => line.taxes)];
  const isReversed = lines.some((line) => isReversedOn(line, ofDocument));
  const notes = [
    isReversed ? accounting.reverseCharge : null,
    taxes.length === 0 && buyer?.isExempt ? seller.exemptionNote : null,
    taxes.length === 0 ? seller.smallBusinessNote : null,
  ];
  return notes.flatMap((note) => (note ? [{ label: accounting.taxNote, value: own(note) }] : []));
}

const isReverseCharge = ({ taxRate }: AppliedTax): boolean => taxRate?.reverse_charge === true;

/** Whether reverse charge applies to a line: by a rate of its own, or by one of its document that does not give way to a rate of its own. */
function isReversedOn({ taxes, taxable }: TaxedLine, ofDocument: readonly AppliedTax[]): boolean {
  const own = new Set(taxes.map(({ rateKey }) => rateKey));
  const added = taxable ? ofDocument.filter(({ rateKey }) => !own.has(rateKey)) : [];
  return [...taxes, ...added].some(isReverseCharge);
}
