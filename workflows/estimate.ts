import { advance, alarmClock } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Waits until an estimate can no longer be approved. */
export async function estimate(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) =>
    advance(input, { process: 'estimate', step: 'advanceEstimate', call: 'runAttempt' }, about),
  );
}
