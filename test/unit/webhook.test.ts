import { expect, test } from '@jest/globals';
import { isSuccess, judgeFailure } from '../../billing/webhook.ts';

const failed = { statusCode: 500, retryAfterSeconds: null, chance: 0.5 }; // the middle of the jitter
const waits = (over: object = {}) =>
  Array.from({ length: 10 }, (_, index) => judgeFailure({ ...failed, attempts: index + 1, ...over }));

test('an event has ten attempts over more than 75 hours: 5 s, 5 min, 30 min, 2, 5, 10, 14, 20, 24 h', () => {
  const verdicts = waits();
  const seconds = verdicts.flatMap((verdict) => (verdict.kind === 'retry' ? [verdict.waitMilliseconds / 1000] : []));
  expect(seconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  expect(seconds.reduce((sum, wait) => sum + wait, 0) / 3600).toBeGreaterThan(75); // 75.6 h
  expect(verdicts.at(-1)).toEqual({ kind: 'failed' });
});

test('jitter is at most a tenth either way', () => {
  expect(judgeFailure({ ...failed, attempts: 2, chance: 0 })).toEqual({ kind: 'retry', waitMilliseconds: 270_000 });
  expect(judgeFailure({ ...failed, attempts: 2, chance: 1 })).toEqual({ kind: 'retry', waitMilliseconds: 330_000 });
});

test('Retry-After is honoured up to a day', () => {
  const asked = (retryAfterSeconds: number) => judgeFailure({ ...failed, attempts: 1, retryAfterSeconds });
  expect(asked(120)).toEqual({ kind: 'retry', waitMilliseconds: 120_000 });
  expect(asked(900_000_000)).toEqual({ kind: 'retry', waitMilliseconds: 86_400_000 });
});

test('any 2xx is a success, 410 is gone, a redirect or silence is a failure', () => {
  const success = [199, 200, 204, 299, 300, null].map(isSuccess);
  expect(success).toEqual([false, true, true, true, false, false]);
  const kind = (statusCode: number | null) => judgeFailure({ ...failed, attempts: 1, statusCode }).kind;
  expect([410, 302, 404, null].map(kind)).toEqual(['gone', 'retry', 'retry', 'retry']);
});
