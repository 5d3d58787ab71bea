import { expect, test } from '@jest/globals';
import { MOST_SPELLINGS, spelledNames } from '../../billing/payments/payerNames.ts';

test.each([
  ['Oestliche Muehlen KG', 'östliche mühlen gmbh & co. kg'],
  ['MUELLER BAUER GMBH', 'müller bauer gmbh'],
  ['Michael Groesser', 'michael größer'],
  ['Quelle Joel Koenig', 'quelle joel könig'],
  ['OESTLICHE MUEHLEN', 'östliche mühlen gmbh & co. kg'],
  ['Überweisung von Grün AG', 'gruen gmbh'],
  ['Strasse und Weg GmbH', 'straße und weg ug'],
  ['ACME Limited', 'acme ltd.'],
  ['ACME, Inc.', 'acme llc'],
])('the payer %s may be the customer %s', (text, name) => {
  expect(spelledNames([text])).toContain(name);
});

test('a long text has a bounded number of spellings', () => {
  const text = Array.from({ length: 5000 }, (_, index) => `Müller${index}`).join(' ');
  expect(spelledNames([text, text]).length).toBeLessThanOrEqual(MOST_SPELLINGS);
});
