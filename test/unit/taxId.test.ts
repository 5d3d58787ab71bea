import { expect, test } from '@jest/globals';
import { isVatNumberOf, type TaxIdKind, taxIdName } from '../../billing/documents/taxId.ts';

test.each<[string, TaxIdKind | null, string | null, string | null]>([
  ['DE123456789', null, 'DE', 'USt-IdNr.'],
  ['DE 123 456 789', null, 'DE', 'USt-IdNr.'],
  ['12/345/67890', null, 'DE', 'Steuernummer'],
  ['12/345/67890', 'vat', 'DE', 'USt-IdNr.'],
  ['FRXX123456789', null, 'FR', 'N° TVA'],
  ['98-7654321', null, 'US', 'EIN'],
  ['EL123456789', null, 'GR', 'ΑΦΜ'],
  ['T1234567890123', null, 'JP', '登録番号'],
  ['51 824 753 556', null, 'AU', 'ABN'],
  ['1', 'vat', 'TH', 'VAT No.'],
  ['1', 'tax_number', 'TH', null],
  ['1', null, 'TH', null],
  ['1', null, null, null],
  ['1', null, 'constructor', null],
])('the tax id %s of kind %s in %s is called %s', (taxId, kind, country, name) => {
  expect(taxIdName(taxId, { kind, country })).toBe(name);
});

test.each<[string, string, boolean]>([
  ['ATU12345678', 'AT', true],
  ['AT12345678', 'AT', false],
  ['NL123456789B01', 'NL', true],
  ['DE12345678', 'DE', false],
  ['DE123456789', 'AT', false],
  ['CHE-123.456.789 MWST', 'CH', true],
  ['EL123456789', 'GR', true],
  ['123456789', 'US', false],
])('%s as a VAT number of %s: %s', (taxId, country, isOne) => {
  expect(isVatNumberOf(taxId, country)).toBe(isOne);
});
