import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fullBucket, leased, leaseSizes, millisecondsUntil, refilled } from '../../billing/rateLimit.ts';

const limit = { perSecond: 100, burst: 200 };

test('a bucket fills at its rate, up to its size', () => {
  expect(refilled({ tokens: 0, at: 1000 }, limit, 1010)).toEqual({ tokens: 1, at: 1010 });
  expect(refilled({ tokens: 0, at: 1000 }, limit, 3000)).toEqual({ tokens: 200, at: 3000 });
  expect(refilled({ tokens: 0, at: 1000 }, limit, 90_000)).toEqual({ tokens: 200, at: 90_000 });
});

test('a clock that is behind neither takes nor adds tokens', () => {
  expect(refilled({ tokens: 7, at: 1000 }, limit, 400)).toEqual({ tokens: 7, at: 1000 });
});

test('a lease has whole tokens, at most those available', () => {
  const bucket = { tokens: 3.5, at: 1000 };
  const first = leased(bucket, limit, { wanted: 10, returned: 0, at: 1000 });
  expect(first).toEqual({ bucket: { tokens: 0.5, at: 1000 }, granted: 3 });
  expect(leased(first.bucket, limit, { wanted: 10, returned: 2, at: 1000 }).granted).toBe(2);
  expect(leased(fullBucket(limit, 0), limit, { wanted: 0, returned: 50, at: 0 }).bucket.tokens).toBe(200);
});

test('a limit tells when there will be a token again', () => {
  expect(millisecondsUntil({ tokens: 0.5, at: 0 }, limit, 1)).toBe(5);
  expect(millisecondsUntil({ tokens: 0, at: 0 }, { perSecond: 1, burst: 5 }, 5)).toBe(5000);
  expect(millisecondsUntil({ tokens: 2, at: 0 }, limit, 1)).toBe(0);
});

test("a lease is a small part of a second's tokens", () => {
  expect(leaseSizes(limit)).toEqual({ least: 4, most: 25 });
  expect(leaseSizes({ perSecond: 1, burst: 1 })).toEqual({ least: 1, most: 1 });
  expect(leaseSizes({ perSecond: 1000, burst: 3 })).toEqual({ least: 3, most: 3 });
});

const limits = fc.record({ perSecond: fc.integer({ min: 1, max: 5000 }), burst: fc.integer({ min: 1, max: 5000 }) });
const leases = fc.array(
  fc.record({
    wait: fc.integer({ min: -500, max: 5000 }),
    wanted: fc.integer({ min: 0, max: 6000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 60 },
);

test('leases and returns in any order use at most the burst and the refill', () => {
  fc.assert(
    fc.property(limits, leases, (one, wishes) => {
      let [bucket, at, unused, used] = [fullBucket(one, 0), 0, 0, 0];
      for (const { wait, wanted, share } of wishes) {
        at += wait;
        const returned = Math.floor(unused * share);
        used += unused - returned;
        const lease = leased(bucket, one, { wanted, returned, at });
        expect(lease.granted).toBeLessThanOrEqual(wanted);
        expect(lease.bucket.tokens).toBeGreaterThanOrEqual(0);
        expect(lease.bucket.tokens).toBeLessThanOrEqual(one.burst);
        [bucket, unused] = [lease.bucket, lease.granted];
        const runIn = (bucket.at * one.perSecond) / 1000;
        expect(used + unused).toBeLessThanOrEqual(one.burst + runIn + 1e-6);
      }
    }),
  );
});

test('a client that waits as told gets a token', () => {
  fc.assert(
    fc.property(limits, fc.double({ min: 0, max: 1, noNaN: true }), (one, share) => {
      const bucket = { tokens: one.burst * share, at: 1000 };
      const at = 1000 + millisecondsUntil(bucket, one, 1);
      expect(leased(bucket, one, { wanted: 1, returned: 0, at }).granted).toBe(1);
    }),
  );
});
