import { freePort } from '../../bin/local/ports.ts';
import { startLocalTemporal } from '../../bin/local/temporal.ts';
import { fromRun } from './environment.ts';

/** host:port of the run's Temporal server, namespace "default". Workflow ids contain the deployment id of their database. */
export function temporalAddress(): string {
  return fromRun('TEMPORAL_ADDRESS');
}

/** A Temporal server of one test. `start` after `stop` uses the same address and the state in `stateFile`. */
export interface PrivateTemporal {
  address: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a server for tests that stop or configure it. Without a `stateFile` it loses its state when it stops. `settings` are JSON texts. */
export async function startPrivateTemporal(
  options: { stateFile?: string; settings?: Record<string, string> } = {},
): Promise<PrivateTemporal> {
  const executable = fromRun('TEMPORAL_EXECUTABLE');
  const port = await freePort();
  const start = () =>
    startLocalTemporal({
      executable,
      port,
      uiPort: null,
      stateFile: options.stateFile ?? null,
      settings: options.settings ?? {},
      progress: () => undefined,
    });
  let server: Awaited<ReturnType<typeof start>> | null = await start();
  return {
    address: server.address,
    stop: async () => {
      await server?.stop();
      server = null;
    },
    start: async () => {
      server ??= await start();
    },
  };
}
