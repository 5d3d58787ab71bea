import { expect, test } from '@jest/globals';
import { createClockBells } from '../../workers/clockBells.ts';
import { until } from '../support/wait.ts';

const DAY_MILLISECONDS = 86_400_000;

test('closing ends the pauses of clocks, and a ring does not', async () => {
  const clocks = createClockBells();
  const ended: string[] = [];
  const pause = (name: string) => void clocks.pause(DAY_MILLISECONDS).then(() => ended.push(name));
  pause('one');
  pause('other');
  clocks.ring();
  await clocks.pause(1);
  expect(ended).toEqual([]);
  clocks.close();
  pause('after closing');
  await until(() => ended.length === 3, { what: 'the end of all pauses' });
});
