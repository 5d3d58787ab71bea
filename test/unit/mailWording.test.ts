import { expect, test } from '@jest/globals';
import { counted } from '../../billing/counted.ts';
import { customTemplates } from '../../billing/mail/emailTemplates.ts';
import { greeted } from '../../present/emails/letter.ts';
import { writingFor } from '../../present/emails/writing.ts';
import { formatsOf } from '../../present/printed/formats.ts';
import { sampleEmail } from '../../present/templates/sample.ts';
import { DAYS } from '../../present/templates/samples/facts.ts';
import { reminderWordsOf } from '../../present/texts/texts.ts';
import { mailWordsOf } from '../../words/emails/words.ts';
import { labelsOf } from '../../words/labels/words.ts';
import { spokenLanguages } from '../../words/languages.ts';
import { statementWordsOf } from '../../words/statement/words.ts';
import { fill, fillCount, type Plural } from '../../words/text.ts';

/** Mails name each fact once before their table, and their words fit each number and name. */

const every = customTemplates.flatMap((template) => spokenLanguages.map((language) => [template, language] as const));

/** Amounts and the numbers of documents, as a reader sees them. Months and days have one or two digits. */
const NUMBERS = /\d[\d.,\u00a0\u202f-]*\d/g;

/** What stands above the table of a mail: heading, figure and paragraphs. */
function lead({ text, message }: { text: string; message: string }): string {
  const end = text.indexOf(message) + message.length;
  return text.slice(0, end);
}

test.each(every)('%s in %s names each amount, date and number at most once before its table', (template, language) => {
  const mail = sampleEmail(template, language);
  const named = lead(mail).match(NUMBERS) ?? [];
  const facts = named.filter((one) => !/^(\d\d|20\d\d)$/.test(one));
  expect(facts).toEqual([...new Set(facts)]);
  const { day } = formatsOf({ language, country: null, currency: 'usd', timeZone: 'UTC' });
  for (const at of Object.values(DAYS)) expect(lead(mail).split(day(at)).length).toBeLessThanOrEqual(2);
  for (const part of [mail.subject, mail.text]) expect(part).not.toMatch(/[{}]|undefined|NaN|様\s*様/);
});

const plurals: readonly (readonly [string, (language: string) => Plural])[] = [
  ['the heading of a reminder', (language) => mailWordsOf(language).remindHeading],
  ['the earlier entries of a statement', (language) => statementWordsOf(language).earlier],
];

test.each(plurals)('%s has a form for each number', (_, of) => {
  for (const language of spokenLanguages) {
    const plural = of(language);
    for (const count of [0, 1, 2, 5, 21]) {
      const rule = new Intl.PluralRules(language).select(count);
      expect(fillCount(plural, { language, count }, { count })).toBe(fill(plural[rule] ?? plural.other, { count }));
    }
    const forms = Object.values(plural);
    expect(forms).toEqual([...new Set(forms)]);
  }
});

test('one entry is an entry, and several are entries', () => {
  const entries = (language: string, count: number) =>
    fillCount(statementWordsOf(language).earlier, { language, count }, { count });
  expect([0, 1, 2, 21].map((count) => entries('en', count))).toEqual([
    '0 earlier entries',
    '1 earlier entry',
    '2 earlier entries',
    '21 earlier entries',
  ]);
  expect([1, 2, 5, 21].map((count) => entries('ar', count))).toEqual([
    'قيد سابق واحد',
    'قيدان سابقان',
    '5 قيود سابقة',
    '21 قيدًا سابقًا',
  ]);
  expect([1, 5].map((count) => entries('fr', count))).toEqual(['1 écriture antérieure', '5 écritures antérieures']);
});

test('a text names one invoice or several, and a count has its noun', () => {
  expect([1, 2].map((count) => /\(.*? /.exec(reminderWordsOf('en', count))?.[0])).toEqual(['(invoice ', '(invoices ']);
  expect([1, 2].map((count) => /\(.*? /.exec(reminderWordsOf('de', count))?.[0])).toEqual([
    '(Rechnung ',
    '(Rechnungen ',
  ]);
  for (const language of spokenLanguages)
    for (const count of [0, 1, 2, 5, 21]) expect(reminderWordsOf(language, count)).not.toMatch(/\{invoices\}/);
  expect([0, 1, 2, 5, 21].map((count) => counted(count, 'cycle'))).toEqual([
    '0 cycles',
    '1 cycle',
    '2 cycles',
    '5 cycles',
    '21 cycles',
  ]);
});

test('a Japanese name that has a title gets no further one', () => {
  const seller = { name: 'Acme', language: 'ja', country: null, timeZone: 'UTC' };
  const writing = writingFor(seller, null, { currency: 'jpy', timeZone: 'UTC' });
  const titled = ['山田', '山田様', '山田 様', '株式会社青空 御中', '山田さん', '\u2068山田様\u2069'];
  expect(titled.map((name) => greeted({ name }, writing, []))).toEqual([
    '山田様、',
    '山田様、',
    '山田 様、',
    '株式会社青空 御中、',
    '山田さん、',
    '\u2068山田様\u2069、',
  ]);
  expect(fill(labelsOf('ja').attention, { name: '山田様' })).toBe('山田様');
  expect(fill(labelsOf('ja').attention, { name: '山田' })).toBe('山田 様');
  expect(fill(labelsOf('de').attention, { name: '山田様' })).toContain('山田様');
});
