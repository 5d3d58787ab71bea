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
const said: string[] = [];
afterEach(async () => {
  await server?.stop();
  server = null;
  rmSync(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<void> {
  folder = await scratchFolder('socket');
  await chmod(folder, 0o755); // PostgreSQL may have to run as another user
}

async function start(dataFolder: string, port: number, over: { needsSocket?: boolean } = {}): Promise<LocalPostgres> {
  mkdirSync(dataFolder, { recursive: true });
  said.splice(0);
  const progress = (line: string) => void said.push(line);
  const options = { dataFolder, port, persistent: false, settings: { fsync: 'off' }, progress, ...over };
  server = await startLocalPostgres(options);
  return server;
}

/** A data folder whose socket has a path of this length. */
function folderFor(length: number, port: number): string {
  const rest = `//postgres.socket/.s.PGSQL.${port}`.length;
  return join(folder, 'a'.repeat(length - folder.length - rest));
}

/** The address from which PostgreSQL sees a client come; null: through a socket. */
async function addressOf(url: string): Promise<unknown> {
  const [row] = await query(url, 'select inet_client_addr() as address');
  return row?.address;
}

test('roles reach the local PostgreSQL through a socket that only its user can enter, tools through the port', async () => {
  await newFolder();
  const dataFolder = join(folder, 'é %2F?&#'); // characters that a URL encodes
  const { url, roleUrl } = await start(dataFolder, await freePort());
  expect([await addressOf(roleUrl), await addressOf(url)]).toEqual([null, '127.0.0.1']);
  const [sockets, cluster] = ['postgres.socket', 'postgres'].map((name) => statSync(join(dataFolder, name)));
  expect(sockets).toMatchObject({ mode: 0o040700, uid: cluster?.uid });
  expect(said).toEqual([]);
  await server?.stop();
  server = null;
  expect(readdirSync(dataFolder)).toEqual(['postgres.password']);
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

test('a path of 103 bytes can be that of a socket', async () => {
  await newFolder();
  const port = await freePort();
  const { roleUrl } = await start(folderFor(103, port), port);
  expect(await addressOf(roleUrl)).toBeNull();
});

test.each<[string, (port: number) => string]>([
  ['whose path is too long for a socket', (port) => folderFor(104, port)],
  ['whose path PostgreSQL reads as a list', () => join(folder, 'a,b')],
  ['whose path PostgreSQL reads as a quoted name', () => join(folder, 'a"b')],
])('roles use the port in a folder %s, and the start says so', async (_, folderOf) => {
  await newFolder();
  const port = await freePort();
  const dataFolder = folderOf(port);
  const { url, roleUrl } = await start(dataFolder, port);
  expect(roleUrl).toBe(url);
  expect(await addressOf(url)).toBe('127.0.0.1');
  expect(existsSync(join(dataFolder, 'postgres.socket'))).toBe(false);
  expect(said).toEqual([expect.stringMatching(/^API and worker use PostgreSQL's port: .*postgres.socket cannot hold/)]);
});

test('a restart without a socket fails while roles have its address', async () => {
  await newFolder();
  const dataFolder = join(folder, 'a,b');
  await expect(start(dataFolder, await freePort(), { needsSocket: true })).rejects.toThrow('cannot be created in');
});
