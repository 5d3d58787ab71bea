import { expect, test } from '@jest/globals';
import type { ClockWork } from '../../db/queries/clocks/clocks.ts';
import { progressOf } from '../../workers/clockProgress.ts';

const at = (day: string) => new Date(`2027-02-${day}T00:00:00Z`);
const work: ClockWork = {
  advance: 1,
  frozenAt: at('01'),
  targetAt: at('28'),
  nextAt: null,
  wakes: 0,
  due: 1,
  attempts: 0,
  emails: 0,
  texts: 0,
  problem: null,
  lastStep: 7,
};

/** For each look, whether it counts as progress. */
const looks = (...seen: Partial<ClockWork>[]) => {
  const isProgress = progressOf();
  return seen.map((change) => isProgress({ ...work, ...change }));
};

test("re-sent wake-ups don't count as progress, however often the relay takes them", () => {
  expect(looks({}, { wakes: 1 }, {}, { wakes: 1 }, {})).toEqual([true, false, false, false, false]);
});

test('a relay that works through the sent wake-ups counts as progress', () => {
  expect(looks({ wakes: 3 }, { wakes: 2 }, { wakes: 2 }, { wakes: 0 })).toEqual([true, true, false, true]);
});

test('a step, an answer of the gateway, a mail or another time counts as progress', () => {
  expect(looks({}, { due: 0 }, { lastStep: 8 }, { attempts: 1 }, { emails: 1 }, { frozenAt: at('02') })).toEqual(
    Array.from({ length: 6 }, () => true),
  );
});
