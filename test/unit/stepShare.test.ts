import { expect, test } from '@jest/globals';
import { createStepShare } from '../../workers/stepShare.ts';
import type { CrowdedAccount } from '../../workers/turns.ts';

/** Starts `count` steps of an account. Returns a function that ends them. */
function begin(share: ReturnType<typeof createStepShare>, accountId: number, count: number): () => Promise<unknown> {
  const open = Promise.withResolvers<void>();
  const steps = Array.from({ length: count }, () => share.run(accountId, () => open.promise));
  return () => {
    open.resolve();
    return Promise.all(steps);
  };
}

test('while others work, an account with 16 steps at work gets no wakes, and the rest at most 4 a batch', async () => {
  const share = createStepShare();
  const [endMany, endFew] = [begin(share, 1, 16), begin(share, 2, 15)];
  expect(share.wakes()).toEqual({ most: 4, except: [1], crowded: [] });
  await Promise.all([endMany(), endFew()]);
  expect(share.wakes()).toEqual({ most: 4, except: [], crowded: [] });
});

test('an account that is alone has no limit', async () => {
  const share = createStepShare();
  expect(share.wakes()).toEqual({ most: null, except: [], crowded: [] });
  const end = begin(share, 1, 60);
  expect(share.wakes()).toEqual({ most: null, except: [], crowded: [] });
  await end();
});

test('an account that only wakes processes counts as having work, and the accounts without a free place are passed on', async () => {
  const crowded: CrowdedAccount[] = [{ accountId: 1, process: 'webhook' }];
  const share = createStepShare({ crowded: () => crowded });
  const end = begin(share, 2, 1);
  expect(share.wakes()).toEqual({ most: null, except: [], crowded });
  share.woke(1);
  expect(share.wakes()).toEqual({ most: 4, except: [], crowded });
  await end();
});

test('an account that rests gets no wakes', async () => {
  const resting: number[] = [];
  const share = createStepShare({ resting: () => resting });
  const end = [begin(share, 1, 16), begin(share, 2, 1)];
  resting.push(1, 3);
  expect(share.wakes()).toEqual({ most: 4, except: [1, 3], crowded: [] });
  await Promise.all(end.map((finish) => finish()));
  expect(share.wakes()).toEqual({ most: 4, except: [1, 3], crowded: [] });
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
