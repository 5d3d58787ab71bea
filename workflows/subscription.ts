import { alarmClock, runIteration } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Bills a subscription period by period until it ends. */
export async function subscription(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) =>
    runIteration(input, { process: 'subscription', step: 'advanceSubscription', call: 'runAttempt' }, about),
  );
}
