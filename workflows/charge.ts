import { alarmClock, runIteration } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Looks up the outcome of an attempt whose caller recorded none, and of a pending attempt. */
export async function charge(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) =>
    runIteration(input, { process: 'charge', step: 'advanceCharge', call: 'settleAttempt' }, about),
  );
}
