import { describe, expect, test } from '@jest/globals';
import { reportNames } from '../../../billing/reports/report.ts';
import { reports } from '../../../commands/reports/reports.ts';
import { codeIn, definitionIn, namesIn, parameterIn, reportProse } from '../../../dashboard/reports/prose.ts';
import { formatsOf } from '../../../dashboard/written.ts';
import { spokenLanguages } from '../../../words/languages.ts';

/** What reports say of themselves in each language. The English texts are those of the API. */

describe.each(spokenLanguages.filter((one) => one !== 'en'))('definitions in %s', (language) => {
  test.each(reportNames)('%s explains the same names as the English one', async (name) => {
    const prose = await reportProse[language]();
    const { definition } = reports[name];
    const told = definitionIn(prose, name, definition);
    expect(told).not.toBe(definition);
    expect(told).not.toMatch(/[{}]/);
    expect([...new Set(namesIn(told))].toSorted()).toEqual([...new Set(namesIn(definition))].toSorted());
  });
});

test('parameters and values are told in the language', async () => {
  const [german, english] = [await reportProse.de(), await reportProse.en()];
  const method = { check: 'Scheck' };
  const shared = { method, paymentFailure: {}, ages: { days_1_30: '1–30 Tage' } };
  const inGerman = { formats: formatsOf({ language: 'de', zone: 'UTC' }), shared };
  expect(parameterIn(german, ['known_at', '1796083200'], inGerman)).toContain('Stand: 01.12.2026');
  expect(parameterIn(german, ['end', '2027-03-31'], inGerman)).toBe('Bis: 31.03.2027');
  expect(parameterIn(german, ['movement', 'paid,written_off'], inGerman)).toBe('Bewegung: Bezahlt, Ausgebucht');
  expect(parameterIn(german, ['bucket', 'days_1_30'], inGerman)).toBe('Altersstufe: 1–30 Tage');
  expect(parameterIn(german, ['customer', '15'], inGerman)).toBe('Kunde: 15');
  expect(parameterIn(english, ['group_by', 'ledger_account'], inGerman)).toBe('group by: ledger account');
  expect(codeIn(german, 'clearing:stripe')).toBe('Verrechnung: stripe');
  expect(codeIn(german, 'of_a_gateway')).toBe('of a gateway');
});
