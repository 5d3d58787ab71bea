import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { configTable, readConfig } from '../../bin/config.ts';
import { fromRun } from '../support/environment.ts';
import { until } from '../support/wait.ts';
import { health, type Instance, newInstance } from './instance.ts';

const key = Buffer.alloc(32, 7).toString('base64');
let instance: Instance;

async function administer(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: fromRun('POSTGRES_URL') });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

beforeAll(async () => {
  await administer('create database outside');
  const database = new URL(fromRun('POSTGRES_URL'));
  database.pathname = '/outside';
  instance = await newInstance({
    env: {
      DATABASE_URL: database.href,
      TEMPORAL_ADDRESS: fromRun('TEMPORAL_ADDRESS'),
      SMTP_URL: 'smtp://127.0.0.1:9',
      PERENNIAL_ENCRYPTION_KEY: key,
    },
  });
});
afterAll(async () => {
  await instance.remove();
  await administer('drop database outside with (force)');
});

test('each role runs alone against external parts and ends on SIGTERM', async () => {
  expect(await instance.run(['migrate']).exitCode).toBe(0);
  const api = instance.run(['api']);
  const worker = instance.run(['worker']);
  await until(async () => (await health(instance.url)) === 200, { what: 'the API' });
  await until(() => worker.output().includes('Ready'), { what: 'the worker' });
  api.process.kill('SIGTERM');
  worker.process.kill('SIGTERM');
  expect(await Promise.all([api.exitCode, worker.exitCode])).toEqual([0, 0]);
});

test('a start with external parts runs only API and worker', async () => {
  const start = instance.run(['start']);
  await start.isUp();
  expect(Object.keys(instance.parts()).sort()).toEqual(['API', 'Worker']);
  expect(instance.running()).toMatchObject({
    database_url: instance.env.DATABASE_URL,
    temporal_address: instance.env.TEMPORAL_ADDRESS,
    mailbox_url: null,
    temporal_ui_url: null,
  });
  start.process.kill('SIGINT');
  expect(await start.exitCode).toBe(0);
});

test('a start names each taken port with the variable that changes it', async () => {
  const crowded = await newInstance();
  const taken = ['POSTGRES_PORT', 'TEMPORAL_UI_PORT'].map((name) => ({ name, port: Number(crowded.env[name]) }));
  const servers = taken.map(({ port }) => createServer().listen(port, '127.0.0.1'));
  const start = crowded.run(['start']);
  expect(await start.exitCode).toBe(1);
  expect(start.output()).toContain(`PostgreSQL cannot listen on port ${taken[0]?.port}`);
  for (const { name } of taken) expect(start.output()).toContain(`Choose another port with ${name}=`);
  expect(start.output()).not.toContain('SMTP_PORT');
  for (const server of servers) server.close();
  await crowded.remove();
});

test('--help lists every command and variable; an unknown command is named', async () => {
  const [help, unknown] = [instance.run(['--help']), instance.run(['strat'])];
  expect(await help.exitCode).toBe(0);
  const width = Math.max(...configTable.map(({ name }) => name.length)) + 2;
  for (const { name, meaning } of configTable) expect(help.output()).toContain(name.padEnd(width) + meaning);
  expect(help.output()).toMatch(/^ {2}keys rotate /m);
  for (const command of [
    'start',
    'api',
    'worker',
    'migrate',
    'audit',
    'backup',
    'restore',
    'recover',
    'reconcile',
    'explain',
    'problems',
    'bench',
    'test',
  ]) {
    expect(help.output()).toMatch(new RegExp(`^  ${command} `, 'm'));
  }
  expect(await unknown.exitCode).toBe(1);
  expect(unknown.output()).toContain('"strat"');
});

test('--help after a command shows the usage of that command alone', async () => {
  const help = instance.run(['migrate', '--help']);
  expect(await help.exitCode).toBe(0);
  expect(help.output()).toMatch(/^Usage: perennial migrate \[--check\]$/m);
  expect(help.output()).not.toContain('DATABASE_URL');
});

test('--help shows the commands before the variables', async () => {
  const help = instance.run(['--help']);
  await help.exitCode;
  const listed = [...help.output().matchAll(/^ {2}(\S+) /gm)].map(([, name = '']) => name);
  const firstVariable = listed.indexOf(configTable[0]?.name ?? '');
  expect(listed.slice(0, firstVariable)).toEqual(expect.arrayContaining(['start', 'api', 'worker', 'test']));
  expect(listed.slice(firstVariable)).toEqual(configTable.map(({ name }) => name));
});

test('npm run torture checks a month without errors, and prints its usage for an unknown zone', async () => {
  const month = instance.run(['torture', 'Europe/Berlin', '--months', '1']);
  const unknown = [['Mars/Olympus'], ['UTC', '--months', 'all']].map((args) => instance.run(['torture', ...args]));
  const [code, ...codes] = await Promise.all([month, ...unknown].map(({ exitCode }) => exitCode));
  expect([code, month.output()]).toEqual([0, expect.stringMatching(/(^|\n)\d{5,} cases in \d+ s, none wrong\n$/)]);
  expect(codes).toEqual([1, 1]);
  for (const { output } of unknown) expect(output()).toMatch(/^Usage: npm run torture/);
});

test('npm run demo without a running start says what to start first', async () => {
  const demo = instance.run(['demo']);
  expect(await demo.exitCode).toBe(1);
  expect(demo.output()).toBe(
    'No instance is running: run `npm start` in one terminal, then `npm run demo` in another.\n',
  );
});

test('the environment is checked as a whole, and each wrong variable is named without its value', () => {
  const wrong = {
    DATABASE_URL: 'postgres://a/secret?connect_timeout=5s',
    PORT: '70000',
    SMTP_URL: 'http://secret',
    SWEEP_AGE: '1.5',
    TEMPORAL_TLS: 'yes',
  };
  expect(() => readConfig(wrong)).not.toThrow(/secret/);
  for (const name of Object.keys(wrong)) expect(() => readConfig(wrong)).toThrow(name);
  expect(() => readConfig({ PERENNIAL_DATA: '/nowhere' })).toThrow(/DATABASE_URL .*\nPERENNIAL_ENCRYPTION_KEY/);
  const complete = {
    DATABASE_URL: 'postgres://a/b',
    PERENNIAL_ENCRYPTION_KEY: key,
    TEMPORAL_API_KEY: 'k',
    PUBLIC_URL: 'https://x.test/',
  };
  expect(readConfig(complete)).toMatchObject({
    publicUrl: 'https://x.test',
    temporal: { address: '127.0.0.1:7233', namespace: 'default', apiKey: 'k', tls: {} },
    smtpUrl: 'smtp://127.0.0.1:1025',
    chargeLookupDelayMilliseconds: 60_000,
  });
});

test('README lists every variable as --help does', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const listed = configTable.map(({ name, meaning }) => `| \`${name}\` | ${meaning} |`);
  expect(listed.filter((row) => !readme.includes(row))).toEqual([]);
});
