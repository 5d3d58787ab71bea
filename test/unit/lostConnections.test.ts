import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inTransaction, openPool } from '../../adapters/gateways/test/database.ts';
import { openDatabase } from '../../db/database.ts';
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
