import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { locatePostgres, makePrivateFolder, type PostgresFiles, removePostgres } from './postgresFiles.ts';
import { clearPostmasterLock } from './postmasterLock.ts';
import { type Child, logTail, startChild, untilReady } from './process.ts';
import { makeSocketFolder } from './socketFolder.ts';

const USER = 'perennial';
const DATABASE = 'perennial';

/**
 * `persistent` false: the cluster is created without fsync, and `stop` removes it. `needsSocket`: the start fails without a Unix socket.
 * `settings`: server settings, such as fsync: 'off'. `logFile` null: the log is discarded.
 */
export interface LocalPostgresOptions {
  dataFolder: string;
  port: number;
  persistent: boolean;
  needsSocket?: boolean;
  settings?: Record<string, string>;
  logFile?: string | null;
  progress: (line: string) => void;
  onSpawn?: (child: Child) => void;
}

/**
 * URLs of the same database, with the login of its owner. `url` is for tools. `roleUrl` is for API and worker: through the Unix socket if there is
 * one.
 */
export interface DatabaseAddress {
  url: string;
  roleUrl: string;
}

/** A running server and its database "perennial", whose owner is a superuser. */
export interface LocalPostgres extends DatabaseAddress {
  pid: number;
  exited: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on the loopback interface and, if possible, on a Unix socket. The first start creates cluster, password and database. Throws if
 * it does not start.
 */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const { dataFolder, port, persistent, progress } = options;
  const files = await locatePostgres(dataFolder, progress);
  const password = await ownPassword(dataFolder);
  const url = (database: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;
  const crashed = existsSync(files.cluster) && (await clearPostmasterLock(files.cluster));
  if (!existsSync(files.cluster)) await makeCluster(files, password, options);
  const hasSocket = await makeSocketFolder(files, port);
  if (!hasSocket && options.needsSocket)
    throw new Error(`PostgreSQL's Unix socket cannot be created in ${files.socketFolder}`);
  if (!hasSocket) progress(`API and worker use PostgreSQL's port: ${files.socketFolder} cannot hold a Unix socket`);
  const start = async () => {
    const server = await startServer(files, { ...options, hasSocket });
    await untilReady(server, () => ensureDatabase(url), options.logFile ?? null);
    return server;
  };
  // After a crash, the last children of the old server may still hold its shared memory for a moment, so the start is tried twice.
  const child = crashed ? await start().catch(() => pause(2000).then(start)) : await start();
  const stop = async () => {
    await child.stop();
    if (!persistent) await removePostgres(dataFolder, files);
  };
  const roleUrl = hasSocket ? `${url(DATABASE)}?host=${encodeURIComponent(files.socketFolder)}` : url(DATABASE);
  return { url: url(DATABASE), roleUrl, pid: child.pid, exited: child.exited, stop };
}

function startServer(files: PostgresFiles, options: LocalPostgresOptions & { hasSocket: boolean }): Promise<Child> {
  const settings = {
    max_connections: '200',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: options.hasSocket ? files.socketFolder : '',
    // New statistics make PostgreSQL renew cached plans. Those of a new database's first seconds are for empty tables.
    autovacuum_naptime: '5s',
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return startChild({
    name: 'PostgreSQL',
    command: join(files.binaries, 'postgres'),
    args: ['-D', files.cluster, '-p', String(options.port), ...flags],
    logFile: options.logFile ?? null,
    env: postgresEnvironment(),
    user: files.user,
    cwd: files.cluster,
    onSpawn: options.onSpawn,
    stopSignal: 'SIGINT', // fast shutdown: does not wait for clients
    forceSignal: 'SIGQUIT', // immediate shutdown; the next start recovers
  });
}

/** The environment of the server, without the user's PG* variables, which are for other servers. */
function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LANG: 'C', LC_ALL: 'C', TZ: 'UTC' };
}

async function ownPassword(dataFolder: string): Promise<string> {
  const file = join(dataFolder, 'postgres.password');
  if (!existsSync(file)) await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return (await readFile(file, 'utf8')).trim();
}

/** Creates the cluster. It first has a temporary name, so that an interrupted initdb is never taken for a complete cluster. */
async function makeCluster(files: PostgresFiles, password: string, options: LocalPostgresOptions): Promise<void> {
  const unfinished = `${files.cluster}.new`;
  const passwordFile = `${files.cluster}.initial`;
  await rm(unfinished, { recursive: true, force: true });
  await makePrivateFolder(unfinished, files.user);
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (files.user) await chown(passwordFile, files.user.uid, files.user.gid);
  const initdb = await startChild({
    name: 'initdb',
    command: join(files.binaries, 'initdb'),
    args: [
      '-D',
      unfinished,
      '-U',
      USER,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(options.persistent ? [] : ['--no-sync']),
    ],
    logFile: options.logFile ?? null,
    env: postgresEnvironment(),
    user: files.user,
    cwd: unfinished,
    onSpawn: options.onSpawn,
  });
  const ending = await initdb.exited;
  await rm(passwordFile, { force: true });
  if (initdb.process.exitCode !== 0) {
    throw new Error(`PostgreSQL's data folder could not be created: ${ending}.${logTail(options.logFile ?? null)}`);
  }
  await rename(unfinished, files.cluster);
}

/** Creates the database if it does not exist. Throws if the server does not accept connections yet. */
async function ensureDatabase(url: (database: string) => string): Promise<void> {
  const client = new pg.Client({ connectionString: url(DATABASE), connectionTimeoutMillis: 15_000 });
  try {
    await client.connect();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === '3D000')) throw error;
    const first = new pg.Client({ connectionString: url('postgres'), connectionTimeoutMillis: 15_000 });
    await first.connect();
    await first.query(`create database ${DATABASE}`).finally(() => first.end());
  } finally {
    await client.end().catch(() => undefined);
  }
}
