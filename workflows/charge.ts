import { advance, alarmClock } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Looks up the outcome of an attempt whose caller recorded none, and of a pending attempt. */
export async function charge(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) =>
    advance(input, { process: 'charge', step: 'advanceCharge', call: 'settleAttempt' }, about),
  );
}
