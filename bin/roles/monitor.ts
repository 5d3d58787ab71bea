import { createReadiness } from '../../db/readiness.ts';
import type { Deps } from '../deps.ts';
import { type Monitoring, startMonitoring } from '../monitoring.ts';

export interface RoleState {
  isClosing: boolean;
  isStarting?: boolean;
}

interface Monitored {
  port: number | null;
  isWorker?: boolean;
  state: RoleState;
  refresh?: () => Promise<void>;
}

/** Serves the metrics and the readiness of a role. Null: the role has no port for them. */
export async function monitor(
  deps: Deps,
  { port, isWorker = false, state, refresh }: Monitored,
): Promise<Monitoring | null> {
  if (port === null) return null;
  const ask = createReadiness(deps.em);
  const unready = async () => {
    if (state.isClosing) return 'shutting down';
    if (state.isStarting) return 'Temporal is not reached yet';
    return isWorker && deps.clockWatch?.isPaused() ? "the clock differs from the database's" : ask();
  };
  const { registry } = deps.metrics;
  return startMonitoring({ port, host: deps.config.metricsHost, registry, unready, ...(refresh ? { refresh } : {}) });
}
