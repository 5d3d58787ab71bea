import { expect, test } from '@jest/globals';
import { type Bucket, bucketsOf } from '../../billing/reports/aging.ts';
import { countbackDso, effectiveness, simpleDso } from '../../billing/reports/collecting.ts';

test.each([
  { receivables: '300', sales: '900', days: 30, dso: '10' }, // 300 / 900 x 30
  { receivables: '100', sales: '300', days: 91, dso: '30.33' }, // 30.333…
  { receivables: '0', sales: '300', days: 91, dso: '0' },
  { receivables: '10', sales: '0', days: 30, dso: null },
])('$receivables open of $sales in $days days are $dso days', ({ dso, ...of }) => {
  expect(simpleDso(of)).toBe(dso);
});

test.each([
  // March 31 days, February 29: 500 = 400 + 100 of 200: 31 + 14.5
  {
    open: '500',
    months: [
      ['400', 31],
      ['200', 29],
      ['900', 31],
    ],
    days: '45.5',
  },
  // A month without sales counts in full.
  {
    open: '500',
    months: [
      ['400', 31],
      ['0', 29],
      ['200', 31],
    ],
    days: '75.5',
  },
  {
    open: '400',
    months: [
      ['400', 31],
      ['200', 29],
    ],
    days: '31',
  },
  {
    open: '700',
    months: [
      ['400', 31],
      ['200', 29],
    ],
    days: null,
  },
] as const)('$open are the sales of the last $days days', ({ open, months, days }) => {
  const latestFirst = months.map(([sales, of]) => ({ sales, days: of }));
  expect(countbackDso(open, latestFirst)).toBe(days);
});

test.each([
  // (100 + 900 - 250) / (100 + 900 - 200) = 750 / 800
  { opening: '100', invoiced: '900', closing: '250', notDue: '200', share: '0.9375' },
  { opening: '0', invoiced: '200', closing: '200', notDue: '200', share: null },
])('the effectiveness is $share', ({ share, ...of }) => {
  expect(effectiveness(of)).toBe(share);
});

const isIn = ({ from, to }: Bucket, age: number): boolean =>
  (from === null || age >= from) && (to === null || age <= to);

test('each age is in one bucket, by due date and by date, whatever the bounds', () => {
  for (const by of ['due_date', 'date'] as const)
    for (const bounds of [[30, 60, 90, 120], [1], [7, 8, 400]]) {
      const buckets = bucketsOf(bounds, by);
      for (let age = -500; age <= 500; age++)
        expect([by, bounds, age, buckets.filter((bucket) => isIn(bucket, age)).length]).toEqual([by, bounds, age, 1]);
    }
});
