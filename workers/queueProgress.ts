import type { Served } from '../db/queries/processes/queueProgress.ts';
import type { Environment } from '../db/schema/account.ts';

/** How far the queues of both environments have got in this process, until somebody asks. */
export interface QueueProgress {
  /** Something that had waited since a time, epoch milliseconds, has been served. */
  served(environment: Environment, since: number): void;
  /** What of each queue had waited longest of all that was served since this was last asked. */
  take(): Served[];
}

export function createQueueProgress(): QueueProgress {
  const longest = new Map<Environment, number>();
  return {
    served(environment, since) {
      longest.set(environment, Math.min(since, longest.get(environment) ?? since));
    },
    take() {
      const served = [...longest].map(([environment, since]) => ({ environment, since: new Date(since) }));
      longest.clear();
      return served;
    },
  };
}
