import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inTransaction, openPool } from '../../adapters/gateways/test/database.ts';
import { openDatabase } from '../../db/database.ts';
import { isUnavailable } from '../../db/failure.ts';
import { connect } from '../../workers/connection.ts';

/**
 * A server accepts each session and terminates it in the same packet, as PostgreSQL can on a busy machine. The client learns both at once,
 * before any code could listen to the connection that it gets. The statement fails, and the process lives.
 */

let server: Server;
let url: string;

/** A message of PostgreSQL's protocol: its type, its length, its body. */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const acceptedAndTerminated = Buffer.concat([
  message('R', Buffer.alloc(4)), // authenticated
  message('Z', Buffer.from('I')), // ready for a statement
  message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')),
]);

beforeAll(async () => {
  server = createServer((socket: Socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(acceptedAndTerminated));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `postgres://a:b@127.0.0.1:${Object(server.address()).port}/name`;
});

afterAll(() => new Promise((resolve) => void server.close(resolve)));

const lost = /terminat|not queryable/;

test('a connection of the test gateway', async () => {
  const pool = openPool(url);
  await expect(inTransaction(pool, (client) => client.query('select 1'))).rejects.toThrow(lost);
  await expect(pool.query('select 1')).rejects.toThrow(lost);
  await pool.end();
});

test('a connection of API and workers', async () => {
  const orm = openDatabase({ urls: { app: url, system: url }, poolSize: 1 });
  await expect(orm.em.fork().execute('select 1')).rejects.toThrow(lost);
  await orm.close(true);
});

test('a dedicated connection', async () => {
  const connection = await connect(url);
  await expect(connection.query('select 1')).rejects.toThrow(lost);
  expect(connection.isOpen).toBe(false);
});

test('a server that is not there is unavailable, over a port and over a Unix socket; a missing file is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sockets-'));
  const failureOf = async (at: string) => {
    const orm = openDatabase({ urls: { app: at, system: at }, poolSize: 1 });
    const failure = await orm.em
      .fork()
      .execute('select 1')
      .catch((error: unknown) => error);
    await orm.close(true);
    return { code: Object(failure).code, unavailable: isUnavailable(failure) };
  };
  expect(await failureOf('postgres://a:b@127.0.0.1:1/name')).toEqual({ code: 'ECONNREFUSED', unavailable: true });
  const socket = `postgres://a:b@localhost/name?host=${encodeURIComponent(folder)}`;
  expect(await failureOf(socket)).toEqual({ code: 'ENOENT', unavailable: true });
  const missing = await readFile(join(folder, 'file')).catch((error: unknown) => error);
  expect([Object(missing).code, isUnavailable(missing)]).toEqual(['ENOENT', false]);
  await rm(folder, { recursive: true });
});
