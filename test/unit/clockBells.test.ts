import { expect, test } from '@jest/globals';
import { createClockBells } from '../../workers/clockBells.ts';
import { until } from '../support/wait.ts';

const DAY_MILLISECONDS = 86_400_000;

test('closing, or its own signal, ends the pause of a clock, and a ring does not', async () => {
  const clocks = createClockBells();
  const ended: string[] = [];
  const { signal } = new AbortController();
  const pause = (name: string) => void clocks.pause(DAY_MILLISECONDS, signal).then(() => ended.push(name));
  pause('one');
  pause('other');
  clocks.ring();
  await clocks.pause(1, signal);
  await clocks.pause(DAY_MILLISECONDS, AbortSignal.abort());
  expect(ended).toEqual([]);
  clocks.close();
  pause('after closing');
  await until(() => ended.length === 3, { what: 'the end of all pauses' });
});
