import { alarmClock, runIteration } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Collects an invoice: automatic charges, retries, past due. */
export async function invoice(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) =>
    runIteration(input, { process: 'invoice', step: 'advanceInvoice', call: 'runAttempt' }, about),
  );
}
