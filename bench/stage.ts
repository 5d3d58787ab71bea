import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { type Config, readConfig } from '../bin/config.ts';
import { ensureEncryptionKey } from '../bin/encryptionKey.ts';
import { freePort } from '../bin/local/ports.ts';
import type { LocalPostgres } from '../bin/local/postgres.ts';
import { type BenchProgram, startProgram } from './program.ts';
import { openPostgres, openRole, openTemporal, type Part, prepare } from './servers.ts';

const worldShape = z.object({ webhookUrl: z.string(), smtpUrl: z.string() });
export const keysShape = z.object({
  sandboxKey: z.string(),
  liveKey: z.string(),
  email: z.string(),
  password: z.string(),
});

export type World = BenchProgram<z.output<typeof worldShape>>;

/**
 * The whole product as `start` runs it, each part in its own process, in a temporary folder. The program `world` receives its webhooks and
 * mail.
 */
export interface Stage {
  folder: string;
  config: Config;
  sandboxKey: string;
  liveKey: string;
  /** The member who can sign in. */
  member: { email: string; password: string };
  /** Origin of the API. */
  origin: string;
  postgres: LocalPostgres;
  temporal: Part;
  api: Part;
  worker: Part;
  world: World;
  /** Restarts a role. `env` overrides the usual environment variables. */
  restart(role: 'api' | 'worker', env?: Record<string, string>): Promise<void>;
  logFile(name: string): string;
  stop(): Promise<void>;
}

export interface StageOptions {
  /** Folder in which the Temporal program is cached. */
  cacheFolder: string;
  /** PostgreSQL settings, which override those of `start`. */
  postgres?: Record<string, string>;
  /** Environment variables of API and worker, which override the usual ones. */
  env?: Record<string, string>;
  /** Whether accounts keep the default rate limit. Otherwise it is raised so high that no request exceeds it. */
  keepsRateLimit?: boolean;
  progress: (line: string) => void;
}

/** Creates a temporary folder that the user who runs PostgreSQL can enter. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perennial-bench-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Starts everything. `stop` stops it and removes the folder. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { cacheFolder, postgres = {}, progress } = options;
  const folder = temporaryFolder();
  const logFile = (name: string) => join(folder, 'logs', `${name}.log`);
  const where = { folder, logFile, progress };
  const started: { stop(): Promise<void> }[] = [{ stop: () => rm(folder, { recursive: true, force: true }) }];
  const keep = <P extends { stop(): Promise<void> }>(part: P): P => {
    started.push(part);
    return part;
  };
  const stop = async () => {
    for (const part of started.toReversed()) await part.stop();
  };
  try {
    ensureEncryptionKey(folder, () => undefined);
    const world = keep(await startProgram({ program: 'world.ts', logFile: logFile('world'), hello: worldShape }));
    const database = keep(await openPostgres(where, postgres));
    const temporal = keep(await openTemporal(where, cacheFolder));
    const port = await freePort();
    const usual = roleEnvironment({ folder, port, databaseUrl: database.url, address: temporal.address, world });
    const env = { ...usual, ...options.env };
    const { sandboxKey, liveKey, ...member } = keysShape.parse(await prepare(env, logFile('prepare')));
    const role = (name: 'api' | 'worker', over = {}) =>
      openRole(name, { ...env, DATABASE_URL: database.roleUrl, ...over }, logFile(name));
    if (!options.keepsRateLimit) await liftRateLimit(database.url);
    const roles = { api: await role('api'), worker: await role('worker') };
    keep({ stop: async () => void (await Promise.all([roles.api.stop(), roles.worker.stop()])) });
    return {
      folder,
      config: readConfig(env),
      sandboxKey,
      liveKey,
      member,
      origin: env.PUBLIC_URL,
      logFile,
      stop,
      postgres: database,
      temporal,
      world,
      get api() {
        return roles.api;
      },
      get worker() {
        return roles.worker;
      },
      async restart(name, over = {}) {
        await roles[name].stop();
        roles[name] = await role(name, over);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Raises the rate limit, because refused requests must not be measured. */
async function liftRateLimit(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const limits = JSON.stringify({ rate_limit: 100_000, rate_limit_burst: 100_000 });
  await client.query('update account set settings = settings || $1::jsonb', [limits]).finally(() => client.end());
}

interface Addresses {
  folder: string;
  port: number;
  databaseUrl: string;
  address: string;
  world: World;
}

/** The environment that `start` gives its roles. Perennial's variables in the user's environment are ignored. */
function roleEnvironment({ folder, port, databaseUrl, address, world }: Addresses) {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PERENNIAL_DATA: folder,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: address,
    SMTP_URL: world.hello.smtpUrl,
    PERENNIAL_ALLOWED_HOSTS: 'localhost,127.0.0.1,::1',
  };
}
