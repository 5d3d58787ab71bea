import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from '../../client/index.ts';
import { createPerson } from '../support/person.ts';
import { until } from '../support/wait.ts';
import { health, type Instance, isRunning, listed, newInstance, type Program } from './instance.ts';
import { processOf, query } from './running.ts';

/** Creates a subscription that starts in a moment, so that its process writes the first bill and then sleeps. Returns its id. */
async function subscribe(): Promise<number> {
  const client = createClient({ baseUrl: String(running.sandbox_api_url), apiKey: String(running.sandbox_key) });
  await client.post('/plans', { id: 'gold', name: 'Gold', amount: 49, interval: 'month' });
  const { id: customer } = await client.post('/customers', { name: 'Ada' });
  const start_date = Math.floor(Date.now() / 1000) + 3;
  return (await client.post('/subscriptions', { customer, plan: 'gold', start_date })).id;
}

/** An instance that the first tests share, in this order. `first` is its first start. */
let one: Instance;
let first: Program;
let running: Record<string, string | null>;

beforeAll(async () => {
  one = await newInstance();
  first = one.run(['start'], 'bootstrap.cjs');
  await first.isUp();
  running = one.running();
});
afterAll(() => one?.remove());

test('a start in an empty folder runs all parts and prints their addresses', async () => {
  expect(Object.keys(running).sort()).toEqual([
    'api_url',
    'database_url',
    'docs_url',
    'live_key',
    'mailbox_url',
    'sandbox_api_url',
    'sandbox_key',
    'temporal_address',
    'temporal_ui_url',
  ]);
  expect(running).toMatchObject({
    api_url: `${one.url}/api`,
    sandbox_api_url: `${one.url}/sandbox/api`,
    docs_url: `${one.url}/docs`,
  });
  for (const name of [
    'api_url',
    'sandbox_api_url',
    'live_key',
    'sandbox_key',
    'docs_url',
    'mailbox_url',
    'temporal_ui_url',
  ]) {
    expect(first.output()).toContain(String(running[name]));
  }
  const person = createPerson({ deps: { publicUrl: one.url }, origin: one.url });
  const link = listed(first.output(), 'Sign-in');
  const chosen = { name: 'Ada', email: 'ada@example.com', password: 'a long secret of mine' };
  const opened = await person.send(await person.open(link), new URL(link).pathname, chosen);
  expect([opened.url.pathname, opened.text.includes('My company')]).toEqual(['/accounts', true]);
  for (const page of ['mailbox_url', 'temporal_ui_url']) expect((await fetch(String(running[page]))).status).toBe(200);
});

test('API and worker reach PostgreSQL through its socket; database_url names its port, for tools', async () => {
  const clients = `select distinct client_addr as address from pg_stat_activity where usename like 'perennial\\_%'`;
  expect(await query(running.database_url, clients)).toEqual([{ address: null }]);
  expect(await query(running.database_url, 'select inet_client_addr() as address')).toEqual([{ address: '127.0.0.1' }]);
});

test('a second start in the same folder is refused with the address of the first one', async () => {
  const second = one.run(['start']);
  expect(await second.exitCode).toBe(1);
  expect(second.output()).toContain(`already runs in ${one.dataFolder}: ${one.url}`);
  expect(await health(one.url)).toBe(200);
});

test('SIGINT stops all parts, and the next start resumes with the same rows and sleeping processes', async () => {
  await query(running.database_url, 'create table kept as select 42 as answer');
  const subscription = await subscribe();
  const asleep = await until(
    async () => {
      const known = await processOf(subscription, running);
      return known.isAsleep && known;
    },
    { what: 'the process of the subscription to sleep' },
  );
  expect(asleep).toMatchObject({ status: 'RUNNING', namespace: { kept: asleep.namespace.id } });

  const parts = one.parts();
  expect(Object.keys(parts).sort()).toEqual(['API', 'PostgreSQL', 'Temporal', 'Worker', 'maildev']);
  const printed = first.output();
  first.process.kill('SIGINT');
  expect(await first.exitCode).toBe(0);
  expect(first.output()).toBe(printed);
  expect(Object.values(parts).filter(isRunning)).toEqual([]);
  for (const file of ['running.json', 'parts.json', 'lock.json'])
    expect(existsSync(join(one.dataFolder, file))).toBe(false);

  const third = one.run(['start'], 'bootstrap.cjs');
  await third.isUp();
  expect(one.running()).toEqual(running);
  expect(await query(running.database_url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  expect(await processOf(subscription, running)).toEqual(asleep); // a rebuild would have signaled it
  const resumed = Object.values(one.parts());
  third.process.kill('SIGKILL'); // kills only the bootstrap; the parts end by themselves
  await until(() => !existsSync(join(one.dataFolder, 'lock.json')), { what: 'the end of the start' });
  expect(resumed.filter(isRunning)).toEqual([]);
});
