import { proxyLocalActivities, sleep } from '@temporalio/workflow';

const { ring } = proxyLocalActivities<{ ring(): Promise<void> }>({ startToCloseTimeout: '5s' });

/** One timer and one local activity that does nothing: the minimum that a renewal could cost. */
export async function timer(dueAt: number): Promise<void> {
  await sleep(Math.max(1, dueAt - Date.now()));
  await ring();
}
