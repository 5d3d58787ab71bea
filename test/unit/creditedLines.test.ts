import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { leftOfAmount, leftOfLines, type NetLine } from '../../billing/documents/creditedLines.ts';
import { compare, isNegative, subtract, sum } from '../../billing/money/money.ts';

/** Parts of the lines of an invoice that its credit notes leave. */

const gold = { planCode: 'gold', itemCode: null, name: 'Gold', net: '10.00' };
const seats = { planCode: null, itemCode: 'seat', name: 'Seats', net: '5.00' };
const left = (lines: NetLine[], credits: NetLine[]) => leftOfLines(lines, credits, 'usd');

test('a credit that names no line counts against all lines in proportion', () => {
  expect(left([gold, seats], [{ net: '3.00' }])).toEqual(['8.00', '4.00']); // 3.00 x 10/15 and x 5/15
  expect(left([gold, seats], [{ net: '20.00' }])).toEqual(['0.00', '0.00']);
});

test('a credit that names a line by item, plan or name counts against that line, and its excess against the others', () => {
  expect(left([gold, seats], [{ itemCode: 'seat', name: 'A mistake', net: '4.00' }])).toEqual(['10.00', '1.00']);
  expect(left([gold, seats], [{ planCode: 'gold', net: '4.00' }])).toEqual(['6.00', '5.00']);
  expect(left([gold, seats], [{ name: 'Seats', net: '6.00' }])).toEqual(['9.00', '0.00']); // 5.00, then 1.00
});

test('a credit for a period counts against the line of that period', () => {
  const [march, april, may] = [3, 4, 5].map((month) => new Date(Date.UTC(2027, month - 1)));
  const first = { ...gold, periodStartAt: march, periodEndAt: april };
  const second = { ...gold, periodStartAt: april, periodEndAt: may };
  expect(left([first, second], [{ ...second, net: '10.00' }])).toEqual(['10.00', '0.00']);
});

test('credits on the invoice itself lessen what is left, unless they outweigh its charges', () => {
  const credit = { ...gold, net: '-5.00' };
  expect(left([gold, credit], [{ net: '5.00' }])).toEqual(['0.00', '0.00']);
  expect(left([gold, { ...credit, net: '-10.00' }], [{ net: '4.00' }])).toEqual(['6.00', '-10.00']);
});

test('the part of a price with tax in it', () => {
  expect(leftOfAmount('12.50', { net: '10.00', left: '4.00' }, 'usd')).toBe('5.00');
  expect(leftOfAmount('0.00', { net: '0.00', left: '0.00' }, 'usd')).toBe('0.00');
});

const money = fc.integer({ min: 0, max: 100_000 }).map((cents) => (cents / 100).toFixed(2));
const line = fc.record({
  planCode: fc.constantFrom(null, 'gold', 'silver'),
  itemCode: fc.constantFrom(null, 'seat'),
  name: fc.constantFrom(null, 'Gold', 'Seats'),
  net: money,
});

test('credits take exactly their sum, at most the lines', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), fc.array(line, { maxLength: 5 }), (lines, credits) => {
      const parts = left(lines, credits);
      const [billed, credited] = [lines, credits].map((of) =>
        sum(
          of.map(({ net }) => net),
          'usd',
        ),
      );
      const rest = subtract(billed ?? '0', credited ?? '0');
      expect(sum(parts, 'usd')).toBe(isNegative(rest) ? '0.00' : rest);
      for (const [index, part] of parts.entries()) {
        expect(isNegative(part)).toBe(false);
        expect(compare(part, lines[index]?.net ?? '0')).toBeLessThanOrEqual(0);
      }
    }),
  );
});
