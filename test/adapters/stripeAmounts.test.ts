import { describe, expect, test } from '@jest/globals';
import { Big } from 'big.js';
import fc from 'fast-check';
import { amountOf, unitsOf } from '../../adapters/gateways/stripe/amounts.ts';
import { isCurrency, MINOR_UNITS } from '../../billing/money/money.ts';

/** Amounts in Stripe's units, compared with big.js. */

/** Decimals of Stripe's units, and the step in which amounts may be sent. */
const COUNTED: readonly [string, number, number][] = [
  ...'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'
    .split(' ')
    .map((code): [string, number, number] => [code, 0, 1]),
  ...'bhd jod kwd omr tnd'.split(' ').map((code): [string, number, number] => [code, 3, 10]),
  ['isk', 2, 100],
  ['ugx', 2, 100],
  ...'usd eur gbp huf twd chf'.split(' ').map((code): [string, number, number] => [code, 2, 1]),
];

/** Amounts with up to four decimals, and up to twelve digits before the point. */
const amounts = fc
  .tuple(
    fc.bigInt({ min: 0n, max: 999_999_999_999n }),
    fc.integer({ min: 0, max: 4 }),
    fc.integer({ min: 0, max: 9999 }),
  )
  .map(([whole, decimals, part]) =>
    decimals === 0 ? `${whole}` : `${whole}.${String(part).padStart(4, '0').slice(0, decimals)}`,
  );

describe.each(COUNTED)('%s', (currency, decimals, step) => {
  test('an amount is sent exactly, or not at all', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const units = new Big(amount).times(new Big(10).pow(decimals));
        const isExact = units.gt(0) && units.mod(step).eq(0);
        expect(unitsOf(amount, currency)).toBe(isExact ? units.toNumber() : 'amount_unsupported');
      }),
    );
  });

  test('an amount that was sent comes back equal, with the decimals of its units', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), (count) => {
        const units = count * step;
        const amount = amountOf(units, currency);
        expect(amount).toBe(new Big(units).div(new Big(10).pow(decimals)).toFixed(decimals));
        expect(unitsOf(amount, currency)).toBe(units);
      }),
    );
  });
});

test('each currency is counted as ISO 4217 does, or is named here, or is not sent', () => {
  const unlike = [...MINOR_UNITS].filter(([currency, decimals]) => {
    const units = unitsOf('100', currency);
    return typeof units === 'string' || units !== 100 * 10 ** decimals;
  });
  const unsupported = ['clf', 'iqd', 'lyd', 'uyi', 'uyw'];
  expect(unlike.map(([currency]) => currency).toSorted()).toEqual([...unsupported, 'isk', 'ugx'].toSorted());
  for (const currency of unsupported) {
    expect(isCurrency(currency)).toBe(true);
    expect(unitsOf('100', currency)).toBe('currency_unsupported');
  }
});

test('text that is no currency of ours, amounts that are not positive, and amounts too large are not sent', () => {
  expect(unitsOf('1.00', 'xxx')).toBe('currency_unsupported');
  expect(unitsOf('0.00', 'usd')).toBe('amount_unsupported');
  expect(unitsOf('-1.00', 'usd')).toBe('amount_unsupported');
  expect(unitsOf('90071992547409.92', 'usd')).toBe('amount_unsupported');
  expect(unitsOf('90071992547409.91', 'usd')).toBe(Number.MAX_SAFE_INTEGER);
  expect(() => amountOf(1, 'clf')).toThrow('clf');
});
