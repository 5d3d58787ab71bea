import { setTimeout as pause } from 'node:timers/promises';
import { cpuMilliseconds } from './processes.ts';

export interface Waiting {
  what: string;
  withinSeconds: number;
  everyMilliseconds?: number;
}

/** Polls until a condition is true. Throws if it is not true in time. */
export async function until(holds: () => Promise<boolean>, waiting: Waiting): Promise<void> {
  const { what, withinSeconds, everyMilliseconds = 50 } = waiting;
  const giveUpAt = performance.now() + withinSeconds * 1000;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`after ${withinSeconds} s still not: ${what}`);
    await pause(everyMilliseconds);
  }
}

/** Waits until the processes together use less than a fifth of a core for half a second. */
export async function untilQuiet(pids: readonly number[], withinSeconds: number): Promise<void> {
  const windowMilliseconds = 500;
  const isQuiet = async () => {
    const before = cpuMilliseconds(pids);
    await pause(windowMilliseconds);
    return cpuMilliseconds(pids) - before < windowMilliseconds / 5;
  };
  await until(isQuiet, { what: 'quiet', withinSeconds, everyMilliseconds: 0 });
}

export async function untilTime(at: number): Promise<void> {
  await pause(Math.max(0, at - Date.now()));
}
