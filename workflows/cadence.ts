import { alarmClock, runIteration } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Plans the customers of a changed cadence anew, slice by slice. */
export async function cadence(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) =>
    runIteration(input, { process: 'cadence', step: 'advanceCadence', call: 'runAttempt' }, about),
  );
}
