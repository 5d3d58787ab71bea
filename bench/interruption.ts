import { stopRequested } from '../bin/stopSignal.ts';

/**
 * Watches for SIGINT, SIGTERM and SIGHUP from now on. Returns a function that waits for work and rejects as soon as a signal has come; the work
 * itself goes on. Call it once: each call adds listeners.
 */
export function watchForInterruption(): <Result>(work: Promise<Result>) => Promise<Result> {
  const interrupted = stopRequested().then(() => {
    throw new Error('interrupted');
  });
  interrupted.catch(() => undefined); // it rejects the race
  return (work) => {
    work.catch(() => undefined); // an interruption makes it fail, which is not an error to report
    return Promise.race([work, interrupted]);
  };
}
