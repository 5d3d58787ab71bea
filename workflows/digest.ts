import { alarmClock, runIteration } from './alarmClock.ts';
import type { ProcessInput } from './process.ts';

/** Mails the digest of an account to its team, each day. */
export async function digest(input: ProcessInput): Promise<void> {
  await alarmClock(input, (about) =>
    runIteration(input, { process: 'digest', step: 'advanceDigest', call: 'runAttempt' }, about),
  );
}
