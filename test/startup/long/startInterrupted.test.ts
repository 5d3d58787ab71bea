import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createEmptyDatabase } from '../../support/database.ts';
import { until } from '../../support/wait.ts';
import { type Instance, isRunning, newInstance } from '../instance.ts';

const instances: Instance[] = [];
afterAll(async () => {
  for (const instance of instances) await instance.remove();
});

async function begin(env: Record<string, string> = {}) {
  const instance = await newInstance({ env });
  instances.push(instance);
  return { instance, program: instance.run(['start']) };
}

/** The process of the API, which waits for the database. */
async function waitingApi(instance: Instance): Promise<number> {
  const api = () => (existsSync(join(instance.dataFolder, 'parts.json')) ? instance.parts().API : undefined);
  await until(() => api() !== undefined, { what: 'the API to load its code' });
  expect(existsSync(join(instance.dataFolder, 'running.json'))).toBe(false);
  return api() ?? 0;
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops a start whose API waits for the database', async (signal) => {
  const { instance, program } = await begin();
  const api = await waitingApi(instance);
  program.process.kill(signal);
  expect(await program.exitCode).toBe(0);
  expect(isRunning(api)).toBe(false);
  expect(existsSync(join(instance.dataFolder, 'parts.json'))).toBe(false);
});

test('an API that waits for the database ends by itself when its start is killed', async () => {
  const { instance, program } = await begin();
  const api = await waitingApi(instance);
  program.process.kill('SIGKILL');
  await program.exitCode;
  await until(() => !isRunning(api), { what: 'the API to end by itself' });
});

test('with an external database, API and worker never get the login of its owner', async () => {
  if (!existsSync('/proc')) return; // elsewhere, no file shows the environment of a process
  const database = await createEmptyDatabase();
  const { instance, program } = await begin({ DATABASE_URL: database.url });
  await program.isUp();
  const { API: api = 0, Worker: worker = 0 } = instance.parts();
  for (const pid of [api, worker]) {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    expect(environment).toContain('PUBLIC_URL=');
    expect(environment).not.toContain(new URL(database.url).password);
  }
  program.process.kill('SIGINT');
  await program.exitCode;
  await database.drop();
});
