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
  const url = (seconds: number) => `postgres://a:b@127.0.0.1:${address.port}/name?connect_timeout=${seconds}`;
  const orm = openDatabase({ urls: { app: url(1), system: url(1) }, poolSize: 1 });
  const ended: string[] = [];
  const ends = (name: string) => () => void ended.push(name);
  await Promise.all([
    connect(url(4)).catch(ends('patient')),
    connect(url(1)).catch(ends('impatient')),
    orm.em.fork().execute('select 1').catch(ends('pool')),
  ]);
  // By default each would end after five seconds, the patient one first.
  expect(ended).toEqual([expect.stringMatching(/impatient|pool/), expect.stringMatching(/impatient|pool/), 'patient']);
  for (const socket of sockets) socket.destroy();
  await orm.close(true);
  await new Promise((resolve) => silent.close(resolve));
});
