import type { AppliedDiscount, AppliedTax } from '../../billing/documents/document.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import type { Presented } from '../kernel/values.ts';
import { presentCreditNote } from './creditNote.ts';
import { presentEstimate } from './estimate.ts';
import { presentInvoice } from './invoice.ts';
import { presentDiscount, presentLineItem, presentTax } from './lineItem.ts';

/** An invoice as it would be issued. It does not exist: it has no number and no address, and neither it nor its parts have ids. */
export function presentUpcomingInvoice(invoice: Plain<Invoice>, lines: readonly Plain<LineItem>[]): Presented {
  return { ...presentInvoice(invoice, lines), ...nowhere, payment_url: null, ...partsOf(invoice, lines) };
}

/** An estimate as it would be issued. Like an upcoming invoice, it has no number, address or ids. */
export function presentUpcomingEstimate(estimate: Plain<Estimate>, lines: readonly Plain<LineItem>[]): Presented {
  return { ...presentEstimate(estimate, lines), ...nowhere, payment_url: null, ...partsOf(estimate, lines) };
}

/**
 * A credit note as it would be issued. Like an upcoming invoice, it has no number, address or ids. `invoice`: id of the existing invoice
 * that it corrects; null: none.
 */
export function presentUpcomingCreditNote(
  creditNote: Plain<CreditNote>,
  { lines, invoice }: { lines: readonly Plain<LineItem>[]; invoice: number | null },
): Presented {
  return { ...presentCreditNote(creditNote, lines), ...nowhere, ...partsOf(creditNote, lines), invoice };
}

const nowhere = { id: null, number: null, url: null, pdf_url: null };

interface Adjusted {
  discounts: readonly AppliedDiscount[];
  taxes: readonly AppliedTax[];
}

function partsOf(document: Adjusted, lines: readonly Plain<LineItem>[]) {
  const items = lines.map((line) => ({ ...presentLineItem(line), id: null, ...adjustmentsOf(line) }));
  return { items, ...adjustmentsOf(document) };
}

function adjustmentsOf({ discounts, taxes }: Adjusted) {
  return {
    discounts: discounts.map((discount) => ({ ...presentDiscount(discount), id: null })),
    taxes: taxes.map((tax) => ({ ...presentTax(tax), id: null })),
  };
}
