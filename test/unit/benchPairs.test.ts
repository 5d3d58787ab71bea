import { expect, test } from '@jest/globals';
import { medianOf, ratioOf } from '../../bench/pairs/ratios.ts';
import { alternating } from '../../bench/pairs.ts';

test('a machine that becomes slower changes no ratio of a pair', () => {
  const speeds = [1, 1, 2, 4, 4];
  const pairs = speeds.map((speed) => ({ ours: 21 * speed, theirs: 20 * speed }));
  expect(ratioOf([pairs])).toEqual({ median: 21 / 20, low: 21 / 20, high: 21 / 20 });
});

test('one pair that was disturbed does not move the median, and widens the interval', () => {
  const pairs = [1.0, 1.01, 0.99, 1.02, 3.0].map((ours) => ({ ours, theirs: 1 }));
  const { median, low, high } = ratioOf([pairs]);
  expect(median).toBe(1.01);
  expect([low, high]).toEqual([0.99, 3.0]);
});

test('starts that differ widen the interval, however many pairs each has', () => {
  const start = (ratio: number) => Array.from({ length: 50 }, () => ({ ours: ratio, theirs: 1 }));
  expect(ratioOf([start(1), start(1.1), start(1.1)])).toEqual({ median: 1.1, low: 1, high: 1.1 });
  expect(ratioOf([[...start(1), ...start(1.1), ...start(1.1)]])).toEqual({ median: 1.1, low: 1.1, high: 1.1 });
});

test('an even number of values has the mean of the two middle ones as its median; none have no median', () => {
  expect(medianOf([4, 1, 3, 2])).toBe(2.5);
  expect(() => medianOf([])).toThrow('no values have no median');
});

test('each version is first in every second pair', async () => {
  const order: string[] = [];
  const measured = await alternating(3, { ours: 'ours', theirs: 'theirs' }, async (version) => order.push(version));
  expect(order).toEqual(['ours', 'theirs', 'theirs', 'ours', 'ours', 'theirs']);
  expect(measured).toEqual([
    { ours: 1, theirs: 2 },
    { ours: 4, theirs: 3 },
    { ours: 5, theirs: 6 },
  ]);
});
