import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { printableCreditNote, printCreditNote } from '../../present/printed/creditNote.ts';
import type { PrintedDocument } from '../../present/printed/document.ts';
import { printableEstimate, printEstimate } from '../../present/printed/estimate.ts';
import { printInvoice } from '../../present/printed/invoice.ts';
import { logoPng } from './logo.ts';
import { acme, northwind, type SampleLine, sampleDiscount, sampleInvoice, sampleShipTo, sampleTax } from './printed.ts';
import { chinese, japanese } from './printedHanSamples.ts';
import { feeReceipt, receipt } from './printedReceipts.ts';

/** A document, and the pages that tests compare. */
export interface Sample {
  document: PrintedDocument;
  pages: readonly number[];
}

const january: [Date, Date] = [new Date('2027-01-05T06:00:00Z'), new Date('2027-02-05T06:00:00Z')];
const munich = { address1: 'Hauptstraße 1', city: 'München', state: null, postalCode: '80331', country: 'DE' };
const zurich = { address1: 'Bahnhofstrasse 5', city: 'Zürich', state: null, postalCode: '8001', country: 'CH' };
const cairo = { address1: '١ شارع النيل', city: 'القاهرة', state: null, postalCode: '11511', country: 'EG' };
const haifa = { address1: 'שדרות הנשיא 8', city: 'חיפה', state: null, postalCode: '3463411', country: 'IL' };

/** Lines with different heights. */
function manyLines(count: number): SampleLine[] {
  const names = ['Support hour', 'Hosting, large instance', 'Consulting on site', 'Data transfer'];
  return Array.from({ length: count }, (_, index) => ({
    name: names[index % names.length] ?? null,
    description: index % 5 === 0 ? 'Remote support by an engineer, as agreed in the statement of work' : null,
    quantity: String(((index * 7) % 13) + 1),
    unitCost: String(((index * 97) % 400) + 9.5),
    ...(index % 7 === 0 ? { period: january } : {}),
  }));
}

const usual: SampleLine[] = [
  { name: 'Gold plan', unitCost: '99.00', period: january },
  {
    name: 'Support hour',
    description: 'Remote support by an engineer',
    quantity: '2.5',
    unitCost: '120',
    discounts: [sampleDiscount('Loyal customer', 10, '30.00')],
  },
  { name: 'Data transfer', quantity: '1250', unitCost: '0.0125' },
];

const euroAccount = {
  currency: 'eur',
  accountHolder: null,
  bankName: 'Musterbank',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  accountNumber: null,
  routingNumber: null,
};

const dock = sampleShipTo({
  name: 'Northwind Warehouse',
  address1: '8 Dock Lane',
  city: 'Tacoma',
  state: 'WA',
  postalCode: '98402',
  country: 'US',
});

const endless = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2);

export const samples: Readonly<Record<string, Sample>> = {
  letter: onePage(
    sampleInvoice(
      usual,
      // 414.63 - 30.00 + 22.28
      {
        subtotal: '414.63',
        total: '406.91',
        balance: '406.91',
        taxes: [sampleTax('Sales tax', 8.25, '22.28')],
        purchaseOrder: 'PO-1138',
        notes: 'Thank you.',
        shipTo: dock,
      },
    ),
  ),
  logo: {
    document: {
      ...printInvoice(sampleInvoice(usual.slice(0, 1), {}, { seller: { ...acme, accentColor: '#0f766e' } })),
      logo: { type: 'image/png', base64: logoPng().toString('base64') },
    },
    pages: [1],
  },
  paid: onePage(sampleInvoice(manyLines(3), { status: 'paid', balance: '0.00' })),
  voided: onePage(sampleInvoice(manyLines(6), { status: 'voided', balance: '0.00' })),
  draft: onePage(sampleInvoice(manyLines(6), { status: 'draft', number: null })),
  long: { document: printInvoice(sampleInvoice(manyLines(200))), pages: [1, 2, 8] },
  german: onePage(
    sampleInvoice(
      [
        {
          name: 'Wartungsvertrag Messgeräte',
          unitCost: '1249.90',
          period: january,
        },
        { name: 'Ingenieurstunde', quantity: '12.5', unitCost: '115' },
      ],
      // 2,687.40 + 19 % of it: 510.61; 1,000.00 is paid
      {
        currency: 'eur',
        total: '3198.01',
        balance: '2198.01',
        paymentTerms: 'NET 14',
        timeZone: 'Europe/Berlin',
        taxes: [sampleTax('USt.', 19, '510.61')],
      },
      {
        parts: [
          {
            type: 'invoice',
            amount: '900.00',
            date: january[0],
            method: 'wire_transfer',
            creditNote: null,
            refunds: [],
          },
          {
            type: 'credit_note',
            amount: '100.00',
            date: january[0],
            method: 'other',
            creditNote: 'CN-00003',
            refunds: [],
          },
        ],
        seller: {
          ...acme,
          ...munich,
          name: 'Acme Messtechnik GmbH',
          taxId: 'DE123456789',
          bankDetails: [euroAccount],
          footer: 'Registergericht München, HRB 123456\nGeschäftsführerin: Jane Roe',
        },
        buyer: { ...northwind, ...zurich, name: 'Größter Käufer AG', language: 'de' },
      },
    ),
  ),
  japanese: onePage(japanese),
  chinese: onePage(chinese),
  arabic: onePage(
    sampleInvoice(
      [
        { name: 'ساعة دعم فني', description: 'دعم عن بعد من قبل مهندس (Acme Pro)', quantity: '2', unitCost: '1200' },
        { name: 'عقد صيانة سنوي', unitCost: '9800.5' },
      ],
      { currency: 'egp', notes: 'Thank you, see you (both) soon!' },
      {
        seller: { ...acme, ...cairo, name: 'شركة أكمي للأجهزة' },
        buyer: { ...northwind, ...cairo, name: 'تجار الشمال', language: 'ar', attentionTo: 'جين رو' },
      },
    ),
  ),
  hebrew: onePage(
    sampleInvoice(
      [{ name: 'שעת תמיכה', description: 'תמיכה מרחוק על ידי Acme', quantity: '3', unitCost: '450' }],
      { currency: 'ils', status: 'paid', balance: '0.00' },
      {
        seller: { ...acme, ...haifa, name: 'אקמי מכשירים בע״מ' },
        buyer: { ...northwind, ...haifa, name: 'סוחרי הצפון', language: 'he', attentionTo: null },
      },
    ),
  ),
  names: onePage(
    sampleInvoice(
      [
        {
          name: endless,
          description: `https://example.com/${'averylongpath/'.repeat(12)}`,
          quantity: '999999',
          unitCost: '123456.1234567891',
        },
        { name: null, description: 'Only a description\nand a second line', unitCost: '5' },
      ],
      { purchaseOrder: `PO-${'X1'.repeat(60)}` },
      {
        buyer: {
          ...northwind,
          name: 'The Extraordinarily Long Named Company of Very Many Partners and Their Daughters, LLP',
        },
      },
    ),
  ),
  // Prices with 19 % in them. 510.00 x 1.19 = 606.90; 10 % off: 546.21 = 459.00 + 87.21, of which 46.21 is paid
  pastDue: onePage(
    sampleInvoice(
      [
        { name: 'Messgerät', quantity: '3', unitCost: '200', period: [january[0], january[0]] },
        { name: 'Versand', unitCost: '6.90' },
      ],
      {
        currency: 'eur',
        status: 'past_due',
        pastDue: true,
        total: '546.21',
        balance: '500.00',
        timeZone: 'Europe/Berlin',
        discounts: [sampleDiscount('Frühling', 10, '60.69')],
        taxes: [sampleTax('USt.', 19, '87.21', true)],
      },
      {
        isTest: true,
        seller: {
          ...acme,
          ...munich,
          name: 'Acme Messtechnik GmbH',
          taxId: '143/123/12345',
          bankDetails: [euroAccount],
        },
        buyer: { ...northwind, ...munich, name: 'Größter Käufer AG', language: 'de', taxId: 'DE987654321' },
      },
    ),
  ),
  receipt: { document: receipt(), pages: [1] },
  feeReceipt: { document: feeReceipt('de'), pages: [1] },
  estimate: { document: estimate(), pages: [1] },
  creditNote: { document: creditNote(), pages: [1] },
};

function onePage(printable: Parameters<typeof printInvoice>[0]): Sample {
  return { document: printInvoice(printable), pages: [1] };
}

function estimate(): PrintedDocument {
  const { lines, invoice, ...parties } = sampleInvoice(usual.slice(0, 2));
  const row = {
    ...invoice,
    // 99.00 + 300.00 - 30.00 + 22.28
    number: 'EST-00007',
    status: 'sent',
    subtotal: '399.00',
    total: '391.28',
    deposit: '100.00',
    taxes: [sampleTax('Sales tax', 8.25, '22.28')],
    expiresAt: new Date('2027-02-04T18:00:00Z'),
    notes: 'This offer holds for 30 days.',
  } as unknown as Plain<Estimate>;
  return printEstimate(printableEstimate(row, lines as Plain<LineItem>[], parties));
}

function creditNote(): PrintedDocument {
  const { lines, invoice, ...parties } = sampleInvoice(usual.slice(0, 1));
  const row = { ...invoice, number: 'CN-00003', status: 'open', balance: '20.00' } as unknown as Plain<CreditNote>;
  const between = { ...parties, forInvoice: 'INV-00001' };
  const uses = [
    { type: 'credit_note', amount: '60.00', number: 'INV-00001' },
    { type: 'credit', amount: '19.00', number: null },
  ] as const;
  const sums = { further: '0', credited: '19.00', left: '11.00', open: '20.00', lapsed: '0', excess: '0' };
  const paid = (number: string, amount: string, isByCredit: boolean) => {
    return { of: 'invoice' as const, number, amount, isByCredit };
  };
  const story = { ...sums, uses: [paid('INV-00001', '60.00', false), paid('INV-00007', '8.00', true)] };
  const told = { story, pays: true };
  return printCreditNote(printableCreditNote(row, lines as Plain<LineItem>[], { ...between, uses, told }));
}
