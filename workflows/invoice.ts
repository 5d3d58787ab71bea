import { advance, alarmClock } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Collects an invoice: automatic charges, retries, past due. */
export async function invoice(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) =>
    advance(input, { process: 'invoice', step: 'advanceInvoice', call: 'runAttempt' }, about),
  );
}
