import { createReadiness } from '../../db/readiness.ts';
import { CLOCK_WRONG } from '../clockWatch.ts';
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
  const isClockWrong = () => deps.clockWatch?.isPaused() ?? false;
  const warnings = () => (isClockWrong() ? [CLOCK_WRONG] : []);
  const unready = async () => {
    if (state.isClosing) return 'shutting down';
    if (state.isStarting) return 'Temporal is not reached yet';
    return isWorker && isClockWrong() ? "the clock differs from the database's" : ask();
  };
  const { registry } = deps.metrics;
  const { metricsHost: host } = deps.config;
  return startMonitoring({ port, host, registry, unready, warnings, ...(refresh ? { refresh } : {}) });
}
