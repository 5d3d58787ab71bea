import type { Served } from '../db/queries/processes/queueProgress.ts';
import type { Environment } from '../db/schema/account.ts';

/** Records, until it is read, how long served items of each environment's queues had waited. */
export interface QueueProgress {
  /** An item that had waited since `since`, epoch milliseconds, was served. */
  served(environment: Environment, since: number): void;
  /** Per environment, the earliest `since` of the items served since the last call. Clears the record. */
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
