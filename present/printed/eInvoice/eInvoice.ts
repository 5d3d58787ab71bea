import {
  type EInvoiceSource,
  eInvoiceAmounts,
  vatNumberOf,
  whyNoCategory,
  whyNoParties,
} from '../../../billing/documents/eInvoice.ts';
import type { ShipTo } from '../../../billing/documents/shipTo.ts';
import type { BillToSnapshot, SellerSnapshot } from '../../../billing/documents/snapshot.ts';
import { bankDetailsFor, paymentReferenceOf, takesSepa } from '../../../billing/payments/bankDetails.ts';
import type { Pen } from '../head.ts';
import type { PrintableLine } from '../lines.ts';
import { exemptReasonOf } from '../taxes.ts';
import {
  crossIndustryInvoice,
  type EInvoice,
  type EInvoiceAddress,
  type EInvoiceItem,
  type EInvoiceParty,
  type EInvoiceTransfer,
} from './crossIndustry.ts';

/** The XML of an e-invoice; null: there is none, and `missing` says why. */
export type EInvoiceFile = { xml: string; missing: null } | { xml: null; missing: string };

/** The printed facts that an e-invoice states. */
export interface EInvoiceFacts extends EInvoiceSource {
  kind: EInvoice['kind'];
  number: string | null;
  isDraft: boolean;
  isVoid: boolean;
  /** Whether it is a document of the sandbox. */
  isTest: boolean;
  date: Date;
  dueAt: Date | null;
  timeZone: string;
  /** In the reader's words. */
  terms: string | null;
  notes: string | null | undefined;
  purchaseOrder: string | null | undefined;
  corrects: string | null;
  seller: SellerSnapshot;
  buyer: BillToSnapshot | null;
  shipTo: ShipTo | null | undefined;
  lines: readonly (PrintableLine & { net: string })[];
  balance: string;
  /** Whether it is paid by bank transfer. */
  isTransferred: boolean;
}

/** The e-invoice of a document, or the reason why it has none. */
export function eInvoiceOf(facts: EInvoiceFacts, pen: Pen): EInvoiceFile {
  const { number, seller, buyer, kind, lines, isDraft, isVoid } = facts;
  if (number === null || isDraft) return missing('A draft has no e-invoice');
  if (isVoid) return missing('A voided document has no e-invoice');
  const why = whyNoParties(seller, buyer);
  if (why !== null || !buyer) return missing(why ?? 'The document has no customer');
  const { accounting, labels } = pen;
  const { untaxed, reverseCharge } = accounting;
  const amounts = eInvoiceAmounts(facts, { untaxed, reverseCharge, exempt: exemptReasonOf(seller, buyer) });
  if (typeof amounts === 'string') return missing(amounts);
  const unfit = whyNoCategory(amounts.vat, { seller, buyer });
  if (unfit !== null) return missing(unfit);
  const { date, dueAt, timeZone, currency, terms, notes, purchaseOrder, corrects, balance, isTest } = facts;
  const xml = crossIndustryInvoice({
    kind,
    number,
    date,
    dueAt,
    timeZone,
    currency,
    terms,
    notes: [isTest ? labels.testDocument : null, notes],
    purchaseOrder,
    corrects,
    seller: sellerOf(seller),
    buyer: buyerOf(buyer),
    shipTo: shipToOf(facts),
    amounts,
    items: lines.map((line) => itemOf(line, labels.description)),
    balance,
    transfer: transferIn(facts, number),
    discount: labels.discount,
  });
  return { xml, missing: null };
}

const missing = (reason: string): EInvoiceFile => ({ xml: null, missing: reason });

/** The seller. Without a VAT number, its tax id is its number at the tax office, which also identifies it. */
function sellerOf(seller: SellerSnapshot): EInvoiceParty {
  const vatNumber = vatNumberOf({ taxId: seller.taxId, country: seller.taxIdCountry ?? seller.country });
  const taxNumber = vatNumber === null ? seller.taxId : null;
  return { ...addressOf(seller), number: taxNumber, name: seller.name, email: seller.email, vatNumber, taxNumber };
}

function buyerOf(buyer: BillToSnapshot): EInvoiceParty {
  const { name, number, email } = buyer;
  return { ...addressOf(buyer), number, name, email, vatNumber: vatNumberOf(buyer), taxNumber: null };
}

function addressOf({ address1, address2, city, state, postalCode, country }: EInvoiceAddress): EInvoiceAddress {
  return { address1, address2, city, state, postalCode, country };
}

/** The shipping address. The standard needs its country. */
function shipToOf({ shipTo, buyer }: EInvoiceFacts): EInvoice['shipTo'] {
  if (!shipTo?.country) return null;
  return { ...addressOf(shipTo), name: shipTo.name ?? buyer?.name ?? '' };
}

/** A line in its words. A line without a name has the first line of its description. */
function itemOf({ name, description, periodStartAt, periodEndAt }: PrintableLine, unnamed: string): EInvoiceItem {
  const [first = '', ...rest] = (description ?? '').split('\n');
  const isNamed = Boolean(name?.trim());
  return {
    name: (isNamed ? name : first.trim()) || unnamed,
    description: (isNamed ? description : rest.join('\n')) || null,
    period: periodStartAt && periodEndAt ? [periodStartAt, periodEndAt] : null,
  };
}

/** The bank account for a transfer. The standard needs its IBAN. */
function transferIn(
  { isTransferred, seller, buyer, currency }: EInvoiceFacts,
  number: string,
): EInvoiceTransfer | null {
  const details = isTransferred ? bankDetailsFor(seller.bankDetails ?? [], currency) : null;
  if (!details?.iban) return null;
  const { iban, bic, accountHolder } = details;
  const reference = paymentReferenceOf(seller.paymentReference, { number, customerNumber: buyer?.number ?? '' });
  return { isSepa: takesSepa(details), iban, bic, holder: accountHolder ?? seller.name, reference };
}
