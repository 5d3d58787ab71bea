import { createWaker } from '../../bin/deps.ts';
import { connect } from '../../workers/connection.ts';
import { type Wake, workflowId } from '../../workflows/client.ts';
import type { Product } from './product.ts';

export type Process = Pick<Wake, 'process' | 'id' | 'shard'>;

/** A product's processes at Temporal. They are woken as the relay does it. */
export interface Processes {
  /** Wakes each process ten times at once. */
  wakeTenTimes(processes: readonly Process[]): Promise<void>;
  /** Waits until a process has handled all wakes and has ended. */
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

/** Locks the customer, makes a step due with `begin`, waits until the step waits for the lock, calls `meanwhile`, and unlocks the customer. */
export async function whileItsStepWaits(
  product: Product,
  customer: number,
  { begin, meanwhile }: Record<'begin' | 'meanwhile', () => Promise<unknown>>,
): Promise<void> {
  const other = await connect(product.config.databaseUrl);
  try {
    await other.transaction(async () => {
      await other.query('select 1 from customer where id = $1 for update', [customer]);
      await begin();
      const [own] = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
      await product.row(`select 1 from pg_stat_activity where ${own?.pid} = any(pg_blocking_pids(pid))`);
      await meanwhile();
    });
  } finally {
    await other.close();
  }
}
