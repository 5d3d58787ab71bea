import { Gauge, Registry } from 'prom-client';
import type { ApiMetrics } from '../../api/metrics.ts';
import type { Pool } from '../../db/pool.ts';
import type { WorkerMetrics } from '../../workers/metrics.ts';
import { apiMetrics } from './api.ts';
import { workerMetrics } from './worker.ts';

/** What a role counts, and where it is read. */
export interface Metrics extends ApiMetrics, WorkerMetrics {
  registry: Registry;
  watchPool(pool: Pool): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  return {
    ...apiMetrics(registry),
    ...workerMetrics(registry),
    registry,
    watchPool: (pool) => poolMetrics(registry, pool),
  };
}

function poolMetrics(registry: Registry, pool: Pool): void {
  new Gauge({
    ...{ name: 'perennial_database_connections', help: 'Connections of the pool', labelNames: ['state'] },
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: 'perennial_database_connections_wanted',
    help: 'Requests that wait for a connection of the pool',
    registers: [registry],
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
