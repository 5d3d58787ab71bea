import { beforeEach, expect, test } from '@jest/globals';
import { type ConcurrencyLimit, createConcurrencyLimit } from '../../db/fairness/concurrencyLimit.ts';

/** Two accounts on a machine. The test sets its clock and load. */
let now = 0;
let load = 1;
let concurrencyLimit: ConcurrencyLimit<string>;
beforeEach(() => {
  [now, load] = [0, 1];
  concurrencyLimit = createConcurrencyLimit<string>({ load: () => load, processors: 2, elapsed: () => now });
});

/** In each step of 50 ms, each account uses the wanted number of connections, if allowed. Returns the average number of each account. */
function work(milliseconds: number, wanted: Record<string, number>): Record<string, number> {
  const had = Object.fromEntries(Object.keys(wanted).map((who) => [who, 0]));
  for (const end = now + milliseconds; now < end; now += 50) {
    for (const [who, connections] of Object.entries(wanted)) {
      concurrencyLimit.ask(who);
      if (concurrencyLimit.rest(who) > 0) continue;
      concurrencyLimit.used(who, 50 * connections);
      had[who] = (had[who] ?? 0) + connections * (50 / milliseconds);
    }
  }
  return had;
}

test('on a busy machine the account that uses most comes down to what the other one uses, which never rests', () => {
  work(10_000, { greedy: 4, modest: 0.2 });
  const had = work(10_000, { greedy: 4, modest: 0.2 });
  expect(had.modest).toBeCloseTo(0.2);
  expect(had.greedy).toBeLessThan(0.4);
});

test('bursts of an account that uses little over ten seconds do not rest, whatever the greedy one uses at that moment', () => {
  const bursts = () => {
    let rests = 0;
    for (let second = 0; second < 30; second++) {
      concurrencyLimit.ask('modest');
      concurrencyLimit.used('modest', second % 3 === 0 ? 450 : 0); // 0.15 connections on average, 0.45 in the second of the burst
      rests += Number(concurrencyLimit.rest('modest') > 0);
      work(1000, { greedy: 4 });
    }
    return rests;
  };
  work(10_000, { greedy: 4, modest: 0.1 });
  expect(bursts()).toBe(0);
});

test('an account that uses less than all strangers together never rests', () => {
  const { modest } = work(30_000, { strangers: 0.6, modest: 0.3 });
  expect(modest).toBeCloseTo(0.3);
});

test('nobody rests while something else keeps the machine busy: all of them together use less than a quarter of a connection for each processor', () => {
  const { one, other } = work(30_000, { one: 0.4, other: 0.05 });
  expect(one).toBeCloseTo(0.4);
  expect(other).toBeCloseTo(0.05);
});

test('an account that is alone never rests', () => {
  expect(work(10_000, { greedy: 4 }).greedy).toBeCloseTo(4);
});

test('on a machine with room nobody rests for long: the limit rises to a connection for each processor', () => {
  work(5000, { greedy: 4, modest: 0.2 });
  load = 0.5;
  work(60_000, { greedy: 0.9, modest: 0.2 });
  expect(work(10_000, { greedy: 0.9, modest: 0.2 }).greedy).toBeCloseTo(0.9);
});

test('an account that uses a fifth more than another does not rest, and one that wants double uses a third more at most', () => {
  const ratio = (wanted: number) => {
    work(30_000, { one: wanted, two: 1, modest: 0.1 });
    const { one = 0, two = 0, modest } = work(30_000, { one: wanted, two: 1, modest: 0.1 });
    expect(modest).toBeCloseTo(0.1);
    expect(two).toBeCloseTo(1);
    return one / two;
  };
  expect(ratio(1.2)).toBeCloseTo(1.2);
  expect(ratio(2)).toBeLessThan(1.34);
});

test('a rest is at most half a second', () => {
  work(10_000, { greedy: 1, modest: 0.1 });
  concurrencyLimit.used('greedy', 60_000);
  expect(concurrencyLimit.rest('greedy')).toBe(500);
});

test('the accounts that rest are known', () => {
  work(10_000, { greedy: 1, modest: 0.1 });
  concurrencyLimit.used('greedy', 5000);
  expect(concurrencyLimit.resting()).toEqual(['greedy']);
});
