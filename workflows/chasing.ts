import { alarmClock, runIteration } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Asks a customer for what it owes, step by step of its cadence. */
export async function chasing(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) =>
    runIteration(input, { process: 'chasing', step: 'advanceChasing', call: 'runAttempt' }, about),
  );
}
