import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { basic } from '../../support/api.ts';
import { slowSender } from '../../support/slowSender.ts';
import { until } from '../../support/wait.ts';
import { type Instance, isRunning, newInstance, type Program } from '../instance.ts';

/** SIGINT ends a start and all its parts within 15 s, whatever clients and parts do. */

const MOST_MILLISECONDS = 15_000;

const instances: Instance[] = [];
afterAll(async () => {
  for (const instance of instances) await instance.remove();
});

async function begin(): Promise<{ instance: Instance; program: Program }> {
  const instance = await newInstance();
  instances.push(instance);
  return { instance, program: instance.run(['start'], 'bootstrap.cjs') };
}

async function expectEnd({ instance, program }: { instance: Instance; program: Program }): Promise<void> {
  const parts = Object.values(existsSync(join(instance.dataFolder, 'parts.json')) ? instance.parts() : {});
  const begun = performance.now();
  program.process.kill('SIGINT');
  expect(await program.exitCode).toBe(0);
  expect(performance.now() - begun).toBeLessThan(MOST_MILLISECONDS);
  expect(parts.filter(isRunning)).toEqual([]);
  expect(existsSync(join(instance.dataFolder, 'parts.json'))).toBe(false);
}

test('with slow senders, a client that does not read, and a Temporal that does not react', async () => {
  const { instance, program } = await begin();
  await program.isUp();
  const { sandbox_key: key } = instance.running();
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const clients = [
    slowSender(instance.url, { path: '/sign_in', headers: form }),
    slowSender(instance.url, { path: '/sandbox/api/customers', headers: { ...form, ...basic(String(key)) } }),
    slowSender(instance.url, { path: '/health', method: 'GET', length: 0 }),
  ];
  const deaf = slowSender(instance.url, { path: '/health', method: 'GET', length: 0 });
  deaf.pause();
  deaf.send(`GET /docs HTTP/1.1\r\nHost: ${new URL(instance.url).host}\r\n\r\n`.repeat(200));
  await until(() => clients[2]?.told().includes('200 OK'), { what: 'an open connection without a request' });
  process.kill(instance.parts().Temporal ?? 0, 'SIGSTOP');
  await expectEnd({ instance, program });
  for (const client of [...clients, deaf]) client.end();
});

test.each(['API', 'PostgreSQL', 'Temporal', 'Worker'])('as soon as a start has begun the part %s', async (part) => {
  const { instance, program } = await begin();
  const hasPart = () => existsSync(join(instance.dataFolder, 'parts.json')) && instance.parts()[part] !== undefined;
  await until(hasPart, { what: `the process of ${part}` });
  await expectEnd({ instance, program });
});
