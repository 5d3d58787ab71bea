import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../../bin/local/ports.ts';
import { type LocalPostgres, startLocalPostgres } from '../../bin/local/postgres.ts';
import { fromRun } from '../support/environment.ts';
import { scratchFolder } from '../support/scratch.ts';

let folder = '';
let server: LocalPostgres | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
  rmSync(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<void> {
  folder = await scratchFolder('socket');
  await chmod(folder, 0o755); // PostgreSQL may have to run as another user
}

async function start(dataFolder: string, port: number): Promise<LocalPostgres> {
  const options = { dataFolder, port, settings: { fsync: 'off' }, progress: () => undefined };
  server = await startLocalPostgres({ ...options, persistent: false });
  return server;
}

/** The address from which PostgreSQL sees a client come; null: through a socket. */
async function addressOf(connectionString: string): Promise<string | null> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ address: string | null }>('select inet_client_addr() as address');
  await client.end();
  return rows[0]?.address ?? null;
}

test('programs reach the local PostgreSQL through a socket that only its user can enter, others through the port; a lock of a killed server does not stop it', async () => {
  await newFolder();
  const port = await freePort();
  const sockets = join(folder, 'postgres.socket');
  mkdirSync(sockets);
  // The lock of a killed server names a process id that another process of the same user may have by now.
  const other = new pg.Client({ connectionString: fromRun('POSTGRES_URL') });
  await other.connect();
  const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
  writeFileSync(join(sockets, `.s.PGSQL.${port}.lock`), `${rows[0]?.pid}\n`);
  const { url } = await start(folder, port).finally(() => other.end());
  expect(await addressOf(url)).toBeNull();
  expect(statSync(sockets).mode & 0o777).toBe(0o700);
  const overPort = new URL(url);
  overPort.searchParams.delete('host');
  expect(await addressOf(overPort.href)).toBe('127.0.0.1');
  await server?.stop();
  server = null;
  expect(readdirSync(folder)).toEqual(['postgres.password']);
});

test.each([
  ['too long for a socket', 'a'.repeat(90)],
  ['that PostgreSQL reads as a list', 'a,b'],
])('in a folder with a path %s, programs use the port', async (_, name) => {
  await newFolder();
  const dataFolder = join(folder, name);
  mkdirSync(dataFolder);
  const { url } = await start(dataFolder, await freePort());
  expect(await addressOf(url)).toBe('127.0.0.1');
  expect(existsSync(join(dataFolder, 'postgres.socket'))).toBe(false);
});
