import { setTimeout as pause } from 'node:timers/promises';

/** Runs work now and again, with a pause of some milliseconds after each run, until it is closed. `close` waits for the run that has begun. */
export function repeat(pauseMilliseconds: number, work: () => Promise<unknown>): { close(): Promise<void> } {
  const closing = new AbortController();
  const run = async () => {
    while (!closing.signal.aborted) {
      await work();
      await pause(pauseMilliseconds, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    close() {
      closing.abort();
      return running;
    },
  };
}
