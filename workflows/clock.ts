import { proxyActivities } from '@temporalio/workflow';
import { alarmClock } from './alarmClock.ts';
import { poolOf } from './pools.ts';
import type { Activities, ProcessInput } from './process.ts';

/** Moves a test clock from wake-up to wake-up of its customers up to its target; its row owns where it is and where it goes. */
export async function clock(input: ProcessInput): Promise<void> {
  const { advanceClock } = proxyActivities<Activities>({
    taskQueue: poolOf('clock'),
    startToCloseTimeout: '1h',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', maximumInterval: '10s' },
  });
  await alarmClock(input, () => advanceClock(input));
}
