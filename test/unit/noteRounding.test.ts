import { describe, expect, test } from '@jest/globals';
import { roundingOf } from '../../billing/payments/creditCeiling.ts';
import {
  against,
  documentOf,
  expectWhole,
  issued,
  lineOf,
  rate,
  stored,
  sumOf,
  taxes,
  times,
  totals,
} from '../support/noteDocuments.ts';
import { Rational } from '../support/rational.ts';

/** Credit notes that divide an invoice. */

describe.each([false, true])('examples, with inclusive rates: %s', (inclusive) => {
  const vat = { taxes: [rate(1, 20, inclusive)] };
  const named = [68.33, 68.33, 57.5, 85].map((price, index) => lineOf('1', String(price), { name: `Line ${index}` }));

  test('a credit note for each of four lines at 20 %', () => {
    const invoice = stored(documentOf(named, vat));
    const notes = issued(
      invoice,
      named.map((line) => documentOf([line], vat)),
    );
    // exclusive: 13.666, 27.332, 38.832, 55.832; inclusive (a sixth): 11.388, 22.777, 32.36, 46.527
    expect(taxes(notes)).toEqual(
      inclusive ? ['11.39', '11.39', '9.58', '14.17'] : ['13.67', '13.66', '11.50', '17.00'],
    );
    expectWhole(invoice, notes);
  });

  test('two halves of each line', () => {
    const invoice = stored(documentOf(named, vat));
    const halves = named.map((line) => ({ ...line, quantity: '0.5' }));
    const notes = issued(invoice, times(2, documentOf(halves, vat)));
    // 34.17 + 34.17 + 28.75 + 42.50, then 34.16 + 34.16 + 28.75 + 42.50
    expect(notes.map(({ lines }) => lines.map(({ amount }) => amount))).toEqual([
      ['34.17', '34.17', '28.75', '42.50'],
      ['34.16', '34.16', '28.75', '42.50'],
    ]);
    expectWhole(invoice, notes);
  });

  test.each([
    ['ten of 0.13', '10', '0.13', '1', 10, 20],
    ['ten tenths of 0.13', '1', '0.13', '0.1', 10, 20],
    ['two halves of 0.13', '1', '0.13', '0.5', 2, 20],
    ['three of 0.33 at 7.5 %', '3', '0.33', '1', 3, 7.5],
  ])('%s', (_, quantity, unitCost, part, count, value) => {
    const tax = { taxes: [rate(1, value, inclusive)] };
    const invoice = stored(documentOf([lineOf(quantity, unitCost)], tax));
    expectWhole(invoice, issued(invoice, times(count, documentOf([lineOf(part, unitCost)], tax))));
  });

  test('nine of ten lines of 0.13 were credited before the rule, with too much tax', () => {
    const invoice = stored(documentOf([lineOf('10', '0.13')], vat));
    const notes = issued(
      invoice,
      times(10, documentOf([lineOf('1', '0.13')], vat)),
      new Set([0, 1, 2, 3, 4, 5, 6, 7, 8]),
    );
    // exclusive: nine of 0.16 leave 0.12 of 1.56, all of it without tax: 9 x 0.03 exceeds 0.26
    expect(totals(notes).at(-1)).toBe(inclusive ? '0.13' : '0.12');
    expect(sumOf(totals(notes)).compare(Rational.of(invoice.total))).toBe(0);
  });
});

test('the discount for early payment counts as its part of every rate', () => {
  const taxed = { taxes: [rate(1, 19)] };
  const invoice = stored(documentOf([lineOf('1', '33.33', { name: 'x' })], taxed));
  const early = { ...stored(documentOf([lineOf('1', '0.67', { name: 'Early' })], taxed)), isEarlyDiscount: true };
  const rest = documentOf([lineOf('1', '32.66', { name: 'x' })], taxed);
  // 19 % of 33.33 is 6.33; 0.13 of it was credited with the discount
  const note = stored(rest, roundingOf(rest, against(invoice, [early])));
  expect([invoice.taxTotal, early.taxTotal, note.taxTotal]).toEqual(['6.33', '0.13', '6.20']);
});

test('the discount for early payment of several rates has its taxes on lines, each of which counts for its rate', () => {
  const lines = [
    lineOf('1', '33.33', { name: 'a', taxes: [rate(1, 19)] }),
    lineOf('1', '77.77', { name: 'b', taxes: [rate(2, 7)] }),
  ];
  const invoice = stored(documentOf(lines));
  expect(invoice.taxTotal).toBe('11.77'); // 6.33 + 5.44
  // 2 %: 0.67 + 0.13 and 1.56 + 0.11
  const early = {
    ...stored(
      documentOf([
        lineOf('1', '0.67', { name: 'Early', taxes: [rate(1, 19)] }),
        lineOf('1', '1.56', { name: 'Early', taxes: [rate(2, 7)] }),
      ]),
    ),
    isEarlyDiscount: true,
  };
  const rest = documentOf(
    [
      { ...lineOf('1', '32.66', { name: 'a' }), taxable: true },
      lineOf('1', '76.21', { name: 'b', taxable: false, taxes: [rate(2, 7)] }),
    ],
    { taxes: [rate(1, 19)] },
  );
  // 6.33 - 0.13 and 5.44 - 0.11, one of them as a tax of the document
  const note = stored(rest, roundingOf(rest, against(invoice, [early])));
  expect([
    note.taxes.map(({ amount }) => amount),
    note.lines.map((line) => line.taxes.map(({ amount }) => amount)),
  ]).toEqual([['6.20'], [[], ['5.33']]]);
  expectWhole(invoice, [early, note]);
});
