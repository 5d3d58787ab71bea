import { proxyActivities } from '@temporalio/workflow';
import { alarmClock } from './alarmClock.ts';
import { poolOf } from './pools.ts';
import type { Activities, ProcessInput } from './process.ts';
import { UNTIL_SERVED } from './retry.ts';

/** Moves a test clock from wake-up to wake-up of its customers up to its target; its row owns where it is and where it goes. */
export async function clock(input: ProcessInput): Promise<void> {
  const { advanceClock } = proxyActivities<Activities>({
    taskQueue: poolOf('clock'),
    startToCloseTimeout: '1h',
    heartbeatTimeout: '10s',
    retry: UNTIL_SERVED,
  });
  await alarmClock(input, () => advanceClock(input));
}
