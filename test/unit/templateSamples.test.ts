import { expect, test } from '@jest/globals';
import { customTemplates } from '../../billing/mail/emailTemplates.ts';
import { sampleEmail } from '../../present/templates/sample.ts';
import { variablesOf } from '../../present/variables/declared.ts';
import { type Fields, namesIn } from '../../present/variables/kinds.ts';
import { spokenLanguages } from '../../words/languages.ts';
import { sampleWordsOf } from '../../words/samples.ts';

// The samples that previews of email templates show, in each language.

const seller = { name: 'Acme', language: 'en', country: 'US', currency: 'eur', email: 'help@acme.example' };
const sampleIn = (template: (typeof customTemplates)[number], language: string, over: object = {}) => {
  const mail = sampleEmail(template, language, { ...seller, ...over });
  if (!mail.view) throw new Error('a sample without values');
  return { ...mail, view: mail.view };
};

const cases = customTemplates.flatMap((template) => spokenLanguages.map((language) => [template, language] as const));

/** Names, numbers and addresses, which no language translates. */
const UNTRANSLATED =
  /https?:\S+|\/documents\/\S+|\S+@\S+|Acme|INV-\d+|EST-\d+|CN-\d+|CUST-\d+|REC-\d+|PO-\d+|Visa|(ch|re)_example/g;

/** The texts of a sample, apart from names that no language translates. */
function wordsOf({ subject, text }: { subject: string; text: string }): string {
  return `${subject}\n${text}`.replace(UNTRANSLATED, '');
}

test.each(cases)('the sample of %s in %s is in this language', (template, language) => {
  const mail = sampleIn(template, language);
  const english = sampleIn(template, 'en');
  const own = sampleWordsOf(language);
  expect(mail.view.language).toBe(language);
  expect(mail.message).toContain(own.customer);
  expect(mail.view.variables.recipient).toEqual({ name: own.customer });
  if (language === 'en') return;
  for (const word of [sampleWordsOf('en').customer, sampleWordsOf('en').plan, 'Hello', 'December'])
    expect(`${wordsOf(mail)}${JSON.stringify(mail.view.variables)}`).not.toContain(word);
  for (const part of ['subject', 'message'] as const) expect(mail[part]).not.toBe(english[part]);
  if (['ar', 'he', 'ja', 'zh'].includes(language)) expect(wordsOf(mail)).not.toMatch(/[A-Za-z]{2}/);
});

test.each(['new_invoice_email', 'estimate_email', 'subscription_renews_soon_email'] as const)(
  'the sample of %s names the plan in the language of the template',
  (template) => {
    for (const language of spokenLanguages)
      expect(JSON.stringify(sampleIn(template, language).view.variables)).toContain(sampleWordsOf(language).plan);
  },
);

test.each(spokenLanguages)(
  'amounts and days of a sample in %s have the format of a customer of this language',
  (language) => {
    const money = (locale: string, currency: string) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(249);
    const day = (locale: string) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date('2026-12-01'));
    const elsewhere = language === 'en' ? 'fr' : 'en';
    const plain = (text: unknown) => String(text).replace(/[\s\u200e\u200f\u061c\u2066-\u2069]/g, '');
    const invoice = Object(sampleIn('new_invoice_email', language, { language: elsewhere }).view.variables.invoice);
    expect(plain(invoice.total)).toBe(plain(money(language, 'eur')));
    expect(plain(invoice.date)).toBe(plain(day(language)));
    expect(invoice.currency).toBe('eur');
  },
);

test('a sample in the language of the account has the format of its country', () => {
  const inBritain = sampleIn('new_invoice_email', 'en', { country: 'GB', currency: 'gbp' });
  expect(inBritain.view.variables.invoice).toMatchObject({ total: '£249.00', date: '1 December 2026' });
});

/** The names of the values of a sample. Of a list, those of its first element. */
function namesOf(values: object, fields: Fields, before = ''): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const declared = fields[key];
    const isList = declared?.kind === 'list';
    const name = `${before}${key}${isList ? '[]' : ''}`;
    const inner = declared && 'fields' in declared ? declared.fields : null;
    const one = isList ? value[0] : value;
    if (!inner) return [name];
    return [name, ...(one ? namesOf(one, inner, `${name}.`) : namesIn(inner, `${name}.`).map((each) => each.name))];
  });
}

test.each(customTemplates)('the sample of %s has exactly its variables', (template) => {
  const { view } = sampleIn(template, 'en');
  const declared = variablesOf(template);
  const names = namesIn(declared, '').map(({ name }) => name);
  expect(namesOf(view.variables, declared).toSorted()).toEqual(names.toSorted());
  const own = Object.entries(declared).filter(([name, { kind }]) => kind === 'list' && name !== 'links');
  for (const [name] of own) expect(view.variables[name]).not.toEqual([]);
});

test('the installments of a sample add up to the price in a currency without decimals', () => {
  const { installments } = Object(sampleIn('payment_plan_email', 'ja', { currency: 'jpy' }).view.variables);
  const amounts: { amount_number: string }[] = installments;
  expect(amounts.map(({ amount_number: amount }) => Number(amount))).toEqual([125, 124]); // together 249
});

test.each(['unpaid_invoice_email', 'late_payment_reminder_email'] as const)(
  'the sample of %s was due before the day of the samples',
  (template) => {
    expect(JSON.stringify(sampleIn(template, 'en').view.variables)).toContain('December 5, 2026');
    expect(JSON.stringify(sampleIn(template, 'en').view.variables)).not.toContain('December 31, 2026');
  },
);
