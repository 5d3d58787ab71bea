import type { WorkerPool } from './worker.ts';

/** Says whether this worker takes due work now. */
export interface Pauses {
  isPaused(): boolean;
  /** Calls the listener after each change. */
  onChange(listener: () => void): void;
}

/**
 * Runs the workers of Temporal except during a pause. A workflow worker that only refused the steps of its processes would keep them from
 * other workers, because it tries local activities again by itself.
 */
export async function runUnlessPaused(pauses: Pauses | null, start: () => Promise<WorkerPool>): Promise<WorkerPool> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  ended.catch(() => undefined);
  let pool: WorkerPool | null = null;
  let isClosing = false;
  const follow = async () => {
    const isWanted = !isClosing && !pauses?.isPaused();
    if (isWanted && !pool) {
      pool = await start();
      pool.ended.catch(reject);
    } else if (!isWanted && pool) {
      await pool.close();
      pool = null;
    }
  };
  let following = follow();
  const followAgain = () => {
    following = following.then(follow);
    return following;
  };
  pauses?.onChange(() => void followAgain().catch(reject));
  await following;
  return {
    ended,
    async close() {
      isClosing = true;
      await followAgain();
      resolve();
    },
  };
}
