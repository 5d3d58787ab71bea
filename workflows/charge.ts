import { advance, alarmClock } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Looks up the outcome of an attempt whose caller left none, and of pending attempts. */
export async function charge(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) =>
    advance(input, { process: 'charge', step: 'advanceCharge', call: 'settleAttempt' }, about),
  );
}
