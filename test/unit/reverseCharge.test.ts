import { expect, test } from '@jest/globals';
import { buyerOwesTax } from '../../billing/documents/taxId.ts';

/** A company in France that buys from Germany. */
const sale = {
  sellerCountry: 'DE',
  country: 'FR',
  buyer: { type: 'company', country: 'FR', taxId: 'FR12345678901' },
};

test('a company outside the country of the seller owes the tax if it has a well-formed VAT number', () => {
  expect(buyerOwesTax(sale)).toBe(true);
  expect(buyerOwesTax({ ...sale, buyer: { ...sale.buyer, country: 'IT', taxId: 'IT12345678901' } })).toBe(true);
});

test.each([
  ['a person', { buyer: { ...sale.buyer, type: 'person' } }],
  ['a number of another country', { buyer: { ...sale.buyer, taxId: 'DE123456789' } }],
  ['no number', { buyer: { ...sale.buyer, taxId: null } }],
  ['no country', { buyer: { ...sale.buyer, country: null } }],
  ['a buyer in the country of the seller', { buyer: { type: 'company', country: 'DE', taxId: 'DE123456789' } }],
  ['a place in the country of the seller', { country: 'DE' }],
  ['an unknown place', { country: null }],
  ['an unknown country of the seller', { sellerCountry: null }],
])('%s: the seller owes it', (_, more) => {
  expect(buyerOwesTax({ ...sale, ...more })).toBe(false);
});
