import { freePort } from '../../bin/local/ports.ts';
import { startLocalTemporal } from '../../bin/local/temporal.ts';
import { fromRun } from './environment.ts';

/** host:port of the Temporal server that all files of the run share, namespace "default". The deployment id of a database keeps its workflows apart. */
export function temporalAddress(): string {
  return fromRun('TEMPORAL_ADDRESS');
}

/** A Temporal server of the test's own. `start` after `stop` listens at the same address, with what `stateFile` kept. */
export interface PrivateTemporal {
  address: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** For tests that stop, wipe or configure the server. Without a `stateFile` it forgets everything when it stops; `settings` as JSON text. */
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
