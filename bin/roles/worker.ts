import { createConcurrencyLimit } from '../../db/fairness/concurrencyLimit.ts';
import { createLoad } from '../../db/fairness/load.ts';
import type { Config } from '../config.ts';
import { buildDeps } from '../deps.ts';
import { backlogMetrics } from '../metrics/backlog.ts';
import { closeMillisecondsOf, startWorkerRole } from '../worker.ts';
import { monitor } from './monitor.ts';
import { rightsGranted, watchRights } from './rightsWatch.ts';
import type { Service } from './service.ts';

/** Connections that every account may keep in use in a worker, on average, however busy the machine is. */
const FEWEST_CONNECTIONS = 0.2;

/** Runs workflow workers, relay and sweep. */
export async function runWorker(config: Config): Promise<Service> {
  const deps = await buildDeps(config, {
    concurrencyLimit: createConcurrencyLimit({ load: createLoad(), fewest: FEWEST_CONNECTIONS }),
  });
  const state = { isClosing: false, isStarting: true };
  const refresh = backlogMetrics(deps.metrics.registry, deps);
  const monitoring = await monitor(deps, { port: config.workerMetricsPort, isWorker: true, state, refresh });
  await deps.clockWatch?.look();
  const rights = watchRights(deps);
  await rightsGranted(deps);
  const worker = await startWorkerRole(deps);
  state.isStarting = false;
  worker.ended.catch((error) => {
    deps.log.fatal({ reason: String(error) }, 'a worker failed');
    process.exit(1);
  });
  return {
    closeMilliseconds: closeMillisecondsOf(config),
    async close() {
      state.isClosing = true;
      await rights.close();
      await worker.close();
      await monitoring?.close();
      await deps.close();
    },
  };
}
