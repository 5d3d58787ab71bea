import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  add,
  allocate,
  compare,
  isCurrency,
  isNegative,
  isPositive,
  isZero,
  minimum,
  minorUnits,
  multiply,
  negate,
  parseDecimal,
  proportion,
  roundMoney,
  subtract,
  sum,
  toJsonNumber,
  zero,
} from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';

fc.configureGlobal({ seed: 20270301, numRuns: 500 });

describe('currencies', () => {
  test('have the minor units of ISO 4217', () => {
    const decimals = ['usd', 'eur', 'jpy', 'krw', 'xof', 'kwd', 'iqd', 'tnd', 'clf', 'uyw', 'mga'].map(minorUnits);
    expect(decimals).toEqual([2, 2, 0, 0, 0, 3, 3, 3, 4, 4, 2]);
  });

  test('are known by their lower-case code and only those in use', () => {
    expect(['usd', 'zwg', 'xcg', 'ved', 'che'].filter((code) => !isCurrency(code))).toEqual([]);
    expect(['USD', 'dem', 'hrk', 'xau', 'xts', 'xxx', 'abc', '', ' '].filter(isCurrency)).toEqual([]);
    expect(() => minorUnits('dem')).toThrow('not a currency: dem');
  });

  test('miss none that the platform knows, but units of account and currencies that are gone', () => {
    const gone = ['CUC', 'HRK', 'SLL', 'XDR', 'XSU', 'ZWL'];
    const known = Intl.supportedValuesOf('currency').filter((code) => !gone.includes(code));
    expect(known.filter((code) => !isCurrency(code.toLowerCase()))).toEqual([]);
  });
});

describe('amounts', () => {
  test('are rounded half away from zero and always carry their minor units', () => {
    expect(roundMoney('1.005', 'usd')).toBe('1.01'); // 1.00 in binary floats
    expect(roundMoney('-1.005', 'usd')).toBe('-1.01');
    expect(roundMoney('-0.004', 'usd')).toBe('0.00'); // no negative zero
    expect(roundMoney('12.5000', 'usd')).toBe('12.50');
    expect(roundMoney('1234.5', 'jpy')).toBe('1235');
    expect(roundMoney('0.0005', 'kwd')).toBe('0.001');
    expect(roundMoney('1e21', 'usd')).toBe('1000000000000000000000.00');
    expect(zero('clf')).toBe('0.0000');
  });

  test('are quantity times unit cost for a line, rounded once', () => {
    expect(multiply('3', '0.335', 'usd')).toBe('1.01'); // 1.005
    expect(multiply('1000000', '0.0000012345', 'usd')).toBe('1.23');
    expect(multiply('-2', '19.99', 'usd')).toBe('-39.98');
    expect(multiply('0.5', '0.5', 'jpy')).toBe('0');
  });

  test('add up, subtract, change sign and compare by value', () => {
    expect(add('0.10', '0.20')).toBe('0.30');
    expect(add('0', '12.50')).toBe('12.50');
    expect(add('100.00', '-30.00', '-70.00')).toBe('0.00');
    expect(subtract('10.00', '12.50')).toBe('-2.50');
    expect(negate('0.00')).toBe('0.00');
    expect(negate('-3')).toBe('3');
    expect(sum([], 'kwd')).toBe('0.000');
    expect(sum(['999999999999.99', '0.01'], 'usd')).toBe('1000000000000.00');
    expect(compare('1.5', '1.50')).toBe(0);
    expect([compare('9.00', '10.00'), compare('-9.00', '-10.00')]).toEqual([-1, 1]);
    expect(minimum('10.00', '9.00', '9.50')).toBe('9.00');
    expect([isZero('0.00'), isPositive('0.01'), isNegative('-0.01')]).toEqual([true, true, true]);
    expect([isZero('0.01'), isPositive('0.00'), isNegative('0.00')]).toEqual([false, false, false]);
  });

  test('are the exact share for a part of a period, rounded once', () => {
    expect(proportion('100.00', { numerator: 1, denominator: 3 }, 'usd')).toBe('33.33');
    expect(proportion('0.01', { numerator: 1, denominator: 2 }, 'usd')).toBe('0.01'); // half a cent
    expect(proportion('-0.01', { numerator: 1, denominator: 2 }, 'usd')).toBe('-0.01');
    expect(proportion('-0.01', { numerator: 1, denominator: 3 }, 'usd')).toBe('0.00');
    expect(proportion('9.99', { numerator: 52, denominator: 12 }, 'usd')).toBe('43.29'); // weekly to monthly
    expect(proportion('0.1255', { numerator: 2, denominator: 1 }, 'kwd')).toBe('0.251');
  });
});

describe('a total is split', () => {
  test('by largest remainder, equal ones from the earliest', () => {
    expect(allocate('100.00', ['1', '1', '1'], 'usd')).toEqual(['33.34', '33.33', '33.33']);
    expect(allocate('0.05', ['70', '30'], 'usd')).toEqual(['0.04', '0.01']); // 3.5 and 1.5 cents
    expect(allocate('10', ['0.5', '0.3', '0.2'], 'jpy')).toEqual(['5', '3', '2']);
    expect(allocate('1.000', ['2.00', '4', '1'], 'kwd')).toEqual(['0.286', '0.571', '0.143']); // .714, .429, .857 left
  });

  test('leaving out zero weights, or evenly when there are only those', () => {
    expect(allocate('0.05', ['0', '1', '0', '1'], 'usd')).toEqual(['0.00', '0.03', '0.00', '0.02']);
    expect(allocate('0.05', ['0', '0'], 'usd')).toEqual(['0.03', '0.02']);
    expect(allocate('0.00', [], 'usd')).toEqual([]);
    expect(() => allocate('0.01', [], 'usd')).toThrow('no parts');
  });

  test('with signs: a credited total mirrors the billed one, a credited line takes a credit', () => {
    expect(allocate('-100.00', ['1', '1', '1'], 'usd')).toEqual(['-33.34', '-33.33', '-33.33']);
    expect(allocate('9.00', ['100.00', '-10.00'], 'usd')).toEqual(['10.00', '-1.00']); // 10 % tax on 100 - 10
    expect(allocate('0.01', ['3', '-1'], 'usd')).toEqual(['0.02', '-0.01']); // 1.5 and -0.5 cents, down to 1 and -1, one left
    expect(allocate('-9.00', ['-100.00', '10.00'], 'usd')).toEqual(['-10.00', '1.00']);
  });

  test('only in whole minor units', () => {
    expect(() => allocate('1.005', ['1'], 'usd')).toThrow('more than 2 decimals');
  });
});

describe('numbers of a request', () => {
  const limits = { maxDecimals: 10, maxSignificant: 15, param: 'unit_cost' };

  test('become plain decimal text', () => {
    const read = (text: string) => parseDecimal(text, limits);
    expect(['12.50', '1e-7', '1.5E+3', '-0', '007', '-0.10'].map(read)).toEqual([
      '12.5',
      '0.0000001',
      '1500',
      '0',
      '7',
      '-0.1',
    ]);
    expect(read('12345.1234567890')).toBe('12345.123456789');
  });

  test.each([
    '',
    'abc',
    '1,5',
    '.5',
    '5.',
    '0x10',
    'Infinity',
    'NaN',
    ' 1',
    '1 ',
    '1e9999',
    '--1',
    '1.00000000001',
    '1e15',
    '1234567.123456789',
  ])('are refused when %j', (text) => {
    expect(() => parseDecimal(text, limits)).toThrow(Refusal);
    expect(() => parseDecimal(text, limits)).toThrow(expect.objectContaining({ param: 'unit_cost', name: 'Refusal' }));
  });

  test('go out as JSON numbers that print the same value', () => {
    expect(
      ['12.50', '-0.00', '999999999999.99', '0.0000012345'].map((text) => JSON.stringify(toJsonNumber(text))),
    ).toEqual(['12.5', '0', '999999999999.99', '0.0000012345']);
    expect(() => toJsonNumber('1234567890123.456')).toThrow('too exact');
  });
});

/** The oracle computes with rational numbers of two BigInts and rounds to whole minor units. */
type Rational = { over: bigint; under: bigint };

function rational(text: string): Rational {
  const [whole = '', decimals = ''] = text.split('.');
  return { over: BigInt(whole + decimals), under: 10n ** BigInt(decimals.length) };
}

function times(left: Rational, right: Rational): Rational {
  return { over: left.over * right.over, under: left.under * right.under };
}

function nearestUnits({ over, under }: Rational, decimals: number): bigint {
  const size = (over < 0n ? -over : over) * 10n ** BigInt(decimals);
  const nearest = size / under + ((size % under) * 2n >= under ? 1n : 0n);
  return over < 0n ? -nearest : nearest;
}

function units(amount: string, decimals: number): bigint {
  expect(amount).toMatch(decimals === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${decimals}}$`));
  return BigInt(amount.replace('.', ''));
}

const currency = fc.constantFrom('usd', 'jpy', 'kwd', 'clf');
const magnitude = (most: bigint) => fc.oneof(fc.bigInt(-200n, 200n), fc.bigInt(-most, most));

function decimalText(size: fc.Arbitrary<bigint>, mostDecimals: number): fc.Arbitrary<string> {
  return fc.tuple(size, fc.integer({ min: 0, max: mostDecimals })).map(([value, decimals]) => {
    const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
    const point = digits.length - decimals;
    return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${decimals > 0 ? `.${digits.slice(point)}` : ''}`;
  });
}

const decimal = decimalText(magnitude(10n ** 15n), 10);

describe('whatever the numbers', () => {
  test('rounding, products and shares are the nearest minor unit', () => {
    const share = fc.record({
      numerator: fc.integer({ min: -5000, max: 5000 }),
      denominator: fc.integer({ min: 1, max: 5000 }),
    });
    fc.assert(
      fc.property(fc.tuple(decimal, decimal), fc.tuple(share, currency), ([left, right], [of, code]) => {
        const decimals = minorUnits(code);
        const ratio = { over: BigInt(of.numerator), under: BigInt(of.denominator) };
        const product = times(rational(left), rational(right));
        expect(units(roundMoney(left, code), decimals)).toBe(nearestUnits(rational(left), decimals));
        expect(units(multiply(left, right, code), decimals)).toBe(nearestUnits(product, decimals));
        expect(units(proportion(left, of, code), decimals)).toBe(nearestUnits(times(rational(left), ratio), decimals));
      }),
    );
  });

  test('sums are those of the minor units', () => {
    fc.assert(
      fc.property(fc.array(decimal, { maxLength: 8 }), currency, (values, code) => {
        const amounts = values.map((value) => roundMoney(value, code));
        const expected = amounts.reduce((soFar, amount) => soFar + units(amount, minorUnits(code)), 0n);
        expect(units(sum(amounts, code), minorUnits(code))).toBe(expected);
        expect(isZero(subtract(sum(amounts, code), sum(amounts.toReversed(), code)))).toBe(true);
      }),
    );
  });

  test('parts add up to the total, lie within a unit of their share, and the largest remainders go first', () => {
    const weight = decimalText(fc.oneof(fc.bigInt(0n, 9n), fc.bigInt(0n, 10n ** 12n)), 4);
    const signed = decimalText(fc.bigInt(-9n, 9n), 1); // includes credited lines
    const weightList = fc.oneof(...[weight, signed].map((one) => fc.array(one, { minLength: 1, maxLength: 12 })));
    fc.assert(
      fc.property(decimal, weightList, currency, (value, weights, code) => {
        const total = roundMoney(value, code);
        const parts = allocate(total, weights, code);
        expect(sum(parts, code)).toBe(total);
        const scaled = weights.map((text) => rational(text).over * (10_000n / rational(text).under));
        const all = scaled.reduce((soFar, one) => soFar + one, 0n);
        if (all === 0n) return;
        const sign = isNegative(total) ? -1n : 1n;
        const whole = all < 0n ? -all : all;
        const dues = scaled.map((one, index) => {
          const exact = (sign * units(total, minorUnits(code)) * one * whole) / all; // in 1/whole of a minor unit
          const remainder = ((exact % whole) + whole) % whole;
          const extra = sign * units(parts[index] ?? '', minorUnits(code)) - (exact - remainder) / whole;
          return { extra, remainder };
        });
        for (const [index, { extra, remainder }] of dues.entries()) {
          expect(extra === 0n || (extra === 1n && remainder > 0n)).toBe(true);
          if (extra === 0n) continue;
          expect(
            dues.every(
              (other, at) =>
                other.extra === 1n || other.remainder < remainder || (other.remainder === remainder && at > index),
            ),
          ).toBe(true);
        }
      }),
    );
  });

  test('a number of a request keeps its value in both directions', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }), (number) => {
        const shown = Number(number.toPrecision(12));
        fc.pre(shown === 0 || Math.abs(shown) >= 1e-4);
        const text = parseDecimal(String(shown), { maxDecimals: 20, maxSignificant: 15 });
        expect(text).toMatch(/^-?\d+(\.\d*[1-9])?$/);
        expect(toJsonNumber(text)).toBe(shown + 0); // -0 comes back as 0
      }),
    );
  });
});
