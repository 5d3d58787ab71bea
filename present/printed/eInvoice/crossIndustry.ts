import type { EInvoiceAmounts, EInvoiceLine, Vat, VatTotal } from '../../../billing/documents/eInvoice.ts';
import type { PartySnapshot } from '../../../billing/documents/snapshot.ts';
import { add, isZero, roundMoney, subtract } from '../../../billing/money/money.ts';
import { localDay } from '../../../billing/time/calendar.ts';
import { type Element, element, text } from './xml.ts';

export type EInvoiceAddress = Pick<
  PartySnapshot,
  'address1' | 'address2' | 'city' | 'state' | 'postalCode' | 'country'
>;

/** Name, address and numbers of a party. */
export interface EInvoiceParty extends EInvoiceAddress {
  /** Its number at the seller; null: it has none. */
  number: string | null;
  name: string;
  email: string | null;
  vatNumber: string | null;
  /** Number of the seller at its tax office, if it has no VAT number. */
  taxNumber: string | null;
}

/** A description of a line, with its service period. */
export interface EInvoiceItem {
  name: string;
  description: string | null;
  period: [Date, Date] | null;
}

/** Where to transfer the amount due. */
export interface EInvoiceTransfer {
  isSepa: boolean;
  iban: string;
  bic: string | null;
  holder: string;
  reference: string;
}

/** Everything that the XML of an invoice or a credit note states. Texts are final. */
export interface EInvoice {
  kind: 'invoice' | 'credit_note';
  number: string;
  date: Date;
  dueAt: Date | null;
  timeZone: string;
  currency: string;
  /** Terms of payment in words. */
  terms: string | null;
  notes: readonly (string | null | undefined)[];
  purchaseOrder: string | null | undefined;
  /** Number of the invoice that a credit note corrects. */
  corrects: string | null;
  seller: EInvoiceParty;
  buyer: EInvoiceParty;
  shipTo: (EInvoiceAddress & { name: string }) | null;
  amounts: EInvoiceAmounts;
  /** One for each line of `amounts`. */
  items: readonly EInvoiceItem[];
  /** The rest to pay. */
  balance: string;
  transfer: EInvoiceTransfer | null;
  /** The word for a discount. */
  discount: string;
}

/** The profile: the European standard, whole. */
const EN_16931 = 'urn:cen.eu:en16931:2017';
/** Codes of UNTDID 1001. */
const TYPES = { invoice: '380', credit_note: '381' } as const;
/** UN/ECE Recommendation 20: one piece. */
const PIECE = 'C62';
/** Codes of UNTDID 4461: a credit transfer, and one of SEPA. */
const TRANSFER = '30';
const SEPA_TRANSFER = '58';
/** Code of VATEX for reverse charge. */
const REVERSE_CHARGE = 'VATEX-EU-AE';

const NAMESPACES = [
  'xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"',
  'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"',
  'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"',
].join(' ');

/**
 * An invoice as UN/CEFACT Cross Industry Invoice D16B by the rules of EN 16931, as Factur-X and ZUGFeRD carry it. The order of elements is
 * that of the schema.
 */
export function crossIndustryInvoice(invoice: EInvoice): string {
  const { amounts, items } = invoice;
  const context = element(
    'rsm:ExchangedDocumentContext',
    element('ram:GuidelineSpecifiedDocumentContextParameter', text('ram:ID', EN_16931)),
  );
  const lines = amounts.lines.map((line, index) => lineOf(line, { item: items[index], index, invoice }));
  const transaction = element(
    'rsm:SupplyChainTradeTransaction',
    ...lines,
    agreementOf(invoice),
    deliveryOf(invoice),
    settlementOf(invoice),
  );
  const content = [context, documentOf(invoice), transaction].join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rsm:CrossIndustryInvoice ${NAMESPACES}>${content}</rsm:CrossIndustryInvoice>\n`;
}

function documentOf({ kind, number, date, timeZone, notes }: EInvoice): Element {
  return element(
    'rsm:ExchangedDocument',
    text('ram:ID', number),
    text('ram:TypeCode', TYPES[kind]),
    dateTime('ram:IssueDateTime', date, timeZone),
    ...notes.map((note) => element('ram:IncludedNote', text('ram:Content', note))),
  );
}

function lineOf(
  line: EInvoiceLine,
  { item, index, invoice }: { item: EInvoiceItem | undefined; index: number; invoice: EInvoice },
): Element {
  const { quantity, price, basis, allowance, net, vat } = line;
  return element(
    'ram:IncludedSupplyChainTradeLineItem',
    element('ram:AssociatedDocumentLineDocument', text('ram:LineID', String(index + 1))),
    element('ram:SpecifiedTradeProduct', text('ram:Name', item?.name), text('ram:Description', item?.description)),
    element(
      'ram:SpecifiedLineTradeAgreement',
      element(
        'ram:NetPriceProductTradePrice',
        text('ram:ChargeAmount', price),
        basis === '1' ? null : text('ram:BasisQuantity', basis, { unitCode: PIECE }),
      ),
    ),
    element('ram:SpecifiedLineTradeDelivery', text('ram:BilledQuantity', quantity, { unitCode: PIECE })),
    element(
      'ram:SpecifiedLineTradeSettlement',
      element(
        'ram:ApplicableTradeTax',
        text('ram:TypeCode', 'VAT'),
        text('ram:CategoryCode', vat.category),
        text('ram:RateApplicablePercent', vat.percent),
      ),
      periodOf(item?.period ?? null, invoice.timeZone),
      isZero(allowance) ? null : allowanceOf(allowance, invoice),
      element(
        'ram:SpecifiedTradeSettlementLineMonetarySummation',
        amountOf('ram:LineTotalAmount', net, invoice.currency),
      ),
    ),
  );
}

function allowanceOf(amount: string, { discount, currency }: EInvoice): Element {
  return element(
    'ram:SpecifiedTradeAllowanceCharge',
    element('ram:ChargeIndicator', text('udt:Indicator', 'false')),
    amountOf('ram:ActualAmount', amount, currency),
    text('ram:Reason', discount),
  );
}

/** An amount of money, with the decimals of its currency: all amounts but prices are written here. */
function amountOf(name: string, amount: string, currency: string): Element {
  return text(name, roundMoney(amount, currency));
}

function agreementOf({ seller, buyer, purchaseOrder }: EInvoice): Element {
  return element(
    'ram:ApplicableHeaderTradeAgreement',
    partyOf('ram:SellerTradeParty', seller),
    partyOf('ram:BuyerTradeParty', buyer),
    element('ram:BuyerOrderReferencedDocument', text('ram:IssuerAssignedID', purchaseOrder)),
  );
}

function partyOf(name: string, party: EInvoiceParty): Element {
  const { number, email, vatNumber, taxNumber } = party;
  return element(
    name,
    text('ram:ID', number),
    text('ram:Name', party.name),
    addressOf(party),
    element('ram:URIUniversalCommunication', text('ram:URIID', email, { schemeID: 'EM' })),
    element('ram:SpecifiedTaxRegistration', text('ram:ID', vatNumber, { schemeID: 'VA' })),
    element('ram:SpecifiedTaxRegistration', text('ram:ID', taxNumber, { schemeID: 'FC' })),
  );
}

function addressOf({ address1, address2, city, state, postalCode, country }: EInvoiceAddress): Element {
  return element(
    'ram:PostalTradeAddress',
    text('ram:PostcodeCode', postalCode),
    text('ram:LineOne', address1),
    text('ram:LineTwo', address2),
    text('ram:CityName', city),
    text('ram:CountryID', country),
    text('ram:CountrySubDivisionName', state),
  );
}

/** The schema wants this element even if it is empty. */
function deliveryOf({ shipTo }: EInvoice): Element {
  const to = shipTo && element('ram:ShipToTradeParty', text('ram:Name', shipTo.name), addressOf(shipTo));
  return element('ram:ApplicableHeaderTradeDelivery', to) ?? '<ram:ApplicableHeaderTradeDelivery/>';
}

function settlementOf(invoice: EInvoice): Element {
  const { amounts, currency, transfer, items, timeZone, corrects } = invoice;
  return element(
    'ram:ApplicableHeaderTradeSettlement',
    text('ram:PaymentReference', transfer?.reference),
    text('ram:InvoiceCurrencyCode', currency.toUpperCase()),
    transfer && meansOf(transfer),
    ...amounts.vat.map((total) => vatTotalOf(total, currency)),
    periodOf(wholePeriod(items), timeZone),
    termsOf(invoice),
    totalsOf(invoice),
    element('ram:InvoiceReferencedDocument', text('ram:IssuerAssignedID', corrects)),
  );
}

function meansOf({ isSepa, iban, bic, holder }: EInvoiceTransfer): Element {
  return element(
    'ram:SpecifiedTradeSettlementPaymentMeans',
    text('ram:TypeCode', isSepa ? SEPA_TRANSFER : TRANSFER),
    element('ram:PayeePartyCreditorFinancialAccount', text('ram:IBANID', iban), text('ram:AccountName', holder)),
    element('ram:PayeeSpecifiedCreditorFinancialInstitution', text('ram:BICID', bic)),
  );
}

function vatTotalOf({ vat, base, tax }: VatTotal, currency: string): Element {
  return element(
    'ram:ApplicableTradeTax',
    amountOf('ram:CalculatedAmount', tax, currency),
    text('ram:TypeCode', 'VAT'),
    text('ram:ExemptionReason', vat.reason),
    amountOf('ram:BasisAmount', base, currency),
    text('ram:CategoryCode', vat.category),
    reasonCodeOf(vat),
    text('ram:RateApplicablePercent', vat.percent),
  );
}

const reasonCodeOf = ({ category }: Vat): Element =>
  category === 'AE' ? text('ram:ExemptionReasonCode', REVERSE_CHARGE) : null;

function termsOf({ terms, dueAt, timeZone }: EInvoice): Element {
  const due = dueAt && dateTime('ram:DueDateDateTime', dueAt, timeZone);
  return element('ram:SpecifiedTradePaymentTerms', text('ram:Description', terms), due);
}

function totalsOf({ amounts, balance, currency }: EInvoice): Element {
  const { net, tax, total } = amounts;
  return element(
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
    amountOf('ram:LineTotalAmount', net, currency),
    amountOf('ram:TaxBasisTotalAmount', net, currency),
    text('ram:TaxTotalAmount', roundMoney(tax, currency), { currencyID: currency.toUpperCase() }),
    amountOf('ram:GrandTotalAmount', add(net, tax), currency),
    amountOf('ram:TotalPrepaidAmount', subtract(total, balance), currency),
    amountOf('ram:DuePayableAmount', balance, currency),
  );
}

/** The period of all lines together; null: a line has none. */
function wholePeriod(items: readonly EInvoiceItem[]): [Date, Date] | null {
  const periods = items.flatMap(({ period }) => (period ? [period] : []));
  if (periods.length === 0 || periods.length < items.length) return null;
  const starts = periods.map(([start]) => start.getTime());
  const ends = periods.map(([, end]) => end.getTime());
  return [new Date(Math.min(...starts)), new Date(Math.max(...ends))];
}

/** A service period. Its end is exclusive; the standard states the last day. */
function periodOf(period: [Date, Date] | null, timeZone: string): Element {
  if (!period) return null;
  const [start, end] = period;
  const last = new Date(Math.max(start.getTime(), end.getTime() - 1));
  return element(
    'ram:BillingSpecifiedPeriod',
    dateTime('ram:StartDateTime', start, timeZone),
    dateTime('ram:EndDateTime', last, timeZone),
  );
}

/** A calendar day in a time zone, as format 102: 20270105. */
function dateTime(name: string, at: Date, timeZone: string): Element {
  const day = localDay(at.getTime(), timeZone).replaceAll('-', '');
  return element(name, text('udt:DateTimeString', day, { format: '102' }));
}
