import { proxyActivities } from '@temporalio/workflow';
import { alarmClock } from './alarmClock.ts';
import { poolOf } from './pools.ts';
import type { Activities, ProcessInput } from './process.ts';
import { UNTIL_SERVED } from './retry.ts';

/** Delivers events to one endpoint, in order per object; its rows own attempts and schedule. */
export async function webhook(input: ProcessInput): Promise<void> {
  const { pumpWebhook } = proxyActivities<Activities>({
    taskQueue: poolOf('delivery'),
    startToCloseTimeout: '2m',
    heartbeatTimeout: '15s',
    retry: UNTIL_SERVED,
  });
  await alarmClock(input, () => pumpWebhook(input));
}
