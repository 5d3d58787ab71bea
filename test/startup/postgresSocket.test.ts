import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../../bin/local/ports.ts';
import { type LocalPostgres, startLocalPostgres } from '../../bin/local/postgres.ts';
import { fromRun } from '../support/environment.ts';
import { scratchFolder } from '../support/scratch.ts';
import { query } from './running.ts';

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
async function addressOf(url: string): Promise<unknown> {
  const [row] = await query(url, 'select inet_client_addr() as address');
  return row?.address;
}

test('roles reach the local PostgreSQL through a socket that only its user can enter, tools through the port', async () => {
  await newFolder();
  const { url, roleUrl } = await start(folder, await freePort());
  expect([await addressOf(roleUrl), await addressOf(url)]).toEqual([null, '127.0.0.1']);
  expect(statSync(join(folder, 'postgres.socket')).mode & 0o777).toBe(0o700);
  await server?.stop();
  server = null;
  expect(readdirSync(folder)).toEqual(['postgres.password']);
});

test('the lock of a killed server does not stop the next one', async () => {
  await newFolder();
  const port = await freePort();
  const sockets = join(folder, 'postgres.socket');
  mkdirSync(sockets);
  // The lock names a process id that another process of the same user may have by now.
  const other = new pg.Client({ connectionString: fromRun('POSTGRES_URL') });
  await other.connect();
  const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
  writeFileSync(join(sockets, `.s.PGSQL.${port}.lock`), `${rows[0]?.pid}\n`);
  const { roleUrl } = await start(folder, port).finally(() => other.end());
  expect(await addressOf(roleUrl)).toBeNull();
});

test.each([
  ['that cannot hold a socket, because its path is too long', 'a'.repeat(90)],
  ['whose path PostgreSQL reads as a list', 'a,b'],
])('roles use the port in a folder %s', async (_, name) => {
  await newFolder();
  const dataFolder = join(folder, name);
  mkdirSync(dataFolder);
  const { url, roleUrl } = await start(dataFolder, await freePort());
  expect(roleUrl).toBe(url);
  expect(await addressOf(url)).toBe('127.0.0.1');
  expect(existsSync(join(dataFolder, 'postgres.socket'))).toBe(false);
});
