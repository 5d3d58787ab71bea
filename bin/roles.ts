import { installTestGateway } from '../adapters/gateways/test/schema.ts';
import { createServer } from '../api/server.ts';
import { migrate } from '../db/migrate.ts';
import { createNotifier } from '../workers/notifier.ts';
import { reconcile } from '../workers/reconcile.ts';
import { printAudit } from './audit.ts';
import type { Config } from './config.ts';
import { buildDeps } from './deps.ts';
import { startWorkerRole } from './worker.ts';

/** The HTTP API. It needs the database alone: with Temporal down it goes on accepting work. */
export async function runApi(config: Config): Promise<{ url: string; close(): Promise<void> }> {
  const deps = await buildDeps(config);
  const notifier = createNotifier(deps.open);
  const server = createServer({ ...deps, publicUrl: config.publicUrl, poke: notifier.poke });
  try {
    await server.listen(config.port, config.host);
  } catch (error) {
    await notifier.close();
    await deps.close();
    throw error;
  }
  return {
    url: config.publicUrl,
    async close() {
      await server.close();
      await notifier.close();
      await deps.close();
    },
  };
}

/** Workflow workers, relay and sweep. */
export async function runWorker(config: Config): Promise<{ close(): Promise<void> }> {
  const deps = await buildDeps(config);
  const worker = await startWorkerRole(deps);
  worker.ended.catch((error) => {
    deps.log.fatal({ reason: String(error) }, 'a worker failed');
    process.exit(1);
  });
  return {
    async close() {
      await worker.close();
      await deps.close();
    },
  };
}

/** Brings the database to this version. Its own step: replicas of API and worker do not race for it. */
export async function runMigrate(config: Config): Promise<void> {
  await migrate(config.databaseUrl);
  await installTestGateway(config.databaseUrl);
}

/** Recomputes the books; 0 when nothing drifts. */
export function runAudit(config: Config): Promise<number> {
  return printAudit(config.databaseUrl);
}

/** Hands every process to the relay again, after Temporal's state was lost. Harmless when nothing was. */
export async function runReconcile(config: Config): Promise<number> {
  const deps = await buildDeps(config);
  try {
    const connection = await deps.open();
    const handed = await reconcile(connection, deps.systemNow()).finally(() => connection.close());
    console.log(`${handed} processes handed to the relay`);
    return 0;
  } finally {
    await deps.close();
  }
}
