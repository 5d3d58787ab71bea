import type { Environment } from '../billing/environments.ts';
import type { Served } from '../db/queries/processes/queues.ts';

/** Records how long the items that each environment's queues served had waited. */
export interface QueueProgress {
  /** Records that an item was served that had waited since `since`, epoch milliseconds. */
  served(environment: Environment, since: number): void;
  /** The earliest `since` per environment of the items that were served after the last call. Clears the record. */
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
