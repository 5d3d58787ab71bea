import { alarmClock, runIteration } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Applies a received payment to the invoices that it names, if it is certain that it pays them. */
export async function payment(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) =>
    runIteration(input, { process: 'payment', step: 'advancePayment', call: 'runAttempt' }, about),
  );
}
