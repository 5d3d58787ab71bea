import { createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { connectTimeout } from '../../db/connectTimeout.ts';
import { openDatabase } from '../../db/database.ts';
import { connect } from '../../workers/connection.ts';

test.each([
  ['', 5000],
  ['?connect_timeout=15', 15_000],
  ['?sslmode=require&connect_timeout=600', 600_000],
  ['?connect_timeout=601', Number.NaN],
  ['?connect_timeout=0', Number.NaN],
  ['?connect_timeout=5s', Number.NaN],
  ['?connect_timeout=', Number.NaN],
])('an attempt to connect to postgres://db/name%s fails after %d ms', (query, milliseconds) => {
  expect(connectTimeout(`postgres://db/name${query}`)).toBe(milliseconds);
});

test('pools and single connections give up on a silent server after connect_timeout', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = Object(silent.address());
  const url = `postgres://a:b@127.0.0.1:${address.port}/name?connect_timeout=1`;
  const orm = openDatabase({ urls: { app: url, system: url }, poolSize: 1 });
  const begun = performance.now();
  await expect(orm.em.fork().execute('select 1')).rejects.toThrow(/timeout/);
  await expect(connect(url)).rejects.toThrow(/timeout/);
  // Twice one second; with the default it would be twice five.
  expect(performance.now() - begun).toBeLessThan(9000);
  for (const socket of sockets) socket.destroy();
  await orm.close(true);
  await new Promise((resolve) => silent.close(resolve));
});
