import { join } from 'node:path';
import { createServer } from '../../api/server.ts';
import { createLoad } from '../../db/fairness/load.ts';
import { createNotifier } from '../../workers/notifier.ts';
import type { Config } from '../config.ts';
import { buildDashboard } from '../dashboard.ts';
import { buildDeps, type Deps } from '../deps.ts';
import type { Monitoring } from '../monitoring.ts';
import { startTestEvents } from '../testEvents.ts';
import { monitor } from './monitor.ts';
import { watchRights } from './rightsWatch.ts';
import type { Service } from './service.ts';

/** How much longer than a gateway call a request may take: 20 s for an outcome, the rest for the database. */
const LONGEST_WAIT_MILLISECONDS = 25_000;

/** Builds the dashboard while the API serves already. A build that failed is tried again with the next visit. */
function dashboardOf({ dataFolder }: Config, log: Deps['log']): () => Promise<string> {
  const build = () => buildDashboard(join(dataFolder, 'cache'), (text) => log.info(text));
  let built: Promise<string> | null = null;
  return () => {
    built ??= build().catch((error: unknown) => {
      built = null;
      throw error;
    });
    return built;
  };
}

/** Runs the HTTP API. It needs only the database: while Temporal is down, it continues to accept work. */
export async function runApi(config: Config): Promise<Service> {
  const deps = await buildDeps(config);
  const notifier = createNotifier(deps.open);
  const { publicUrl, trustedProxies, isSignUpOpen } = config;
  const { poke } = notifier;
  const { challenges: testChallenges } = deps.testGateway;
  const server = createServer({
    ...deps,
    publicUrl,
    trustedProxies,
    isSignUpOpen,
    testChallenges,
    dashboard: dashboardOf(config, deps.log),
    load: createLoad(),
    poke,
  });
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
  const rights = watchRights(deps);
  return {
    url: config.publicUrl,
    closeMilliseconds:
      config.shutdownDelayMilliseconds + config.gatewayDeadlineMilliseconds + LONGEST_WAIT_MILLISECONDS,
    async close() {
      state.isClosing = true;
      await events.close();
      await rights.close();
      await server.close(config.shutdownDelayMilliseconds);
      await closeDeps();
    },
  };
}
