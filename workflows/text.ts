import { proxyActivities } from '@temporalio/workflow';
import { alarmClock } from './alarmClock.ts';
import { poolOf } from './pools.ts';
import { type Activities, idsOf, type ProcessInput } from './process.ts';
import { UNTIL_SERVED } from './retry.ts';
import { summary } from './summary.ts';

/** Sends the queued texts of an account. Their rows hold tries and schedule. */
export async function text(input: ProcessInput): Promise<void> {
  const pump = (about: string) =>
    proxyActivities<Activities>({
      taskQueue: poolOf('delivery'),
      startToCloseTimeout: '5m',
      heartbeatTimeout: '15s',
      retry: UNTIL_SERVED,
      summary: summary(`${about}: send what is due`),
    });
  await alarmClock(input, (about) => pump(about).pumpText(idsOf(input)));
}
