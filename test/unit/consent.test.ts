import { expect, test } from '@jest/globals';
import { sourceMethods } from '../../billing/payments/paymentMethods.ts';
import { consentText } from '../../present/printed/consent.ts';

const languages = ['ar', 'de', 'en', 'es', 'fr', 'he', 'ja', 'zh'];
const seller = { name: 'Acme', email: 'billing@acme.example' };
const plain = (text: string) => text.replace(/[\u2068\u2069]/g, '');

test('each language has its own consent for cards and for bank accounts, which names the seller and its address', () => {
  const texts = languages.flatMap((language) =>
    sourceMethods.map((method) => consentText(seller, { language, method })),
  );
  expect(new Set(texts.map(({ text }) => text)).size).toBe(languages.length * sourceMethods.length);
  for (const { text } of texts) {
    expect(plain(text).split('Acme').length).toBeGreaterThan(2);
    expect(plain(text)).toContain(' (billing@acme.example)');
    expect(text).not.toMatch(/[{}]/);
  }
});

test('a consent is in the language of the customer, else in English', () => {
  const of = (language: string) => consentText(seller, { language, method: 'credit_card' });
  expect(of('de')).toMatchObject({ language: 'de', text: expect.stringContaining('Ich erlaube Acme') });
  expect(of('fi')).toEqual(of('en'));
  expect(of('constructor')).toEqual(of('en'));
});

test('a seller without an email address is named alone', () => {
  const { text } = consentText({ name: 'Acme', email: null }, { language: 'en', method: 'ach' });
  expect(text).toContain('by telling Acme. Debits');
});

test('the name of a seller cannot turn the direction of a consent, hide in it, or fill another placeholder', () => {
  const of = (name: string, language: string) => consentText({ name }, { language, method: 'credit_card' }).text;
  expect(of('A\u202ecme\u200b {contact}', 'en')).toBe(of('Acme {contact}', 'en'));
  expect(of('{contact}', 'en')).toContain('I allow {contact} to store');
  expect(of('Acme', 'he')).toContain('\u2068Acme\u2069');
  expect(of('שלום', 'en')).toContain('\u2068שלום\u2069');
});
