import { proxyActivities } from '@temporalio/workflow';
import { alarmClock } from './alarmClock.ts';
import { poolOf } from './pools.ts';
import { type Activities, idsOf, type ProcessInput } from './process.ts';
import { UNTIL_SERVED } from './retry.ts';
import { summary } from './summary.ts';

/** Delivers the events of one shard of an endpoint, in order per object. The deliveries' rows hold tries and schedule. */
export async function webhook(input: ProcessInput): Promise<void> {
  const pump = (about: string) =>
    proxyActivities<Activities>({
      taskQueue: poolOf('delivery'),
      startToCloseTimeout: '5m',
      heartbeatTimeout: '15s',
      retry: UNTIL_SERVED,
      summary: summary(`${about}: send what is due`),
    });
  await alarmClock(input, (about) => pump(about).pumpWebhook(idsOf(input)));
}
