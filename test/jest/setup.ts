import { startTestServers, type TestServers } from './servers.ts';

declare global {
  var perennialTestServers: TestServers | undefined;
}

/** Starts the servers when Jest is called without the runner. The runner's servers are named in the environment. */
export default async function setup(): Promise<void> {
  if (process.env.PERENNIAL_TEST_POSTGRES_URL !== undefined) return;
  const servers = startTestServers({ temporal: true }, (line) => process.stderr.write(`${line}\n`));
  globalThis.perennialTestServers = servers;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => servers.stop().finally(() => process.exit(130)));
  }
  const environment = await servers.ready.catch(async (error: unknown) => {
    await servers.stop(); // Jest does not call the teardown after a setup that failed
    throw error;
  });
  Object.assign(process.env, environment);
}
