import { advance, alarmClock } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Finds out what became of an attempt that its caller left without an outcome, and of pending ones. */
export async function charge(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) => advance(input, { step: 'advanceCharge', call: 'settleAttempt' }, about));
}
