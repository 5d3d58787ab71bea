import { describe, expect, test } from '@jest/globals';
import { directionOf, formatsOf, isolated } from '../../present/printed/formats.ts';
import { type PrintableInvoice, printInvoice } from '../../present/printed/invoice.ts';
import { accountingWordsOf } from '../../words/accounting/words.ts';
import { addressLines, paperOf } from '../../words/address.ts';
import { mailWordsOf } from '../../words/emails/words.ts';
import { labelsOf } from '../../words/labels/words.ts';
import { acme, northwind, sampleDiscount, sampleInvoice, sampleShipTo, sampleTax } from '../support/printed.ts';

const january: [Date, Date] = [new Date('2027-01-05T06:00:00Z'), new Date('2027-02-05T06:00:00Z')];
const munich = { address1: 'Hauptstraße 1', city: 'München', state: null, postalCode: '80331', country: 'DE' };
const gmbh = { ...acme, ...munich, name: 'Acme GmbH', taxId: 'DE123456789', email: null };
const zurich = { address1: 'Bahnhofstrasse 5', city: 'Zürich', state: null, postalCode: '8001', country: 'CH' };

/** The printed document, with ordinary spaces in place of typographic ones. */
function print(printable: PrintableInvoice): ReturnType<typeof printInvoice> {
  return JSON.parse(JSON.stringify(printInvoice(printable)).replaceAll(/[\u00a0\u202f\u2009]/g, ' '));
}

test('an American invoice has letter paper, English, dollars and days of the account', () => {
  const printed = print(
    sampleInvoice(
      [
        { name: 'Gold plan', unitCost: '99', period: january },
        // 2.5 x 120 = 300, 10 % off: 30
        {
          name: null,
          description: 'Support\nRemote',
          quantity: '2.5',
          unitCost: '120',
          discounts: [sampleDiscount('Loyal', 10, '30.00')],
        },
        // 1,250 x 0.0125 = 15.625, rounded 15.63
        { name: 'Traffic', quantity: '1250', unitCost: '0.0125', taxes: [sampleTax('Sales tax', 8.25, '1.29')] },
      ],
      {
        total: '385.92',
        balance: '285.92',
        purchaseOrder: 'PO-7',
        notes: 'Thanks',
        discounts: [],
        taxes: [{ ...sampleTax('City tax', 1, '0.00'), rateKey: 2 }],
        shipTo: sampleShipTo({
          name: 'Dock',
          address1: '8 Dock Lane',
          city: 'Tacoma',
          state: 'WA',
          postalCode: '98402',
          country: 'US',
        }),
      },
    ),
  );
  expect(printed).toMatchObject({
    kind: 'invoice',
    language: 'en',
    direction: 'ltr',
    paper: 'us-letter',
    mark: null,
    title: 'Invoice',
    number: 'INV-00001',
    heading: 'Invoice INV-00001',
    date: 1_799_161_200,
    seller: {
      name: 'Acme Instruments Inc.',
      lines: ['1 Main Street', 'Austin, TX 78701', 'billing@acme.example', 'EIN US-98-7654321'],
    },
    parties: [
      {
        label: 'Bill to',
        name: 'Northwind Traders',
        lines: ['Attn: Jane Roe', '22 Harbour Road', 'Seattle, WA 98101'],
      },
      { label: 'Ship to', name: 'Dock', lines: ['8 Dock Lane', 'Tacoma, WA 98402'] },
    ],
    figure: { label: 'Amount due', value: '$285.92', note: 'Due February 4, 2027' },
    facts: [
      { label: 'Date', value: 'January 5, 2027' },
      { label: 'Due date', value: 'February 4, 2027' },
      { label: 'Terms', value: 'Net 30 days' },
      { label: 'Purchase order', value: 'PO-7' },
    ],
    notes: [{ label: 'Notes', value: 'Thanks' }],
    footer: 'Acme Instruments Inc. · 1 Main Street, Austin, TX 78701 · EIN US-98-7654321',
  });
  expect(printed.lines).toEqual([
    {
      name: 'Gold plan',
      details: ['Jan 5 – Feb 4, 2027', 'City tax 1%'],
      detailKinds: ['service_period', 'tax'],
      discounts: [],
      quantity: '1',
      unitCost: '$99.00',
      amount: '$99.00',
      carried: '$99.00',
    },
    {
      name: 'Support',
      details: ['Remote', 'City tax 1%'],
      detailKinds: ['description', 'tax'],
      discounts: [{ label: 'Loyal 10%', value: '−$30.00' }],
      quantity: '2.5',
      unitCost: '$120.00',
      amount: '$300.00',
      carried: '$369.00',
    },
    {
      name: 'Traffic',
      details: ['Sales tax 8.25%, City tax 1%'],
      detailKinds: ['tax'],
      discounts: [],
      quantity: '1,250',
      unitCost: '$0.0125',
      amount: '$15.63',
      carried: '$384.63',
    },
  ]);
  // 414.63 - 30.00 + 1.29 = 385.92, of which 100.00 is paid
  expect(printed.sums.map(({ label, value, weight }) => `${label} ${value} ${weight}`)).toEqual([
    'Subtotal $384.63 plain',
    'Sales tax 8.25% on $15.63 $1.29 plain',
    'City tax 1% $0.00 plain',
    'Total $385.92 total',
    'Payments and credits −$100.00 plain',
    'Amount due $285.92 balance',
  ]);
});

test('a German invoice for a Swiss customer has A4, German, country names and Swiss numbers', () => {
  const buyer = { ...northwind, ...zurich, name: 'Käufer AG', language: 'de', taxId: 'CHE-1' };
  const printed = print(
    sampleInvoice(
      [{ name: 'Wartung', quantity: '1.5', unitCost: '1200', taxes: [sampleTax('MWST', 20, '300.00', true)] }],
      { currency: 'eur', subtotal: '1500.00', total: '1800.00', paymentTerms: 'NET 14', timeZone: 'Europe/Berlin' },
      { seller: gmbh, buyer },
    ),
  );
  expect(printed).toMatchObject({
    language: 'de',
    paper: 'a4',
    title: 'Rechnung',
    seller: { lines: ['Hauptstraße 1', '80331 München', 'Deutschland', 'USt-IdNr. DE123456789'] },
    parties: [
      {
        label: 'Rechnung an',
        name: 'Käufer AG',
        lines: ['z. Hd. Jane Roe', 'Bahnhofstrasse 5', '8001 Zürich', 'Schweiz', 'Steuer-ID CHE-1'],
      },
    ],
    figure: { label: 'Offener Betrag', note: 'Fällig am 4. Februar 2027' },
    lines: [{ quantity: '1.5', unitCost: "EUR 1'200.00", amount: "EUR 1'800.00" }],
    labels: { page: 'Seite {page} von {pages}', carriedForward: 'Übertrag' },
  });
  // 1,800.00 with 20 % in it: 1,500.00 + 300.00
  expect(printed.sums.slice(0, 4).map(({ label, value }) => `${label} ${value}`)).toEqual([
    "Zwischensumme EUR 1'800.00",
    "Gesamtbetrag EUR 1'800.00",
    "davon MWST 20% auf EUR 1'500.00 EUR 300.00",
    "Nettobetrag EUR 1'500.00",
  ]);
});

test.each([
  ['voided', { text: 'VOID', tone: 'bad', isAcross: true }, ['Total']],
  ['draft', { text: 'DRAFT', tone: 'quiet', isAcross: true }, ['Total']],
  ['paid', { text: 'PAID', tone: 'good', isAcross: false }, ['Total', 'Payments and credits', 'Amount due']],
  ['past_due', null, ['Total', 'Payments and credits', 'Amount due']],
] as const)('a document with the status %s has its mark and its sums', (status, mark, sums) => {
  const printed = print(sampleInvoice([{ name: 'Hour', unitCost: '5' }], { status, balance: '0.00' }));
  expect(printed.mark).toEqual(mark);
  expect(printed.sums.map(({ label }) => label)).toEqual(sums);
});

test('amounts of one rate are summed over all lines, those of coupons are beside their lines', () => {
  const line = (amount: string) => ({
    name: 'Hour',
    unitCost: amount,
    discounts: [sampleDiscount('Loyal', 10, '1.00')],
    taxes: [sampleTax('VAT', 20, '2.50')],
  });
  // (10.00 - 1.00) + (10.00 - 1.00) = 18.00. The tax of 5.00 was not computed as one document: 20 % of 18.00 would be 3.60
  const { sums, lines } = print(sampleInvoice([line('10'), line('10')], { total: '23.00', balance: '23.00' }));
  expect(lines.map(({ discounts }) => discounts)).toEqual(Array(2).fill([{ label: 'Loyal 10%', value: '−$1.00' }]));
  expect(sums.map(({ label, value }) => `${label} ${value}`)).toEqual([
    'Subtotal $18.00',
    'VAT 20% $5.00', // 2.50 + 2.50
    'Total $23.00',
    'Amount due $23.00',
  ]);
});

describe('numbers and days', () => {
  const inLocale = (language: string, country: string | null, currency: string) =>
    formatsOf({ language, country, currency, timeZone: 'UTC' });

  test.each([
    ['en', 'US', 'usd', '-1234.50', '−$1,234.50'],
    ['en', 'GB', 'gbp', '1234.50', '£1,234.50'],
    ['de', 'DE', 'eur', '1234.50', '1.234,50 €'],
    ['fr', 'FR', 'eur', '1234.50', '1 234,50 €'],
    ['ja', 'JP', 'jpy', '1234', '￥1,234'],
    ['en', 'KW', 'kwd', '1.5', 'KWD 1.500'],
    ['en', 'IQ', 'iqd', '1.5', 'IQD 1.500'], // ISO 4217 says three decimals, Intl none
    ['xx', 'US', 'usd', '999999999999.99', '$999,999,999,999.99'],
  ])('%s-%s writes %s %s as %s', (language, country, currency, amount, written) => {
    expect(
      inLocale(language, country, currency)
        .money(amount)
        .replaceAll(/[\u00a0\u202f]/g, ' '),
    ).toBe(written);
  });

  test('prices, quantities and rates print all digits', () => {
    const formats = inLocale('en', 'US', 'usd');
    expect(formats.price('12345.0123456789')).toBe('$12,345.0123456789');
    expect(formats.price('5.0000000000')).toBe('$5.00');
    expect(formats.quantity('123456789.012345')).toBe('123,456,789.012345');
    expect(formats.percent(8.375)).toBe('8.375%');
    expect([formats.less('5'), formats.less('-5'), formats.less('0')]).toEqual(['−$5.00', '$5.00', '$0.00']);
  });

  test('a printed period ends on the day before the next one, and an empty one is a day', () => {
    const formats = inLocale('en', 'US', 'usd');
    expect(
      formats.period(new Date('2027-01-31T00:00:00Z'), new Date('2027-02-28T00:00:00Z')).replaceAll('\u2009', ' '),
    ).toBe('Jan 31 – Feb 27, 2027');
    const at = new Date('2027-01-31T00:00:00Z');
    expect(formats.period(at, at)).toBe('Jan 31, 2027');
  });

  test('text of people keeps its direction within other text', () => {
    expect(isolated('1 Main Street', 'ltr')).toBe('1 Main Street');
    expect(isolated('1 Main Street\n\nEnd.', 'rtl')).toBe('\u20681 Main Street\u2069\n\n\u2068End.\u2069');
    expect(isolated('כהן (Ltd)', 'ltr')).toBe('\u2068כהן (Ltd)\u2069');
  });

  test('the direction of each language is known', () => {
    expect(['ar', 'he', 'fa', 'ur', 'en', 'ja'].map(directionOf)).toEqual(['rtl', 'rtl', 'rtl', 'rtl', 'ltr', 'ltr']);
  });
});

test.each([
  ['US', ['1 Main', 'Austin, TX 78701']],
  ['DE', ['1 Main', '78701 Austin, TX']],
  ['GB', ['1 Main', 'Austin, TX', '78701']],
])('an address in %s', (country, lines) => {
  const address = { address1: '1 Main', address2: '', city: 'Austin', state: 'TX', postalCode: '78701', country };
  expect(addressLines(address, null)).toEqual(lines);
});

test('East Asian addresses in their own script begin with the largest part', () => {
  const tokyo = { address1: '丸の内1-1-1', city: '千代田区', state: '東京都', postalCode: '100-0005', country: 'JP' };
  expect(addressLines(tokyo, '日本')).toEqual(['日本', '〒100-0005', '東京都千代田区', '丸の内1-1-1']);
  expect(addressLines({ ...tokyo, city: 'Chiyoda', state: 'Tokyo' }, null)).toEqual([
    '丸の内1-1-1',
    'Chiyoda, Tokyo',
    '100-0005',
  ]);
});

test("paper has the seller's size", () => {
  expect(['US', 'CA', 'MX', 'DE', 'JP', null].map(paperOf)).toEqual([
    'us-letter',
    'us-letter',
    'us-letter',
    'a4',
    'a4',
    'a4',
  ]);
});

test.each(['ar', 'de', 'es', 'fr', 'he', 'ja', 'zh'])(
  'texts of documents and mails in %s have the placeholders of the English ones',
  (language) => {
    const gaps = (said: object): [string, string[]][] =>
      Object.entries(said).map(([name, text]) => [name, [...String(text).matchAll(/\{\w+\}/g)].map(String).sort()]);
    for (const wordsOf of [labelsOf, mailWordsOf, accountingWordsOf]) {
      expect(gaps(wordsOf(language))).toEqual(gaps(wordsOf('en')));
      expect(wordsOf(language)).not.toEqual(wordsOf('en'));
    }
  },
);
