import { createWaker } from '../../bin/deps.ts';
import { type Wake, workflowId } from '../../workflows/client.ts';
import type { Product } from './product.ts';

export type Process = Pick<Wake, 'process' | 'id' | 'shard'>;

/** A product's processes at Temporal, as a relay reaches them. */
export interface Processes {
  /** Wakes each of them ten times, all at once. */
  wakeTenTimes(processes: readonly Process[]): Promise<void>;
  /** Waits until a process has done all that it was woken for, and has ended. */
  untilOver(process: Process): Promise<void>;
  close(): Promise<void>;
}

export function processesOf({ deps, accountId }: Product): Processes {
  const waker = createWaker(deps);
  const { workflow } = waker.server.client;
  return {
    async wakeTenTimes(processes) {
      const wakes = processes.map((one) => ({ ...one, environment: 'sandbox' as const, accountId, startAt: null }));
      await Promise.all(Array.from({ length: 10 }, () => wakes.map(waker.wake)).flat());
    },
    untilOver: (process) => workflow.getHandle(workflowId(deps.deployment.id, process)).result(),
    close: waker.close,
  };
}
