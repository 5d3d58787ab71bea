import { expect, test } from '@jest/globals';
import { pauseOf } from '../../workers/clockPause.ts';

const NOTHING = { wakes: 0, due: 0, attempts: 0, emails: 0 };

/** Work that all looks at a clock read while the worker takes this many steps a second, for each step. */
function readForEach(steps: number, perSecond: number): number {
  let read = 0;
  for (let left = steps; left > 0; ) {
    read += left;
    left -= Math.max(1, (perSecond * pauseOf({ ...NOTHING, due: left })) / 1000);
  }
  return read / steps;
}

test.each([15, 50, 200])(
  'at %i steps a second, a clock reads as much for each of 2,000 steps as of 200',
  (perSecond) => {
    expect(readForEach(2000, perSecond)).toBeLessThan(1.5 * readForEach(200, perSecond));
  },
);

test('a clock looks at once when nothing is left, soon when little is, and never rests for more than four seconds', () => {
  const left = [0, 1, 20, 100, 1000, 1_000_000];
  expect(left.map((due) => pauseOf({ ...NOTHING, due }))).toEqual([0, 10, 200, 250, 2000, 4000]);
});

test('every kind of work counts', () => {
  expect(pauseOf({ wakes: 100, due: 200, attempts: 300, emails: 400 })).toBe(2000);
});
