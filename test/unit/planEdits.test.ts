import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fillInstallments, type Installment } from '../../billing/collection/paymentPlan.ts';
import {
  areInstallments,
  type Edits,
  editInstallments,
  isUnchanged,
  type WantedInstallment,
} from '../../billing/subscriptions/planEdits.ts';

/** Changes of the installments of a payment plan. */

const DAY = 86_400_000;
const START = Date.UTC(2027, 1, 1, 9);
const text = (cents: number) => (cents / 100).toFixed(2);
const inCents = (amount: string) => Math.round(Number(amount) * 100);

/** Three installments of 30 days 0, 1, 2; `paid` of their 90 is paid. */
const planOf = (paid: number): Installment[] =>
  fillInstallments(
    [1, 2, 3].map((id) => ({ id, date: START + (id - 1) * DAY, amount: '30.00', balance: '30.00' })),
    text(9000 - paid * 100),
  );
const edit = (wanted: Partial<WantedInstallment>[], more: Partial<Edits> = {}) => {
  const present = more.present ?? [];
  const owed = present.reduce((sum, { balance }) => sum + inCents(balance), 0);
  const of: Edits = {
    wanted: [],
    mode: 'change',
    present,
    balance: text(owed || 9000),
    currency: 'usd',
    now: START,
    zone: 'UTC',
  };
  const whole = wanted.map((one) => ({ id: null, date: null, amount: null, ...one }));
  return editInstallments({ ...of, ...more, wanted: whole });
};
const shown = (list: ReturnType<typeof edit>) =>
  list.map(({ id, date, amount, balance }) => [id, (date - START) / DAY, Number(amount), Number(balance)]);

test('a plan is made of new installments; wrong numbers, dates, amounts and sums are refused', () => {
  const of = (...amounts: string[]) => amounts.map((amount, index) => ({ date: START + index * DAY, amount }));
  const make = (list: Partial<WantedInstallment>[], more: Partial<Edits> = {}) =>
    edit(list, { mode: 'replace', ...more });
  expect(shown(make(of('30', '60')))).toEqual([
    [null, 0, 30, 30],
    [null, 1, 60, 60],
  ]);
  expect(() => make(of('90'))).toThrow('2 to 100 installments: 1');
  expect(make(of('20'), { present: planOf(70) })).toHaveLength(4); // 30, 30 and 10 of the third are paid
  expect(() => make([], { present: planOf(70) })).toThrow('installments');
  expect(() => make(of('30', '59.99'))).toThrow('balance of 90.00: they add up to 89.99');
  expect(() => make(of('100', '-10'))).toThrow('must be positive: -10.00');
  expect(() => make(of('30', '60').toReversed())).toThrow('Dates must increase');
  expect(() => make(of('30', '60'), { now: START + DAY })).toThrow('must not be past');
  // Earlier on the same day is not past.
  expect(make(of('30', '60'), { now: START + DAY / 2 })).toHaveLength(2);
});

test('a change names installments by their id, adds new ones at their date, and leaves the others', () => {
  const present = planOf(40); // the first is paid, and 10 of the second
  expect(shown(edit([{ id: 3, date: START + 9 * DAY }], { present }))).toEqual([
    [1, 0, 30, 0],
    [2, 1, 30, 20],
    [3, 9, 30, 30],
  ]);
  const added = [
    { date: START + 1.5 * DAY, amount: '5' },
    { id: 2, amount: '35' },
    { id: 3, amount: '20' },
  ];
  expect(shown(edit(added, { present }))).toEqual([
    [1, 0, 30, 0],
    [2, 1, 35, 25],
    [null, 1.5, 5, 5],
    [3, 2, 20, 20],
  ]);
});

test('a replacement keeps the ids that it names, what is paid, and nothing else', () => {
  const present = planOf(40);
  const list = [
    { id: 3, date: START + 3 * DAY, amount: '20' },
    { date: START + 5 * DAY, amount: '30' },
  ];
  expect(shown(edit(list, { present, mode: 'replace' }))).toEqual([
    [1, 0, 30, 0],
    [2, 1, 10, 0], // the paid part of one that is not named
    [3, 3, 20, 20],
    [null, 5, 30, 30],
  ]);
});

const wrong: [string, Partial<WantedInstallment>[], string, string][] = [
  ['an id of no installment', [{ id: 9 }], 'Installment was not found: 9', 'installments[0][id]'],
  ['an id twice', [{ id: 3 }, { id: 3 }], 'named twice', 'installments[1][id]'],
  ['another amount of a paid one', [{ id: 1, amount: '31' }], 'is paid and cannot be changed', 'installments[0][id]'],
  ['another date of a paid one', [{ id: 1, date: START + 5 }], 'is paid and cannot be changed', 'installments[0][id]'],
  ['less than is paid', [{ id: 2, amount: '10' }], 'more than the paid part of 10.00', 'installments[0][amount]'],
  ['a new one without a date', [{ amount: '5' }], 'needs a date', 'installments[0][date]'],
  ['a new one without an amount', [{ date: START }], 'needs an amount', 'installments[0][amount]'],
  ['a date of another one', [{ id: 3, date: START + DAY }], 'Dates must increase', 'installments[0][date]'],
  ['a past date', [{ id: 3, date: START - DAY }], 'must not be past', 'installments[0][date]'],
  ['one before a partly paid one', [{ id: 3, date: START + 1 }], 'is partly paid', 'installments[0][date]'],
  ['a wrong sum', [{ id: 3, amount: '40' }], 'balance of 50.00: they add up to 60.00', 'installments'],
];

test.each(wrong)('%s is refused, naming the parameter', (_what, list, message, param) => {
  const attempt = () => edit(list, { present: planOf(40) });
  expect(attempt).toThrow(message);
  expect(attempt).toThrow(expect.objectContaining({ param }));
});

test('a paid installment that is sent as it is, and a missed one with its old date, are accepted', () => {
  const present = planOf(40);
  const asIs = present.map(({ id, date, amount }) => ({ id, date, amount }));
  const now = START + 5 * DAY;
  for (const mode of ['replace', 'change'] as const) {
    expect(isUnchanged(edit(asIs, { present, mode, now }), present)).toBe(true);
    expect(edit([...asIs.slice(0, 2), { id: 3, date: now, amount: '30' }], { present, mode, now })).toHaveLength(3);
  }
  expect(areInstallments(asIs, present)).toBe(true);
  expect(
    areInstallments(
      asIs.map((one) => ({ ...one, id: null })),
      present,
    ),
  ).toBe(true);
  expect(
    areInstallments(
      asIs.map((one) => ({ ...one, id: one.id + 1 })),
      present,
    ),
  ).toBe(false);
});

test('after any change, payments fill the installments in their order, and the balances add up to what is owed', () => {
  const paid = fc.integer({ min: 0, max: 89 });
  const moved = fc.record({
    id: fc.integer({ min: 1, max: 3 }),
    days: fc.integer({ min: 0, max: 9 }),
    part: fc.integer({ min: 1, max: 2999 }),
  });
  let accepted = 0;
  fc.assert(
    fc.property(paid, moved, fc.constantFrom('change', 'replace'), (sum, { id, days, part }, mode) => {
      const present = planOf(sum);
      const rest = text(3000 - part);
      const list = [
        { id, date: START + days * DAY, amount: text(part) },
        { date: START + 20 * DAY, amount: rest },
      ];
      try {
        const edited = edit(list, { present, mode, ...(mode === 'replace' && { balance: text(9000 - sum * 100) }) });
        accepted += 1;
        const whole = edited.map((one) => ({ ...one, id: one.id ?? 0 }));
        expect(fillInstallments(whole, text(9000 - sum * 100))).toEqual(whole);
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'Refusal') throw error;
      }
    }),
    { seed: 20270202, numRuns: 500 },
  );
  expect(accepted).toBeGreaterThan(50);
});
