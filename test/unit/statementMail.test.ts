import { expect, test } from '@jest/globals';
import { statementOf } from '../../billing/documents/statement.ts';
import { statementEmail } from '../../present/emails/statement.ts';
import { darkStyle } from '../../present/emails/style.ts';
import { marchFacts } from '../support/printedStatements.ts';

/** The mail with an account statement. */

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'he', 'ja', 'zh'];
const URL = 'https://billing.example/statements/1/7/secret/pdf';

const mailIn = (language: string, facts = marchFacts) =>
  statementEmail({
    seller: { name: 'Acme', language: 'en', country: 'US', timeZone: 'America/Chicago' },
    customer: { number: 'CUST-7', language, country: 'US' },
    to: { name: 'Ada' },
    subject: null,
    message: null,
    links: [],
    statement: statementOf(facts),
    url: URL,
  });

test.each(LANGUAGES)('%s: a statement mail is complete, and its html and text agree', (language) => {
  const { subject, message, html, text } = mailIn(language);
  for (const part of [subject, message, html.replace(darkStyle({ logo: null }), ''), text])
    expect(part).not.toMatch(/[{}]|undefined|null|NaN|Invalid/);
  expect(subject).toContain('Acme');
  for (const part of [html, text]) for (const shown of ['CUST-7', URL]) expect(part).toContain(shown);
  expect(text).toContain(message);
  if (language === 'en') return;
  expect(text).not.toMatch(/Statement|Balance|Open invoices/);
  for (const part of [subject, message]) expect(part).not.toMatch(/statement|you owe|hello/i);
});

test('it says what is owed, that nothing is open, or what the customer has', () => {
  expect(mailIn('en').message).toContain('You owe this balance.');
  const sums = { receivable: '0', credits: '0', unapplied: '0', deposits: '0' };
  const empty = { ...marchFacts, opening: '0', lines: [], owed: [], sums };
  expect(mailIn('en', empty).message).toContain('Nothing is open.');
  expect(mailIn('en', { ...empty, opening: '-20' }).message).toContain('This balance is in your favor.');
});
