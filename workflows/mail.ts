import { proxyActivities } from '@temporalio/workflow';
import { alarmClock } from './alarmClock.ts';
import { poolOf } from './pools.ts';
import type { Activities, ProcessInput } from './process.ts';

/** Sends an account's queued mail; its rows own attempts and schedule. */
export async function mail(input: ProcessInput): Promise<void> {
  const { pumpMail } = proxyActivities<Activities>({
    taskQueue: poolOf('delivery'),
    startToCloseTimeout: '2m',
    heartbeatTimeout: '15s',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
  });
  await alarmClock(input, () => pumpMail(input));
}
