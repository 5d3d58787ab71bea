import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { KeptParts } from '../../api/framework/apiRequest.ts';
import { keptPart } from '../../api/reading/kept.ts';

/** Reads a part in at least so many milliseconds, and counts how often. */
function counted(milliseconds: number) {
  const kept: KeptParts = new Map();
  let count = 0;
  const ask = (seconds: number, name = 'a part', end = async () => {}) =>
    keptPart(kept, { name, now: new Date(seconds * 1000) }, async () => {
      count += 1;
      await pause(milliseconds);
      await end();
      return () => ({});
    }).then(({ asOf }) => asOf.getTime() / 1000);
  return { ask, kept, count: () => count };
}

test('a part that takes long is read once for requests at the same time and for a minute, each name by itself', async () => {
  const { ask, count, kept } = counted(60);
  expect(await Promise.all([ask(0), ask(1), ask(2, 'another')])).toEqual([0, 0, 2]);
  expect([await ask(59), count()]).toEqual([0, 2]);
  expect([await ask(60), count()]).toEqual([60, 3]);
  await ask(200);
  expect(kept.size).toBe(1);
});

test('a failure is not kept, unless the database gave up', async () => {
  const { ask, count } = counted(60);
  const failing = (code: string) => async () => {
    throw Object.assign(new Error('no'), { code });
  };
  await expect(ask(0, 'lost', failing('08006'))).rejects.toThrow('no');
  expect([await ask(1, 'lost'), count()]).toEqual([1, 2]);
  await expect(ask(2, 'slow', failing('57014'))).rejects.toThrow('no');
  await expect(ask(3, 'slow')).rejects.toThrow('no');
  expect(count()).toBe(3);
});
