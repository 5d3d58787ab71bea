import { alarmClock, runIteration } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Expires an estimate when its expiration date has passed. */
export async function estimate(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) =>
    runIteration(input, { process: 'estimate', step: 'advanceEstimate', call: 'runAttempt' }, about),
  );
}
