import { expect, test } from '@jest/globals';
import { retrying } from '../../db/transaction.ts';

/** Runs work that fails `times` times with this code. Returns the number of runs and the result. */
async function ofFailing(times: number, code: string): Promise<[runs: number, result: string]> {
  let runs = 0;
  const work = async () => {
    runs += 1;
    if (runs <= times) throw Object.assign(new Error(`failed with ${code}`), { code });
    return 'done';
  };
  const result = await retrying(work).catch((error) => error.message);
  return [runs, result];
}

test('a transaction that lost to another is retried, at most five times; a refusal is not', async () => {
  expect(await ofFailing(2, '40P01')).toEqual([3, 'done']); // a deadlock
  expect(await ofFailing(4, '40001')).toEqual([5, 'done']);
  expect(await ofFailing(5, '40001')).toEqual([5, 'failed with 40001']);
  expect(await ofFailing(1, '23505')).toEqual([1, 'failed with 23505']);
});
