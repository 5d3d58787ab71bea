import { proxyActivities } from '@temporalio/workflow';
import { alarmClock } from './alarmClock.ts';
import type { Activities, ProcessInput } from './process.ts';

const { pumpMail } = proxyActivities<Activities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '60s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** Sends an account's queued mail; its rows own attempts and schedule. */
export async function mail(input: ProcessInput): Promise<void> {
  await alarmClock(input, () => pumpMail(input));
}
