import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createPerson } from '../support/person.ts';
import { until } from '../support/wait.ts';
import { health, type Instance, isRunning, newInstance } from './instance.ts';

const instances: Instance[] = [];
afterAll(() => Promise.all(instances.map((instance) => instance.remove())));

async function instance(options = {}): Promise<Instance> {
  const made = await newInstance(options);
  instances.push(made);
  return made;
}

async function query(url: string | null | undefined, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url ?? '' });
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
}

/** What the list that a start prints says of something. */
function said(output: string, name: string): string {
  return new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(output)?.[1] ?? '';
}

test('a start in an empty folder runs everything, tells where, refuses a second one, stops on SIGINT and resumes', async () => {
  const one = await instance();
  const first = one.run(['start'], 'bootstrap.cjs');
  await first.isUp();
  const running = one.running();
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
  const [email = '', password = ''] = ['Email', 'Password'].map((name) => said(first.output(), name));
  const person = createPerson({ deps: { publicUrl: one.url }, origin: one.url });
  const signIn = await person.open(said(first.output(), 'Sign-in'));
  expect((await person.send(signIn, '/oauth/sign_in', { email, password })).text).toContain('of My company');
  for (const page of ['mailbox_url', 'temporal_ui_url']) expect((await fetch(String(running[page]))).status).toBe(200);
  await query(running.database_url, 'create table kept as select 42 as answer');

  const second = one.run(['start']);
  expect(await second.exitCode).toBe(1);
  expect(second.output()).toContain(`already runs in ${one.dataFolder}: ${one.url}`);
  expect(await health(one.url)).toBe(200);

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
  const resumed = Object.values(one.parts());
  third.process.kill('SIGKILL'); // the bootstrap alone: what it started ends by itself
  await until(() => !existsSync(join(one.dataFolder, 'lock.json')), { what: 'the end of the start' });
  expect(resumed.filter(isRunning)).toEqual([]);
});

test('two instances run side by side, one of them in a folder that other users cannot enter', async () => {
  const [open, closed] = await Promise.all([instance(), instance({ mode: 0o700 })]);
  const starts = [open.run(['start']), closed.run(['start'])];
  await Promise.all(starts.map((start) => start.isUp()));
  const urls = [open, closed].map((one) => one.running().database_url);
  const folders = await Promise.all(urls.map(async (url) => (await query(url, 'show data_directory'))[0]));
  const asRoot = process.getuid?.() === 0;
  expect(folders[0]).toEqual({ data_directory: join(open.dataFolder, 'postgres') });
  const elsewhere = /^\/var\/lib\/perennial\/[0-9a-f]{16}\/data$/;
  expect(folders[1]).toEqual({
    data_directory: asRoot ? expect.stringMatching(elsewhere) : join(closed.dataFolder, 'postgres'),
  });
  expect(/in (\/var\/lib\/perennial\/[0-9a-f]{16})$/m.test(starts[1]?.output() ?? '')).toBe(asRoot);
  expect(existsSync(join(closed.dataFolder, 'postgres.path'))).toBe(asRoot);
  for (const start of starts) start.process.kill('SIGINT');
  expect(await Promise.all(starts.map((start) => start.exitCode))).toEqual([0, 0]);
});
