import { proxyActivities } from '@temporalio/workflow';
import { alarmClock } from './alarmClock.ts';
import { poolOf } from './pools.ts';
import type { Activities, ProcessInput } from './process.ts';
import { UNTIL_SERVED } from './retry.ts';

/** Sends an account's queued mail; its rows own attempts and schedule. */
export async function mail(input: ProcessInput): Promise<void> {
  const { pumpMail } = proxyActivities<Activities>({
    taskQueue: poolOf('delivery'),
    startToCloseTimeout: '2m',
    heartbeatTimeout: '15s',
    retry: UNTIL_SERVED,
  });
  await alarmClock(input, () => pumpMail(input));
}
