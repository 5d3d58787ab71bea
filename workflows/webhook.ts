import { proxyActivities } from '@temporalio/workflow';
import { alarmClock } from './alarmClock.ts';
import type { Activities, ProcessInput } from './process.ts';

const { pumpWebhook } = proxyActivities<Activities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** Delivers events to one endpoint, in order per object; its rows own attempts and schedule. */
export async function webhook(input: ProcessInput): Promise<void> {
  await alarmClock(input, () => pumpWebhook(input));
}
