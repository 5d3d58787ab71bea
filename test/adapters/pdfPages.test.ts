import { expect, test } from '@jest/globals';
import { createTypst } from '../../adapters/pdf/typst.ts';
import { planAsk } from '../../billing/collection/planProgress.ts';
import type { PrintedDocument } from '../../commands/ports/ports.ts';
import { printInvoice } from '../../present/printed/invoice.ts';
import {
  acme,
  northwind,
  type SampleLine,
  sampleDiscount,
  sampleInvoice,
  sampleShipTo,
  sampleTax,
} from '../support/printed.ts';
import { marchFacts, sampleStatement } from '../support/printedStatements.ts';
import { readPdf } from '../support/readPdf.ts';

/** What is on which page of a PDF. */

const typst = createTypst();
const pagesOf = async (document: PrintedDocument) => (await readPdf(typst({ document, as: 'pdf' }).bytes)).pages;
const january: [Date, Date] = [new Date('2027-01-05T06:00:00Z'), new Date('2027-02-05T06:00:00Z')];
const euros = {
  currency: 'eur',
  accountHolder: null,
  bankName: 'Musterbank',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  accountNumber: null,
  routingNumber: null,
};
const seller = {
  ...acme,
  taxId: 'DE123456789',
  bankDetails: [euros],
  footer: 'Registergericht München, HRB 123456\nGeschäftsführerin: Jane Roe',
};
const lines: SampleLine[] = [
  { name: 'Gold plan', description: 'Everything, for the whole team', unitCost: '99', period: january },
  {
    name: 'Support hour',
    description: 'Remote support by an engineer',
    quantity: '2.5',
    unitCost: '120',
    discounts: [sampleDiscount('Loyal customer', 10, '30.00')],
  },
  {
    name: 'Data transfer',
    description: 'Beyond what is included',
    quantity: '1250',
    unitCost: '0.0125',
    period: january,
  },
  { name: 'Setup', description: 'Once', unitCost: '250' },
];
const dock = sampleShipTo({
  name: 'Warehouse',
  address1: '8 Dock Lane',
  city: 'Tacoma',
  postalCode: '98402',
  country: 'US',
});

test.each(['DE', 'US'])(
  'an invoice of four lines with all its parts fits one page of the paper of %s',
  async (country) => {
    const invoice = {
      currency: 'eur',
      total: '717.47',
      balance: '717.47',
      discounts: [sampleDiscount('Spring', 5, '31.73')],
      taxes: [sampleTax('USt.', 19, '114.57')],
      purchaseOrder: 'PO-1138',
      notes: 'Thank you for your business.\nPlease state the reference.',
      shipTo: dock,
    };
    for (const language of ['en', 'de', 'ar', 'ja']) {
      const between = {
        seller: { ...seller, country },
        buyer: { ...northwind, language },
        language,
        isTest: true,
      } as const;
      expect(await pagesOf(printInvoice(sampleInvoice(lines, invoice, between)))).toHaveLength(1);
    }
  },
);

test('an invoice on a plan of twelve installments fits one page, and lists each of a hundred', async () => {
  const planned = (count: number) => {
    const installments = Array.from({ length: count }, (_, id) => {
      return { id, date: Date.UTC(2026, 11 + id, 27, 18), amount: '100.00', balance: '100.00' };
    });
    const total = (100 * count).toFixed(2);
    const ask = planAsk(installments, { now: Date.UTC(2026, 11, 1), zone: 'UTC' });
    const terms = { currency: 'eur', total, balance: total };
    return pagesOf(printInvoice(sampleInvoice([{ name: 'Machine', unitCost: total }], terms, { seller, ask })));
  };
  const [page = '', ...others] = await planned(12);
  expect(others).toEqual([]);
  expect(page).toContain('Due December 27, 2026, of €1,200.00');
  expect(page.match(/ 27, 202\d/g)?.length).toBeGreaterThanOrEqual(12);
  expect((await planned(100)).join('').match(/€100\.00/g)?.length).toBeGreaterThanOrEqual(100);
});

test('the boxes of a statement are on the page of its sums, however many lines come before, and each page of the sandbox says so', async () => {
  for (let count = 8; count < 24; count += 1) {
    const many = Array.from({ length: count }, (_, index) => marchFacts.lines[index % 6]).flatMap((line) => line ?? []);
    const late = { count: 0, amount: '0', listed: [] };
    const pages = await pagesOf(sampleStatement({ ...marchFacts, lines: many, late }, { isTest: true }));
    const [boxes] = pages.filter((page) => page.includes('Over 90 days'));
    expect(boxes).toContain('Open invoices');
    for (const page of pages) expect(page).toContain('This is a test document');
  }
});

test('a picture beyond its limits is not drawn, by its pages and by its size', () => {
  const document = printInvoice(sampleInvoice(lines));
  const drawn = typst({ document, as: 'svg' });
  const { pages } = drawn;
  const size = drawn.bytes.length;
  expect(size).toBeGreaterThan(10_000);
  const sizeWithin = (limits: { pages: number; bytes: number }) =>
    createTypst(limits)({ document, as: 'svg' }).bytes.length;
  expect(sizeWithin({ pages, bytes: size })).toBe(size);
  expect(sizeWithin({ pages: pages - 1, bytes: size })).toBe(0);
  expect(sizeWithin({ pages, bytes: size - 1 })).toBe(0);
});
