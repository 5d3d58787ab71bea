import { beforeEach, expect, test } from '@jest/globals';
import { createTurns, type Turns } from '../../workers/turns.ts';

/** One account has six places for clocks. */
const PLACES = 6;
const NOW = new Date('2027-03-01T12:00:00Z');

let called: number[];
let turns: Turns;
beforeEach(() => {
  called = [];
  turns = createTurns({ systemNow: () => NOW, call: async ({ id }) => void called.push(id) });
});

const clock = (id: number) => ({ process: 'clock' as const, accountId: 1, id });
const done = { did: [], wakeAt: null, next: null, more: false, call: null };

/** Takes places for the clocks with these ids. Returns a function that ends their work. */
function begin(ids: readonly number[]): () => Promise<unknown> {
  const open = Promise.withResolvers<void>();
  const works = ids.map((id) => turns.take(clock(id), () => open.promise.then(() => done)));
  return () => {
    open.resolve();
    return Promise.all(works);
  };
}

/** Ids from the first to the last. */
const idsFrom = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('without a free place a process waits, looks again after five minutes, and is called when a place is free', async () => {
  const end = begin(idsFrom(1, PLACES));
  const late = await turns.take(clock(7), async () => done);
  expect(late).toMatchObject({ next: 'its turn', wakeAt: NOW.getTime() + 300_000 });
  expect(turns.isWaiting(clock(7))).toBe(true);
  expect(called).toEqual([]);
  await end();
  expect(called).toEqual([7]);
  expect(turns.isWaiting(clock(7))).toBe(false);
});

test('running work learns that another process waits for a place', async () => {
  const wanted: boolean[] = [];
  const first = Promise.withResolvers<void>();
  const working = turns.take(clock(1), async (isWanted) => {
    wanted.push(isWanted());
    await first.promise;
    wanted.push(isWanted());
    return done;
  });
  const end = begin(idsFrom(2, PLACES));
  await turns.take(clock(7), async () => done);
  first.resolve();
  await Promise.all([working, end()]);
  expect(wanted).toEqual([false, true]);
});

test('an account is full when as many of its processes wait as it has places', async () => {
  const end = begin(idsFrom(1, PLACES));
  for (const id of idsFrom(7, 11)) await turns.take(clock(id), async () => done);
  expect(turns.full()).toEqual([]);
  await turns.take(clock(12), async () => done);
  expect(turns.full()).toEqual([{ accountId: 1, process: 'clock' }]);
  await end();
  expect(turns.full()).toEqual([]);
});
