import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { creditsByLine, type DatedCredit, recognitionOf } from '../../billing/reports/recognition.ts';

/** Properties of recognized revenue. Amounts are whole minor units in the cases, and text with the decimals of the currency in the rule. */

const currencies = [
  ['jpy', 0],
  ['usd', 2],
  ['kwd', 3],
] as const;
const text = (units: number, decimals: number) => (units / 10 ** decimals).toFixed(decimals);

interface Case {
  currency: readonly [string, number];
  line: { net: number; day: number; from: number; length: number };
  credits: { day: number; amount: number }[];
}

const day = fc.integer({ min: 0, max: 120 });
const cases: fc.Arbitrary<Case> = fc.record({
  currency: fc.constantFrom(...currencies),
  line: fc.record({
    net: fc.integer({ min: 0, max: 100_000 }),
    day,
    from: day,
    length: fc.integer({ min: 1, max: 90 }),
  }),
  credits: fc.array(fc.record({ day: fc.integer({ min: 0, max: 250 }), amount: fc.integer({ min: 1, max: 40_000 }) }), {
    maxLength: 4,
  }),
});

/** The states at the end of each day, minor units. Credits are at most the line in sum. */
function statesOf({ currency: [code, decimals], line, credits }: Case) {
  let left = line.net;
  const taken: DatedCredit[] = credits.flatMap(({ day: on, amount }) => {
    const some = Math.min(amount, left);
    left -= some;
    return some > 0 ? [{ day: on, amount: text(some, decimals) }] : [];
  });
  const billed = { ...line, net: text(line.net, decimals), until: line.from + line.length };
  const at = recognitionOf(billed, taken, code);
  const days = Array.from({ length: 400 }, (_, index) => index - 5);
  return days.map((on) => {
    const state = Object.entries(at(on)).map(([name, amount]) => [name, Number(amount)]);
    return { day: on, ...Object.fromEntries(state) } as Record<
      'day' | 'billed' | 'credited' | 'recognized' | 'deferred',
      number
    >;
  });
}

test('deferred revenue is never negative, ends at zero, and with the recognized is what was billed less the credits', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const end = Math.max(one.line.day, one.line.from + one.line.length, ...one.credits.map((credit) => credit.day));
      const wrong = statesOf(one).filter(({ day: on, billed, credited, recognized, deferred }) => {
        const isOver = on >= end && deferred !== 0;
        const isEarly = on < one.line.day && (billed !== 0 || deferred !== 0);
        return deferred < 0 || recognized + deferred !== billed - credited || isOver || isEarly;
      });
      expect(wrong).toEqual([]);
    }),
  );
});

test('without credits what is recognized never falls, and is a share of the days to within half a unit', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const { net, day: billedOn, from, length } = one.line;
      const states = statesOf({ ...one, credits: [] });
      const wrong = states.filter(({ day: on, recognized }, index) => {
        const share = on < billedOn ? 0 : Math.min(Math.max(on + 1 - from, 0), length) / length;
        return recognized < (states[index - 1]?.recognized ?? 0) || Math.abs(recognized - net * share) > 0.5 + 1e-6;
      });
      expect(wrong).toEqual([]);
    }),
  );
});

test('what is recognized only falls on the day of a credit', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const credited = new Set(one.credits.map((credit) => credit.day));
      const states = statesOf(one);
      const wrong = states.filter(
        ({ day: on, recognized }, index) => !credited.has(on) && recognized < (states[index - 1]?.recognized ?? 0),
      );
      expect(wrong).toEqual([]);
    }),
  );
});

test('a credit before its bill is a reversal, which the bill makes up for', () => {
  const at = recognitionOf({ net: '300.00', day: 10, from: 10, until: 40 }, [{ day: 5, amount: '60.00' }], 'usd');
  expect(at(5)).toEqual({ billed: 0n, credited: 6000n, recognized: -6000n, deferred: 0n });
  expect(at(10)).toEqual({ billed: 30000n, credited: 6000n, recognized: 800n, deferred: 23200n }); // 240 / 30
});

test('credits fall to the lines that they name, then to all in proportion, day by day', () => {
  const lines = [
    { name: 'One', net: '100.00' },
    { name: 'Two', net: '300.00' },
  ];
  const credits = [
    { name: 'Two', net: '100.00', day: 3 },
    { name: 'Else', net: '60.00', day: 7 },
  ];
  // 60 over 100 and 200: 20 and 40
  expect(creditsByLine(lines, credits, 'usd')).toEqual([
    [
      { day: 3, amount: '0.00' },
      { day: 7, amount: '20.00' },
    ],
    [
      { day: 3, amount: '100.00' },
      { day: 7, amount: '40.00' },
    ],
  ]);
});
