import { alarmClock, runIteration } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Plans the statements of all customers of an account anew, slice by slice. */
export async function statements(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) =>
    runIteration(input, { process: 'statements', step: 'advanceStatements', call: 'runAttempt' }, about),
  );
}
