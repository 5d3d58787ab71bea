import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from '../../client/index.ts';
import { projectFolder } from '../suites.ts';
import { createPerson } from '../support/person.ts';
import { until } from '../support/wait.ts';
import { health, type Instance, isRunning, newInstance, type Program } from './instance.ts';
import { processesOn, processOf, query } from './running.ts';

const run = promisify(execFile);
const instances: Instance[] = [];
afterAll(() => Promise.all(instances.map((instance) => instance.remove())));

async function instance(options = {}): Promise<Instance> {
  const made = await newInstance(options);
  instances.push(made);
  return made;
}

/** The value of a name in the list at the end of a start's or the demo's output. */
function said(output: string, name: string): string {
  return new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(output)?.[1] ?? '';
}

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
  one = await instance();
  first = one.run(['start'], 'bootstrap.cjs');
  await first.isUp();
  running = one.running();
});

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
  const [email = '', password = ''] = ['Email', 'Password'].map((name) => said(first.output(), name));
  const person = createPerson({ deps: { publicUrl: one.url }, origin: one.url });
  const signIn = await person.open(said(first.output(), 'Sign-in'));
  expect((await person.send(signIn, '/oauth/sign_in', { email, password })).text).toContain('of My company');
  for (const page of ['mailbox_url', 'temporal_ui_url']) expect((await fetch(String(running[page]))).status).toBe(200);
});

test('a second start in the same folder is refused with the address of the first one', async () => {
  const second = one.run(['start']);
  expect(await second.exitCode).toBe(1);
  expect(second.output()).toContain(`already runs in ${one.dataFolder}: ${one.url}`);
  expect(await health(one.url)).toBe(200);
});

test('npm run demo plays a year, month by month, and links to its processes, its mail and the reference', async () => {
  const demo = await run('npm', ['run', 'demo'], { cwd: projectFolder, env: one.env });
  const months = demo.stdout.match(/^\w+ 2027$/gm);
  expect([months?.length, months?.[0], months?.[11]]).toEqual([12, 'January 2027', 'December 2027']);
  expect(demo.stdout).toContain('In the books: billed 1176.00, collected 1176.00, owed 0.00.');
  // 24 receipts, and a mail to Ben about each of his three declined charges.
  expect(demo.stdout.match(/^ {2}mail: Receipt/gm)).toHaveLength(24);
  expect(demo.stdout.match(/^ {2}mail: (?!Receipt)/gm)?.length).toBeGreaterThanOrEqual(3);

  const [processes, mail, reference] = ['their workflows', 'their mail', 'reference'].map((name) =>
    said(demo.stdout, name),
  );
  expect([mail, reference]).toEqual([running.mailbox_url, running.docs_url]);
  for (const link of [processes, mail, reference]) expect((await fetch(link ?? '')).status).toBe(200);
  const subscriptions = new Set((await processesOn(processes ?? '')).filter((id) => id.includes('/subscription/')));
  expect(subscriptions.size).toBe(2); // Ada's and Ben's; on a test clock each renewal starts a new run
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

test('two instances run at the same time, one of them in a folder that other users cannot enter', async () => {
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
