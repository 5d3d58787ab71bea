import { expect, test } from '@jest/globals';
import { medianOf, type Pair, ratioOf } from '../../bench/pairs/ratios.ts';
import type { StagedRow } from '../../bench/pairs/stagedRows.ts';
import type { Compared } from '../../bench/pairs/table.ts';
import { DEFAULT_PAIRS, DEFAULT_STARTS, readWanted } from '../../bench/pairs/wanted.ts';
import { addStart, alternating, measureRows } from '../../bench/pairs.ts';

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

/** The order in which two versions are used in `count` rounds, numbered from `first`. */
async function orderOf(rounds: { first?: number; count: number }): Promise<string> {
  const order: string[] = [];
  await alternating(rounds, { ours: 'A', theirs: 'B' }, async (version) => order.push(version));
  return order.join('');
}

test('in every second round the other version is first, and each figure belongs to its own version', async () => {
  let used = 0;
  const numbered = async (version: string) => `${version}${++used}`;
  expect(await alternating({ count: 3 }, { ours: 'A', theirs: 'B' }, numbered)).toEqual([
    { ours: 'A1', theirs: 'B2' },
    { ours: 'A4', theirs: 'B3' },
    { ours: 'A5', theirs: 'B6' },
  ]);
});

test('each version is prepared and measured first in every second start', async () => {
  const added: string[] = [];
  const add = (what: string, pairs: Pair[]) => void added.push(`${what}: ${pairs.length}`);
  const orderOfStart = async (start: number) => {
    const order: string[] = [];
    const row: StagedRow<string> = {
      name: 'row',
      what: 'A row',
      prepare: async (version) => order.push(`prepare ${version}`),
      measure: async (version) => order.push(version),
    };
    const rows = [row, { ...row, name: 'unwanted' }];
    await measureRows(rows, { ours: 'A', theirs: 'B' }, { start, wanted: { rows: ['row'], pairs: 1 }, add });
    return { first: order.slice(0, 4), last: order.slice(-4) };
  };
  expect([await orderOfStart(0), await orderOfStart(1)]).toEqual([
    { first: ['prepare A', 'prepare B', 'A', 'B'], last: ['A', 'B', 'prepare A', 'prepare B'] },
    { first: ['prepare B', 'prepare A', 'B', 'A'], last: ['B', 'A', 'prepare B', 'prepare A'] },
  ]);
  expect(added).toEqual(['A row: 1', 'A row: 1']);
});

test('in the pairs of a default start, both versions are first equally often', async () => {
  const order = await orderOf({ count: DEFAULT_PAIRS });
  expect(order.match(/../g)?.filter((round) => round === 'AB')).toHaveLength(DEFAULT_PAIRS / 2);
});

test('each start of a row is kept by itself, so that the interval knows which pairs belong together', () => {
  const compared: Compared[] = [];
  addStart(compared, 'charges', [{ ours: 1, theirs: 1 }]);
  addStart(compared, 'lists', [{ ours: 2, theirs: 1 }]);
  addStart(compared, 'charges', [{ ours: 3, theirs: 1 }]);
  expect(compared).toEqual([
    { what: 'charges', starts: [[{ ours: 1, theirs: 1 }], [{ ours: 3, theirs: 1 }]] },
    { what: 'lists', starts: [[{ ours: 2, theirs: 1 }]] },
  ]);
});

test('the command line names a folder, rows and counts; without rows it means all', () => {
  const known = ['lists', 'charges'];
  const standard = { folder: '../other', rows: known, starts: DEFAULT_STARTS, pairs: DEFAULT_PAIRS };
  expect(readWanted(['../other'], known)).toEqual(standard);
  expect(readWanted(['../other', 'charges', '--pairs', '2', '--starts', '3'], known)).toEqual({
    folder: '../other',
    rows: ['charges'],
    starts: 3,
    pairs: 2,
  });
});

test.each([
  { args: [], why: 'no folder' },
  { args: ['../other', 'chargse'], why: 'an unknown row' },
  { args: ['../other', '--pairs'], why: 'an option without its number' },
  { args: ['../other', '--pairs', '0'], why: 'no pair' },
  { args: ['../other', '--starts', '1.5'], why: 'half a start' },
  { args: ['../other', '--start', '2'], why: 'an unknown option' },
])('the command line is not understood: $why', ({ args }) => {
  expect(readWanted(args, ['lists', 'charges'])).toBeNull();
});
