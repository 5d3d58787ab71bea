import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../../bin/local/ports.ts';
import { type LocalPostgres, startLocalPostgres } from '../../bin/local/postgres.ts';
import { locatePostgres } from '../../bin/local/postgresFiles.ts';
import { createClient } from '../../client/index.ts';
import { type StripeServer, startStripe } from '../adapters/stripe/server.ts';
import { health, type Instance, newInstance } from '../startup/instance.ts';
import { projectFolder } from '../suites.ts';
import { fromRun } from '../support/environment.ts';
import { scratchFolder } from '../support/scratch.ts';
import { until } from '../support/wait.ts';

/** Base backup, WAL archive, and a recovery to a second between two charges, by the scripts of deploy/postgres and the steps of docs/operations.md. */

const run = promisify(execFile);
const script = (name: string) => join(projectFolder, 'deploy', 'postgres', name);
const SECOND = 1000;

let stripe: StripeServer;
let instance: Instance;
let postgres: LocalPostgres;
let folder: string;
let data: string;
let archive: string;
let port: number;

beforeAll(async () => {
  stripe = await startStripe();
  folder = await scratchFolder('extra');
  await chmod(folder, 0o755);
  const files = await locatePostgres(folder, () => undefined);
  data = files.cluster;
  archive = join(folder, 'archive');
  await mkdir(archive);
  if (files.user) await chown(archive, files.user.uid, files.user.gid);
  port = await freePort();
  postgres = await start();
  const { host, port: stripePort } = stripe.address;
  instance = await newInstance({
    env: {
      DATABASE_URL: postgres.url,
      TEMPORAL_ADDRESS: fromRun('TEMPORAL_ADDRESS'),
      SMTP_URL: 'smtp://127.0.0.1:9',
      PERENNIAL_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      STRIPE_API: `http://${host}:${stripePort}`,
    },
  });
});
afterAll(async () => {
  await instance?.remove();
  await postgres?.stop();
  await stripe?.close();
});

function start(): Promise<LocalPostgres> {
  const archiving = `sh ${script('archive-wal.sh')} %p %f ${archive}`;
  const settings = { archive_mode: 'on', archive_command: archiving, archive_timeout: '60s' };
  return startLocalPostgres({
    dataFolder: folder,
    port,
    persistent: true,
    settings,
    logFile: join(folder, 'postgres.log'),
    progress: () => undefined,
  });
}

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
}

async function perennial(...args: string[]): Promise<{ code: number | null; output: string }> {
  const program = instance.run(args);
  return { code: await program.exitCode, output: program.output() };
}

async function startRoles() {
  const roles = [instance.run(['api']), instance.run(['worker'])];
  await until(async () => (await health(instance.url)) === 200, { what: 'the API' });
  await until(() => roles.at(-1)?.output().includes('Ready') ?? false, { what: 'the worker' });
  return async () => {
    for (const role of roles) role.process.kill('SIGTERM');
    await Promise.all(roles.map((role) => role.exitCode));
  };
}

const now = async () => new Date(String((await query('select clock_timestamp() as now'))[0]?.now)).getTime();

test('the database is recovered to a second between two charges; recover records the one that is lost', async () => {
  expect(await perennial('migrate')).toMatchObject({ code: 0 });
  const opened = await perennial('open', 'Acme', 'owner@example.com');
  const stop = await startRoles();
  const key = /^Sandbox .* key (\S+)$/m.exec(opened.output)?.[1] ?? '';
  const api = createClient({ baseUrl: `${instance.url}/sandbox/api`, apiKey: key });
  const secrets = { secret_key: 'sk_test_PointInTime', publishable_key: 'pk_test_PointInTime' };
  await api.post('/merchant_accounts', { gateway: 'stripe', name: 'Stripe', ...secrets });
  const { id: customer } = await api.post('/customers', { name: 'Ada' });
  const charged = async (amount: number) => {
    const { id } = await api.post('/invoices', { customer, items: [{ name: 'Work', quantity: 1, unit_cost: amount }] });
    const applied_to = [{ type: 'invoice' as const, invoice: id, amount }];
    const token = { method: 'credit_card' as const, gateway_token: 'pm_card_visa' };
    await api.post('/charges', { customer, amount, currency: 'usd', ...token, applied_to });
    return Number(id);
  };
  const first = await charged(10);
  const url = new URL(postgres.url);
  const login = { PGHOST: url.hostname, PGPORT: url.port, PGUSER: url.username, PGPASSWORD: url.password };
  const base = join(folder, 'base');
  await run('sh', [script('base-backup.sh'), data, base], {
    env: { ...process.env, ...login, PGDATABASE: 'perennial' },
  });
  const second = await charged(20);
  const moment = (await now()) + SECOND;
  await until(async () => (await now()) > moment + SECOND, { what: 'a second after the moment' });
  const third = await charged(40);
  await query('select pg_switch_wal()');
  const [last] = await query('select pg_walfile_name(pg_current_wal_lsn()) as name');
  const isArchived = async () => (await readdir(archive)).toSorted().at(-1) ?? '' >= String(last?.name);
  await until(isArchived, { what: 'the archived WAL' });
  await stop();
  await postgres.stop();

  await rename(data, `${data}.before`);
  const time = new Date(moment).toISOString();
  await expect(run('sh', [script('restore-to.sh'), base, archive, `${data}.before`, time])).rejects.toThrow(
    'not empty',
  );
  await run('sh', [script('restore-to.sh'), base, archive, data, time]);
  postgres = await start();
  await until(async () => (await query('select pg_is_in_recovery() as is'))[0]?.is === false, {
    what: 'the promotion',
  });
  expect((await query('select id from invoice order by id')).map(({ id }) => id)).toEqual([first, second]);

  const since = new Date(moment - 3_600 * SECOND).toISOString();
  const found = await perennial('recover', '--since', since);
  expect(found).toMatchObject({ code: 1, output: expect.stringContaining('1 lost. Record them with --apply') });
  expect(found.output).toMatch(/charge pi_\w+ of 40\.00 usd at stripe/);
  const applied = await perennial('recover', '--since', since, '--apply');
  expect(applied).toMatchObject({ code: 0, output: expect.stringContaining('1 recorded, 0 not') });
  await query(`select setval(c.oid::regclass, s.last_value + 1000000) from pg_class c
    join pg_sequences s on s.schemaname = c.relnamespace::regnamespace::text and s.sequencename = c.relname
    where s.schemaname = 'public' and s.last_value is not null`);
  expect(await perennial('audit')).toMatchObject({ code: 0 });
  expect(await perennial('audit', '--gateway')).toMatchObject({ code: 0 });
  const stopAgain = await startRoles();
  expect(await perennial('reconcile')).toMatchObject({ code: 0 });
  expect(await query(`select amount::float, balance::float from payment order by id`)).toEqual([
    { amount: 10, balance: 0 },
    { amount: 20, balance: 0 },
    { amount: 40, balance: 40 }, // its invoice is lost
  ]);
  expect(await charged(80)).toBeGreaterThan(third);
  await stopAgain();
});
