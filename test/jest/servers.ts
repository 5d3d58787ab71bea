import { rmSync } from 'node:fs';
import { chmod, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../bin/local/ports.ts';
import { startLocalPostgres } from '../../bin/local/postgres.ts';
import { findTemporal, startLocalTemporal } from '../../bin/local/temporal.ts';
import { grantLogins } from '../../db/logins.ts';
import { migrate } from '../../db/migrate.ts';
import { projectFolder } from '../suites.ts';
import { TEST_LOGINS } from '../support/database.ts';
import { scratchFolder } from '../support/scratch.ts';

/** The servers that all files of a run share. `ready` resolves to environment variables with their addresses. `stop` works at any time. */
export interface TestServers {
  ready: Promise<Record<string, string>>;
  stop(): Promise<void>;
}

type Progress = (line: string) => void;
type Stop = () => Promise<void>;

/** PostgreSQL never flushes to disk: a crash of the machine may lose the data of tests. */
const postgresSettings = {
  fsync: 'off',
  autovacuum_naptime: '1min', // a run has hundreds of short-lived databases
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  shared_buffers: '256MB',
  max_connections: '300',
  plan_cache_mode: 'force_generic_plan', // a test runs most statements a few times: planning each time takes a tenth of PostgreSQL's time
};

/** Starts PostgreSQL in a temporary folder with a migrated template database and, if needed, a Temporal server in memory. */
export function startTestServers(needs: { temporal: boolean }, progress: Progress): TestServers {
  const stops: Stop[] = [];
  const parts = [startPostgres(stops, progress), ...(needs.temporal ? [startTemporal(stops, progress)] : [])];
  const ready = Promise.all(parts).then((environments) => Object.assign({}, ...environments));
  ready.catch(() => undefined); // the caller that awaits it handles the error
  const stop = async () => {
    // Parts that are still starting get five seconds.
    await Promise.race([Promise.allSettled(parts), sleep(5000, undefined, { ref: false })]);
    for (const one of stops.splice(0).reverse()) await one().catch((error) => progress(String(error)));
  };
  return { ready, stop };
}

async function startPostgres(stops: Stop[], progress: Progress): Promise<Record<string, string>> {
  const folder = await scratchFolder('test');
  stops.push(() => removeAll(folder));
  process.once('exit', () => removeNow(folder)); // in case `stop` was not called
  await chmod(folder, 0o755); // PostgreSQL may have to run as another user
  const server = await startLocalPostgres({
    dataFolder: folder,
    port: await freePort(),
    persistent: false,
    settings: postgresSettings,
    progress,
  });
  stops.push(() => server.stop());
  const template = 'perennial_template';
  await createTemplate(server.url, template);
  return { PERENNIAL_TEST_POSTGRES_URL: server.url, PERENNIAL_TEST_TEMPLATE: template };
}

/** PostgreSQL may keep its files elsewhere, when its user cannot enter the folder: `postgres.path` names that place. */
async function removeAll(folder: string): Promise<void> {
  const elsewhere = await readFile(join(folder, 'postgres.path'), 'utf8').catch(() => '');
  if (elsewhere !== '') await rm(elsewhere.trim(), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}

/** PostgreSQL may still be writing to the folder. Files that cannot be removed then stay. */
function removeNow(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {}
}

async function createTemplate(url: string, name: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query(`create database ${name}`);
    const template = new URL(url);
    template.pathname = `/${name}`;
    await migrate(template.href);
    await grantLogins(template.href, [TEST_LOGINS]);
    await admin.query(`alter database ${name} with is_template true allow_connections false`);
  } finally {
    await admin.end();
  }
}

async function startTemporal(stops: Stop[], progress: Progress): Promise<Record<string, string>> {
  const data = process.env.PERENNIAL_DATA ?? join(projectFolder, '.data');
  const executable = await findTemporal({ cacheFolder: join(data, 'cache'), progress });
  const server = await startLocalTemporal({
    executable,
    port: await freePort(),
    uiPort: null,
    stateFile: null,
    progress,
  });
  stops.push(() => server.stop());
  return { PERENNIAL_TEST_TEMPORAL_ADDRESS: server.address, PERENNIAL_TEST_TEMPORAL_EXECUTABLE: executable };
}
