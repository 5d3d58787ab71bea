import { createReadiness } from '../../db/readiness.ts';
import type { Deps } from '../deps.ts';
import { type Monitoring, startMonitoring } from '../monitoring.ts';

export interface RoleState {
  isClosing: boolean;
  isStarting?: boolean;
}

interface Monitored {
  port: number | null;
  state: RoleState;
  refresh?: () => Promise<void>;
}

/** Serves the metrics and the readiness of a role. Null: the role has no port for them. */
export async function monitor(deps: Deps, { port, state, refresh }: Monitored): Promise<Monitoring | null> {
  if (port === null) return null;
  const ask = createReadiness(deps.em);
  const unready = async () => {
    if (state.isClosing) return 'shutting down';
    return state.isStarting ? 'Temporal is not reached yet' : ask();
  };
  const { registry } = deps.metrics;
  return startMonitoring({ port, host: deps.config.metricsHost, registry, unready, ...(refresh ? { refresh } : {}) });
}
