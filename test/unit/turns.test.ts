import { beforeEach, expect, test } from '@jest/globals';
import { createTurns, type Turns } from '../../workers/turns.ts';

/** One account has six places for clocks. */
const PLACES = 6;
const NOW = new Date('2027-03-01T12:00:00Z');

let called: number[];
let queued: number[];
let isDatabaseThere: boolean;
let limiter: Turns;
beforeEach(() => {
  [called, queued, isDatabaseThere] = [[], [], true];
  limiter = createTurns({
    systemNow: () => NOW,
    call: async ({ id }) => {
      if (!isDatabaseThere) throw new Error('no database');
      called.push(id);
    },
    queue: async ({ id }) => void queued.push(id),
  });
});

const clock = (id: number) => ({ process: 'clock' as const, accountId: 1, id });
const done = { did: [], wakeAt: null, next: null, more: false, call: null };

/** Takes places for the clocks with these ids. Returns a function that ends their work. */
function begin(ids: readonly number[]): () => Promise<unknown> {
  const open = Promise.withResolvers<void>();
  const works = ids.map((id) => limiter.take(clock(id), () => open.promise.then(() => done)));
  return () => {
    open.resolve();
    return Promise.all(works);
  };
}

/** Ids from the first to the last. */
const idsFrom = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('without a free place a process waits, looks again after ten seconds, and is called when a place is free', async () => {
  const end = begin(idsFrom(1, PLACES));
  const late = await limiter.take(clock(7), async () => done);
  expect(late).toMatchObject({ next: 'its turn', wakeAt: NOW.getTime() + 10_000 });
  expect(limiter.isWaiting(clock(7))).toBe(true);
  expect(called).toEqual([]);
  await end();
  expect(called).toEqual([7]);
  expect(limiter.isWaiting(clock(7))).toBe(false);
});

test('running work learns that another process waits for a place', async () => {
  const wanted: boolean[] = [];
  const first = Promise.withResolvers<void>();
  const working = limiter.take(clock(1), async (isWanted) => {
    wanted.push(isWanted());
    await first.promise;
    wanted.push(isWanted());
    return done;
  });
  const end = begin(idsFrom(2, PLACES));
  await limiter.take(clock(7), async () => done);
  first.resolve();
  await Promise.all([working, end()]);
  expect(wanted).toEqual([false, true]);
});

test('an account is crowded when as many of its processes wait as it has places; further ones wait in the outbox', async () => {
  const end = begin(idsFrom(1, PLACES));
  for (const id of idsFrom(7, 11)) await limiter.take(clock(id), async () => done);
  expect(limiter.crowded()).toEqual([]);
  await limiter.take(clock(12), async () => done);
  expect(limiter.crowded()).toEqual([{ accountId: 1, process: 'clock' }]);
  for (const id of [13, 12]) await limiter.take(clock(id), async () => done);
  expect([queued, limiter.isWaiting(clock(13))]).toEqual([[13], false]); // 12 waits already
  await end();
  expect(limiter.crowded()).toEqual([]);
});

test('a process that could not be called is called with the next free place', async () => {
  const first = begin([1]);
  const others = begin(idsFrom(2, PLACES));
  await limiter.take(clock(7), async () => done);
  isDatabaseThere = false;
  await first();
  await Promise.resolve();
  expect([called, limiter.isWaiting(clock(7))]).toEqual([[], true]);
  isDatabaseThere = true;
  await others();
  expect(called).toEqual([7]);
});

test('when a worker ends, its waiting processes are enqueued for other workers', async () => {
  const end = begin(idsFrom(1, PLACES));
  for (const id of [7, 8]) await limiter.take(clock(id), async () => done);
  await limiter.close();
  expect(queued).toEqual([7, 8]);
  await end();
});
