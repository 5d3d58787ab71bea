import { databaseUrls } from '../adapters/databaseLogins.ts';
import { createServer } from '../api/server.ts';
import { createConcurrencyLimit } from '../db/fairness/concurrencyLimit.ts';
import { createLoad } from '../db/fairness/load.ts';
import { createReadiness } from '../db/readiness.ts';
import { createNotifier } from '../workers/notifier.ts';
import { reconcile } from '../workers/reconcile.ts';
import { printAudit } from './audit.ts';
import type { Config } from './config.ts';
import { buildDeps, type Deps } from './deps.ts';
import { printGatewayAudit } from './gatewayAudit.ts';
import { backlogMetrics } from './metrics/backlog.ts';
import { type Monitoring, startMonitoring } from './monitoring.ts';
import { startTestEvents } from './testEvents.ts';
import { startWorkerRole } from './worker.ts';

/** A running role. */
export interface Service {
  url?: string;
  /** Maximum time for `close`. After it, the process exits anyway. */
  closeMilliseconds: number;
  close(): Promise<void>;
}

/** How much longer than a gateway call a request may take: 20 s for an outcome, the rest for the database. */
const LONGEST_WAIT_MILLISECONDS = 25_000;
const LONGEST_ACTIVITY_MILLISECONDS = 10_000;
/** Connections that every account may keep in use in a worker, on average, however busy the machine is. */
const FEWEST_CONNECTIONS = 0.2;

/** Runs the HTTP API. It needs only the database: while Temporal is down, it continues to accept work. */
export async function runApi(config: Config): Promise<Service> {
  const deps = await buildDeps(config);
  const notifier = createNotifier(deps.open);
  const { publicUrl, trustedProxies } = config;
  const { poke } = notifier;
  const { challenges: testChallenges } = deps.testGateway;
  const server = createServer({ ...deps, publicUrl, trustedProxies, testChallenges, load: createLoad(), poke });
  const state = { isClosing: false };
  let monitoring: Monitoring | null = null;
  const closeDeps = async () => {
    await notifier.close();
    await monitoring?.close();
    await deps.close();
  };
  try {
    monitoring = await monitor(deps, { port: config.apiMetricsPort, state });
    await server.listen(config.port, config.host);
  } catch (error) {
    await closeDeps();
    throw error;
  }
  const events = startTestEvents(deps, config);
  return {
    url: config.publicUrl,
    closeMilliseconds:
      config.shutdownDelayMilliseconds + config.gatewayDeadlineMilliseconds + LONGEST_WAIT_MILLISECONDS,
    async close() {
      state.isClosing = true;
      await events.close();
      await server.close(config.shutdownDelayMilliseconds);
      await closeDeps();
    },
  };
}

/** Runs workflow workers, relay and sweep. */
export async function runWorker(config: Config): Promise<Service> {
  const deps = await buildDeps(config, {
    concurrencyLimit: createConcurrencyLimit({ load: createLoad(), fewest: FEWEST_CONNECTIONS }),
  });
  const state = { isClosing: false, isStarting: true };
  const refresh = backlogMetrics(deps.metrics.registry, deps);
  const monitoring = await monitor(deps, { port: config.workerMetricsPort, state, refresh });
  const worker = await startWorkerRole(deps);
  state.isStarting = false;
  worker.ended.catch((error) => {
    deps.log.fatal({ reason: String(error) }, 'a worker failed');
    process.exit(1);
  });
  return {
    closeMilliseconds: LONGEST_ACTIVITY_MILLISECONDS,
    async close() {
      state.isClosing = true;
      await worker.close();
      await monitoring?.close();
      await deps.close();
    },
  };
}

/** Runs `audit`, or `audit --gateway`, which compares the books with the gateways. Both take `--since`. Returns the exit code. */
export function runAudit(config: Config, args: string[]): Promise<number> {
  if (args.includes('--gateway')) return printGatewayAudit(config, args);
  return printAudit(databaseUrls(config.databaseUrl, config.encryptionKey).system, args);
}

/** Re-enqueues all processes, for use after Temporal has lost its state. At other times it is harmless. Returns the exit code. */
export async function runReconcile(config: Config): Promise<number> {
  const deps = await buildDeps(config);
  try {
    const connection = await deps.open();
    const handed = await reconcile(connection, deps.systemNow()).finally(() => connection.close());
    console.log(`${handed} processes re-enqueued`);
    return 0;
  } finally {
    await deps.close();
  }
}

interface RoleState {
  isClosing: boolean;
  isStarting?: boolean;
}

interface Monitored {
  port: number | null;
  state: RoleState;
  refresh?: () => Promise<void>;
}

async function monitor(deps: Deps, { port, state, refresh }: Monitored): Promise<Monitoring | null> {
  if (port === null) return null;
  const ask = createReadiness(deps.em);
  const unready = async () => {
    if (state.isClosing) return 'shutting down';
    return state.isStarting ? 'Temporal is not reached yet' : ask();
  };
  const { registry } = deps.metrics;
  return startMonitoring({ port, host: deps.config.metricsHost, registry, unready, ...(refresh ? { refresh } : {}) });
}
