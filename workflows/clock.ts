import { proxyActivities } from '@temporalio/workflow';
import { alarmClock } from './alarmClock.ts';
import { poolOf } from './pools.ts';
import { type Activities, idsOf, type ProcessInput } from './process.ts';
import { UNTIL_SERVED } from './retry.ts';
import { summary } from './summary.ts';

/** Moves a test clock to its target, from wake-up to wake-up of its customers. The clock's row holds its time and its target. */
export async function clock(input: ProcessInput): Promise<void> {
  const rounds = (about: string) =>
    proxyActivities<Activities>({
      taskQueue: poolOf('clock'),
      startToCloseTimeout: '1h',
      heartbeatTimeout: '10s',
      retry: UNTIL_SERVED,
      summary: summary(`${about}: advance`),
    });
  await alarmClock(input, (about) => rounds(about).advanceClock(idsOf(input)));
}
