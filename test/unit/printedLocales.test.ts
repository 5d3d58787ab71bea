import { expect, test } from '@jest/globals';
import { countryCodes } from '../../billing/country.ts';
import { writingFor } from '../../present/emails/writing.ts';
import type { PrintedDocument } from '../../present/printed/document.ts';
import { printInvoice } from '../../present/printed/invoice.ts';
import { acme, northwind, sampleDiscount, sampleInvoice, sampleTax } from '../support/printed.ts';

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'he', 'ja', 'zh'];
const CURRENCIES = ['usd', 'kwd'];

/** A character between two digits of any script. It does not match between a number and its sign, symbol or unit. */
const SEPARATED = /\p{Nd}([^\p{Nd}])(?=\p{Nd})/gu;

/** An invoice whose numbers all have decimals. */
function sample(seller: typeof acme, buyer: typeof northwind, currency: string): PrintedDocument {
  const lines = [
    {
      name: 'Traffic',
      quantity: '1250.5',
      unitCost: '12345.0625',
      discounts: [sampleDiscount('Loyal', 8.875, '30.50')],
      taxes: [sampleTax('VAT', 7.75, '1.25')],
    },
    { name: 'Support', quantity: '0.5', unitCost: '0.0125' },
  ];
  const language = buyer.language ?? 'en';
  return printInvoice(sampleInvoice(lines, { currency }, { seller, buyer, language }));
}

function numbersOf({ figure, lines, sums }: PrintedDocument): string[] {
  const ofLines = lines.flatMap(({ details, quantity, unitCost, amount, carried }) => {
    return [...details, quantity ?? '', unitCost ?? '', amount, carried];
  });
  return [figure.value, ...ofLines, ...sums.flatMap(({ label, value }) => [label, value])];
}

/** The decimal signs of the numbers in these texts. The last separator of a number is its decimal sign. */
function decimalSigns(texts: readonly string[]): Set<string> {
  const numbers = texts.flatMap((text) => text.match(/\p{Nd}+(?:[^\p{Nd}\p{L}:]\p{Nd}+)*/gu) ?? []);
  return new Set(numbers.flatMap((number) => [...number.matchAll(SEPARATED)].at(-1)?.[1] ?? []));
}

test.each(LANGUAGES)(
  'every number of a document in %s has one decimal sign, whatever the country and the currency',
  (language) => {
    for (const country of [...countryCodes, null]) {
      for (const currency of CURRENCIES) {
        const own = sample(acme, { ...northwind, language, country }, currency);
        expect([country, currency, ...decimalSigns(numbersOf(own))]).toHaveLength(3);
      }
    }
  },
);

const german = { ...acme, country: 'DE' };
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f\u2009]/g, ' ');

test('English documents of a German seller use one set of separators for money, quantities and rates', () => {
  const nowhere = { ...northwind, country: null };
  const { lines, sums } = sample(german, nowhere, 'usd');
  expect(lines.map(({ quantity, unitCost }) => `${quantity} x ${unitCost}`).map(plain)).toEqual([
    '1,250.5 x US$12,345.0625',
    '0.5 x US$0.0125',
  ]);
  const rates = [...lines.flatMap(({ discounts }) => discounts), ...sums].map(({ label }) => plain(label));
  expect(rates).toEqual(expect.arrayContaining(['Loyal 8.875 %', 'VAT 7.75 %']));
});

test.each([
  // language and country of the customer and of the seller, then the expected locale
  [['fr', 'CH'], ['de', 'DE'], 'fr-CH', "1'562.50 $US"],
  [['fr', null], ['de', 'DE'], 'fr', '1 562,50 $US'],
  [[null, 'US'], ['de', 'DE'], 'de-US', '1.562,50 $'],
  [[null, 'US'], ['en', 'DE'], 'en-US', '$1,562.50'],
  [[null, null], ['de', 'AT'], 'de-AT', '$ 1.562,50'],
  [['pt', 'BR'], ['de', 'DE'], 'en-BR', '$1,562.50'], // there is no Portuguese translation, so everything is English
] as const)(
  'customer %j of seller %j reads %s, in document and mail',
  ([own, country], [language, at], reader, money) => {
    const buyer = { ...northwind, language: own, country };
    const seller = { ...acme, language, country: at };
    const document = printInvoice(
      sampleInvoice([{ name: 'Hour', unitCost: '1562.5' }], {}, { seller, buyer, language: own ?? language }),
    );
    const mail = writingFor({ ...seller, timeZone: 'UTC' }, buyer, { currency: 'usd', timeZone: 'UTC' });
    expect([document.language, mail.language]).toEqual([reader.slice(0, 2), reader.slice(0, 2)]);
    expect([document.figure.value, mail.formats.money('1562.5')].map(plain)).toEqual([money, money]);
  },
);
