import type { PlanAsk } from '../../billing/collection/planProgress.ts';
import type { AppliedDiscount, AppliedTax } from '../../billing/documents/document.ts';
import type { ShipTo } from '../../billing/documents/shipTo.ts';
import type { BillToSnapshot, SellerSnapshot } from '../../billing/documents/snapshot.ts';
import { add, multiply } from '../../billing/money/money.ts';
import type { PdfRenderer } from '../../commands/ports/pdf.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { type PrintableInvoice, printableInvoice } from '../../present/printed/invoice.ts';

const DAY = 86_400_000;
const ISSUED = new Date('2027-01-05T15:00:00Z');

export const acme: SellerSnapshot = {
  name: 'Acme Instruments Inc.',
  email: 'billing@acme.example',
  taxId: 'US-98-7654321',
  address1: '1 Main Street',
  address2: null,
  city: 'Austin',
  state: 'TX',
  postalCode: '78701',
  country: 'US',
  accentColor: null,
  logoHash: null,
};

export const northwind: BillToSnapshot = {
  customerId: 42,
  name: 'Northwind Traders',
  number: 'CUST-00042',
  email: 'ap@northwind.example',
  language: null,
  taxId: null,
  attentionTo: 'Jane Roe',
  address1: '22 Harbour Road',
  address2: null,
  city: 'Seattle',
  state: 'WA',
  postalCode: '98101',
  country: 'US',
};

export interface SampleLine {
  name: string | null;
  description?: string | null;
  quantity?: string;
  unitCost: string;
  discounts?: AppliedDiscount[];
  taxes?: AppliedTax[];
  period?: [Date, Date];
}

/** An invoice to print. Its sums follow from its lines, unless `invoice` has them. */
export function sampleInvoice(
  lines: readonly SampleLine[],
  invoice: Partial<Plain<Invoice>> = {},
  {
    parts,
    ask,
    ...between
  }: Partial<Pick<PrintableInvoice, 'seller' | 'buyer' | 'language' | 'isTest' | 'parts'>> & {
    ask?: PlanAsk;
  } = {},
): PrintableInvoice {
  const currency = invoice.currency ?? 'usd';
  const rows = lines.map((line) => sampleLine(line, currency));
  const subtotal = add(...(rows.map(({ amount }) => amount) as [string, ...string[]]));
  const known = {
    id: 77,
    accountId: 1,
    number: 'INV-00001',
    currency,
    status: 'not_sent',
    date: ISSUED,
    subtotal,
    total: subtotal,
    balance: subtotal,
    paymentTerms: 'NET 30',
    dueAt: new Date(ISSUED.getTime() + 30 * DAY),
    purchaseOrder: null,
    notes: null,
    timeZone: 'America/Chicago',
    discounts: [],
    taxes: [],
    shipTo: null,
    closed: false,
    autopay: false,
    pastDue: false,
    issuedAt: ISSUED,
    token: 'f'.repeat(32),
  };
  const row = { ...known, ...invoice } as Plain<Invoice>;
  const parties = { seller: acme, buyer: northwind, language: between.buyer?.language ?? 'en', ...between };
  return printableInvoice(row, rows, { ...parties, parts, ...(ask && { ask }) });
}

function sampleLine(line: SampleLine, currency: string): Plain<LineItem> {
  const { name, description = null, quantity = '1', unitCost, discounts = [], taxes = [], period } = line;
  const amount = multiply(quantity, unitCost, currency);
  const [periodStartAt = null, periodEndAt = null] = period ?? [];
  const terms = { quantity, unitCost, amount, discounts, taxes, discountable: true, taxable: true };
  const known = { name, description, ...terms, periodStartAt, periodEndAt };
  return known as Plain<LineItem>;
}

export function sampleTax(name: string, value: number, amount: string, inclusive = false): AppliedTax {
  const taxRate = { id: name, object: 'tax_rate', name, value, is_percent: true, inclusive, currency: null };
  return { id: 1, amount, fixed: null, taxRate, rateKey: 1, updatedAt: ISSUED.getTime() };
}

export function sampleDiscount(name: string, value: number, amount: string): AppliedDiscount {
  const coupon = { id: name, object: 'coupon', name, value, is_percent: true, exclusive: false, currency: null };
  return { id: 1, amount, fixed: null, coupon, expiresAt: null };
}

/** Shipping details. Missing parts are null. */
export function sampleShipTo(address: Partial<ShipTo>): ShipTo {
  const nothing = { name: null, attentionTo: null, address1: null, address2: null };
  return { ...nothing, city: null, state: null, postalCode: null, country: null, updatedAt: 0, ...address };
}

/** A renderer that makes PDFs as told, and no pictures. */
export const rendererOf = (render: PdfRenderer['render']): PdfRenderer => ({
  render,
  draw: () => Promise.reject(new Error('it makes no pictures')),
});
