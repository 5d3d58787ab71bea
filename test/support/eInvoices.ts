import type { AppliedTax } from '../../billing/document.ts';
import type { BillToSnapshot, SellerSnapshot } from '../../billing/snapshot.ts';
import { readable } from '../../billing/visibleText.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import { printableCreditNote, printCreditNote } from '../../present/printed/creditNote.ts';
import type { PrintedDocument } from '../../present/printed/document.ts';
import { eInvoiceOfCreditNote, eInvoiceOfInvoice } from '../../present/printed/eInvoice/documents.ts';
import type { EInvoiceFile } from '../../present/printed/eInvoice/eInvoice.ts';
import { printInvoice } from '../../present/printed/invoice.ts';
import { logoPng } from './logo.ts';
import { acme, northwind, type SampleLine, sampleDiscount, sampleInvoice, sampleShipTo, sampleTax } from './printed.ts';

const IBAN = { currency: 'eur', accountHolder: null, bankName: null, accountNumber: null, routingNumber: null };

export const berlin: SellerSnapshot = {
  ...acme,
  name: 'Müller & Söhne GmbH',
  email: 'rechnung@mueller.example',
  taxId: 'DE 123 456 789',
  address1: 'Hauptstraße 1',
  city: 'Berlin',
  state: null,
  postalCode: '10115',
  country: 'DE',
  bankDetails: [{ ...IBAN, iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }],
};

const paris: BillToSnapshot = {
  ...northwind,
  name: 'Dupont SARL',
  address1: '1 rue de la Paix',
  city: 'Paris',
  state: null,
  postalCode: '75002',
  country: 'FR',
  taxId: 'FR40303265045',
  language: 'de',
};

const [HOURS, BOOKS] = [
  { name: 'Beratung', quantity: '3', unitCost: '100' },
  { name: 'Bücher', quantity: '2', unitCost: '53.50' },
];
const vat19 = sampleTax('USt', 19, '57.00');
const vat7 = { ...sampleTax('USt ermäßigt', 7, '7.00', true), rateKey: 2 };
const reversed: AppliedTax = {
  ...vat19,
  amount: '0.00',
  taxRate: { ...sampleTax('USt', 0, '0.00').taxRate, reverse_charge: true } as AppliedTax['taxRate'],
};
const CONTROLS = '\u202e<b>&"\'{{x}}\u2066';
const PERIOD: [Date, Date] = [new Date('2027-01-01T00:00:00Z'), new Date('2027-02-01T00:00:00Z')];

interface Sold {
  lines?: readonly SampleLine[];
  total: string;
  taxes?: AppliedTax[];
  more?: Parameters<typeof sampleInvoice>[1];
  seller?: Partial<SellerSnapshot>;
  buyer?: Partial<BillToSnapshot>;
  language?: string;
  isTest?: true;
}

function sold(sale: Sold): PrintedDocument {
  const { lines = [HOURS], total, taxes = [], more = {}, seller = {}, buyer = {}, language = 'de', isTest } = sale;
  const between = { seller: { ...berlin, ...seller }, buyer: { ...paris, language, ...buyer }, language };
  const amounts = { currency: 'eur', timeZone: 'Europe/Berlin', total, balance: total, taxes };
  const facts = readable(sampleInvoice(lines, { ...amounts, ...more }, { ...between, isTest }));
  return { ...printInvoice(facts), eInvoice: xmlOf(eInvoiceOfInvoice(facts)) };
}

function xmlOf({ xml, missing }: EInvoiceFile): string {
  if (xml === null) throw new Error(missing);
  return xml;
}

function credited(): PrintedDocument {
  const { invoice, lines, ...between } = sampleInvoice([HOURS], {}, { seller: berlin, buyer: paris, language: 'de' });
  const known = { number: 'CN-00001', status: 'open', taxes: [vat19], total: '357.00', balance: '357.00' };
  const note = { ...invoice, ...known, currency: 'eur', timeZone: 'Europe/Berlin', issuedAt: invoice.date };
  const facts = printableCreditNote(note as unknown as Plain<CreditNote>, [], {
    ...between,
    forInvoice: 'INV-00001',
    uses: [],
  });
  const printable = { ...facts, lines };
  return { ...printCreditNote(printable), eInvoice: xmlOf(eInvoiceOfCreditNote(printable)) };
}

/** Documents that carry e-invoices, by what is special about them. */
export const eInvoices: Readonly<Record<string, PrintedDocument>> = {
  // 3 x 100 = 300, 10 % off: 270; 19 %: 51.30
  discounted: sold({
    lines: [{ ...HOURS, description: 'Zweite Zeile\nDritte Zeile', period: PERIOD }],
    total: '321.30',
    taxes: [{ ...vat19, amount: '51.30' }],
    more: {
      discounts: [sampleDiscount('Treue', 10, '30.00')],
      purchaseOrder: 'PO-7',
      notes: 'Danke.\nBis bald.',
      shipTo: sampleShipTo({ name: 'Lager', city: 'Lyon', country: 'FR' }),
    },
  }),
  // 300 + 57, and 107 of which 7
  'two-rates': sold({
    lines: [
      { ...HOURS, taxes: [vat19] },
      { ...BOOKS, taxes: [vat7] },
    ],
    total: '464.00',
  }),
  'partly-paid': sold({ total: '357.00', taxes: [vat19], more: { balance: '57.00', autopay: true, dueAt: null } }),
  'zero-rate': sold({
    total: '300.00',
    taxes: [sampleTax('USt', 0, '0.00')],
    buyer: { country: 'DE', city: 'Bonn', postalCode: '53111', taxId: null },
  }),
  'reverse-charge': sold({ total: '300.00', taxes: [reversed] }),
  exempt: sold({ total: '300.00', seller: { exemptionNote: 'Steuerfrei nach § 4 UStG' }, buyer: { isExempt: true } }),
  'small-business': sold({
    total: '300.00',
    seller: { smallBusinessNote: 'Kein Ausweis von Umsatzsteuer nach § 19 UStG', taxId: '27/123/45678' },
  }),
  // 300 - 80 = 220, 19 %: 41.80
  'credited-line': sold({
    lines: [HOURS, { name: 'Gutschrift', unitCost: '-80' }],
    total: '261.80',
    taxes: [{ ...vat19, amount: '41.80' }],
  }),
  yen: sold({ total: '357', taxes: [{ ...vat19, amount: '57' }], more: { currency: 'jpy' } }),
  greek: sold({ total: '357.00', taxes: [vat19], seller: { country: 'GR', taxId: 'EL123456789' } }),
  // 300 + 57, and a line without tax: 100
  'arabic-with-logo': {
    ...sold({
      lines: [
        { ...HOURS, taxes: [vat19] },
        { name: 'رسوم', unitCost: '100' },
      ],
      total: '457.00',
      language: 'ar',
      isTest: true,
      buyer: { language: 'ar', name: 'شركة المثال' },
    }),
    logo: { type: 'image/png', base64: logoPng().toString('base64') },
  },
  hostile: sold({
    lines: [{ ...HOURS, name: CONTROLS, description: `${'langes Wort '.repeat(800)}]]>` }],
    total: '357.00',
    taxes: [vat19],
    more: { notes: `<!DOCTYPE x>${CONTROLS}`, purchaseOrder: CONTROLS },
    seller: { name: `Acme ${CONTROLS}` },
    buyer: { name: `<ram:ID>${CONTROLS}`, taxId: CONTROLS },
  }),
  'credit-note': credited(),
};
