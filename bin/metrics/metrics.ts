import { Counter, Gauge, Registry } from 'prom-client';
import type { ApiMetrics } from '../../api/framework/deps.ts';
import type { PoolCounts } from '../../db/accountPool.ts';
import type { UnusualWait } from '../../db/fairness/places.ts';
import type { WorkerMetrics } from '../../workers/metrics.ts';
import { apiMetrics } from './api.ts';
import { workerMetrics } from './worker.ts';

/** The metrics of a role, and the registry that exports them. */
export interface Metrics extends ApiMetrics, WorkerMetrics {
  registry: Registry;
  watchPool(pool: PoolCounts): void;
  /** Counts a request for a database connection that got it late, or was refused. */
  waited(end: UnusualWait): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const waits = new Counter({
    name: 'perennial_database_waits_total',
    help: 'Long waits for a connection: late: granted beyond the share of the account; refused: no connection',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of ['late', 'refused']) waits.inc({ result }, 0);
  return {
    ...apiMetrics(registry),
    ...workerMetrics(registry),
    registry,
    watchPool: (pool) => poolMetrics(registry, pool),
    waited: (result) => waits.inc({ result }),
  };
}

function poolMetrics(registry: Registry, pool: PoolCounts): void {
  new Gauge({
    name: 'perennial_database_connections',
    help: 'Database connections of the pool, by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: 'perennial_database_connections_wanted',
    help: 'Requests that wait for a database connection',
    registers: [registry],
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
