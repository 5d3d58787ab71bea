import { expect, test } from '@jest/globals';
import { createStepShare } from '../../workers/stepShare.ts';

/** Starts `count` steps of an account. Returns a function that ends them. */
function begin(share: ReturnType<typeof createStepShare>, accountId: number, count: number): () => Promise<unknown> {
  const open = Promise.withResolvers<void>();
  const steps = Array.from({ length: count }, () => share.run(accountId, () => open.promise));
  return () => {
    open.resolve();
    return Promise.all(steps);
  };
}

test('while others work, an account with 16 steps at work gets no wakes, and the rest at most 16 a batch', async () => {
  const share = createStepShare();
  const [endMany, endFew] = [begin(share, 1, 16), begin(share, 2, 15)];
  expect(share.wakes()).toEqual({ most: 16, except: [1] });
  await Promise.all([endMany(), endFew()]);
  expect(share.wakes()).toEqual({ most: 16, except: [] });
});

test('an account that is alone has no limit', async () => {
  const share = createStepShare();
  expect(share.wakes()).toEqual({ most: null, except: [] });
  const end = begin(share, 1, 60);
  expect(share.wakes()).toEqual({ most: null, except: [] });
  await end();
});

test('a step that fails gives its place back', async () => {
  const share = createStepShare();
  const endFew = begin(share, 2, 1);
  const failing = Array.from({ length: 16 }, () => share.run(1, () => Promise.reject(new Error('no'))));
  expect(share.wakes().except).toEqual([1]);
  await Promise.allSettled(failing);
  expect(share.wakes().except).toEqual([]);
  await endFew();
});
