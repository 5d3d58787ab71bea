import { expect, test } from '@jest/globals';
import {
  defaultTerms,
  inOrder,
  type MethodTerms,
  type Offering,
  offeredMethods,
} from '../../billing/payments/offeredMethods.ts';
import { paymentMethods } from '../../billing/payments/paymentMethods.ts';

const terms = (changes: Partial<Record<string, Partial<MethodTerms>>> = {}) =>
  paymentMethods.map((method) => ({ ...defaultTerms(method, 'usd'), ...changes[method] }));
const offering: Offering = { amount: '100.00', currency: 'usd', disabled: [], chargeable: ['credit_card', 'ach'] };
const shown = (changes: Parameters<typeof terms>[0], more: Partial<Offering> = {}) =>
  offeredMethods(terms(changes), { ...offering, ...more }).map(({ terms: { method }, obstacle }) =>
    obstacle === null ? method : `${method}: ${obstacle}`,
  );

test('by default, cards come first, then bank debits; nothing else is offered', () => {
  expect(shown({})).toEqual(['credit_card', 'ach']);
  expect(inOrder(terms()).map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('the order of the account decides, and equal places keep the default order', () => {
  expect(shown({ check: { enabled: true, order: 0 } })).toEqual(['check', 'credit_card', 'ach']);
  expect(shown({ check: { enabled: true, order: 1 }, ach: { order: 1 } })).toEqual(['credit_card', 'ach', 'check']);
});

test('methods that the account, the customer or the document excludes are left out', () => {
  expect(shown({ credit_card: { enabled: false } })).toEqual(['ach']);
  expect(shown({}, { disabled: ['ach'] })).toEqual(['credit_card']);
});

test.each([
  ['99.99', { min: '100.00' }, 'below_min'],
  ['100.00', { min: '100.00', max: '100.00' }, null],
  ['100.01', { max: '100.00' }, 'above_max'],
  ['9', { min: '10' }, 'below_min'],
  ['0.01', { min: '0' }, null],
])('an amount of %s with the bounds %j: %s', (amount, bounds, obstacle) => {
  const [card] = offeredMethods(terms({ credit_card: bounds }), { ...offering, amount });
  expect(card?.obstacle).toBe(obstacle);
});

test('bounds do not concern amounts in other currencies', () => {
  expect(shown({ credit_card: { min: '200' } }, { currency: 'jpy' })).toEqual(['credit_card', 'ach']);
});

test('a card or bank account that no gateway takes is shown as such, and methods without a gateway need none', () => {
  expect(shown({ check: { enabled: true } }, { chargeable: ['ach'] })).toEqual([
    'credit_card: no_gateway',
    'ach',
    'check',
  ]);
});
