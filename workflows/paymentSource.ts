import { alarmClock, runIteration } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Announces that a card expires, ahead of its last month's end. */
export async function payment_source(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) =>
    runIteration(input, { process: 'payment_source', step: 'advancePaymentSource', call: 'runAttempt' }, about),
  );
}
