import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { configTable } from '../../bin/config.ts';
import { closeMillisecondsOf } from '../../bin/worker.ts';
import { projectFolder } from '../suites.ts';
import { importsOf } from '../support/imports.ts';
import { testConfig } from '../support/product.ts';
import {
  compositionText,
  exampleVariables,
  image,
  interpolate,
  ours,
  secrets,
  sentToBuild,
  services,
  servicesWith,
} from './composition.ts';

test('every secret comes from the environment, and .env.example has a place for it but no value', () => {
  const example = exampleVariables();
  expect(Object.keys(secrets).filter((name) => example[name] !== '')).toEqual([]);
  for (const name of Object.keys(secrets)) expect(() => servicesWith({ ...secrets, [name]: '' })).toThrow(name);
  const used = [...compositionText().matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  expect([...new Set(used)].sort()).toEqual(Object.keys(example).sort());
  const empty = interpolate(compositionText(), Object.fromEntries(Object.keys(secrets).map((name) => [name, 'X'])));
  expect(empty.match(/(?:PASSWORD|PWD|KEY|SECRET\w*): (?!X$).*/gm)).toBeNull();
  expect(readFileSync(join(projectFolder, '.gitignore'), 'utf8')).toMatch(/^\.env$/m);
});

/** The command of the Compose client, if this machine has one. Reading a file needs no Docker engine. */
const client = [['docker', 'compose'], ['docker-compose']].find(
  ([program = '', ...args]) => spawnSync(program, [...args, 'version']).status === 0,
);

test('the Compose client, if installed, reads the file as this test does', () => {
  if (!client) {
    process.stderr.write('no Compose client installed: docker-compose.yml was not checked with one\n');
    return;
  }
  const [program = '', ...args] = client;
  const files = ['--file', 'docker-compose.yml', '--env-file', '.env.example'];
  const env = { ...process.env, ...secrets };
  const read = spawnSync(program, [...args, ...files, 'config'], { cwd: projectFolder, env, encoding: 'utf8' });
  expect([read.status, read.stderr]).toEqual([0, expect.not.stringContaining('variable is not set')]);
  const understood: typeof services = parse(read.stdout).services;
  expect(Object.keys(understood).sort()).toEqual(Object.keys(services).sort());
  for (const [name, { environment, command }] of Object.entries(ours)) {
    const texts = Object.entries(environment ?? {}).map(([variable, value]) => [variable, String(value ?? '')]);
    expect(understood[name]).toMatchObject({ environment: Object.fromEntries(texts), command });
  }
});

test('our containers set only existing variables; api and worker have two replicas and a health check', () => {
  const known = new Set(configTable.map(({ name }) => name));
  for (const { environment = {} } of Object.values(ours)) {
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
  }
  expect(Object.keys(ours).sort()).toEqual(['api', 'migrate', 'worker']);
  for (const name of ['api', 'worker']) {
    expect(ours[name]?.deploy).toEqual({ replicas: 2 });
    expect(ours[name]?.healthcheck).toBeDefined();
    expect(ours[name]?.depends_on?.migrate).toEqual({ condition: 'service_completed_successfully' });
  }
});

test('the option that archives WAL adds to the command of PostgreSQL, and its archive belongs to PostgreSQL', () => {
  const option = parse(readFileSync(join(projectFolder, 'deploy/compose.archive.yml'), 'utf8'));
  const { postgres, 'archive-folder': folder } = option.services;
  const { command, image: used } = parse(compositionText()).services.postgres;
  expect(postgres.command.slice(0, command.length)).toEqual(command);
  expect(postgres.command).toContain('archive_mode=on');
  expect([folder.image, folder.volumes]).toEqual([used, ['archive:/archive']]);
  for (const [, file] of postgres.command.join(' ').matchAll(/sh \/deploy\/(\S+)/g))
    expect(existsSync(join(projectFolder, 'deploy', 'postgres', file))).toBe(true);
});

test("the proxy's address is fixed, is in the services' network, and is the only trusted proxy", () => {
  const { networks, services: all } = parse(compositionText());
  const address: string = all.proxy.networks.default.ipv4_address;
  const [{ subnet }] = networks.default.ipam.config;
  expect(subnet).toBe(`${address.split('.').slice(0, 3).join('.')}.0/24`);
  expect(services.api?.environment?.TRUSTED_PROXIES).toBe(`${address}/32`);
});

/** Parses the dynamic configuration of Temporal's server. */
function temporalSettings(): unknown {
  const { environment, volumes } = parse(compositionText()).services.temporal;
  const [file, mounted] = volumes[0].split(':');
  expect(mounted).toBe(environment.DYNAMIC_CONFIG_FILE_PATH);
  return parse(readFileSync(join(projectFolder, file), 'utf8'));
}

test('the task queues of two workers have one partition', () => {
  const one = [{ value: 1 }];
  expect(temporalSettings()).toMatchObject({
    'matching.numTaskqueueReadPartitions': one,
    'matching.numTaskqueueWritePartitions': one,
  });
});

test('the task queues are fair among accounts', () => {
  const on = [{ value: true }];
  expect(temporalSettings()).toMatchObject({ 'matching.useNewMatcher': on, 'matching.enableFairness': on });
});

test("only migrate gets the password of the database's owner", () => {
  const told = (name: string) =>
    Object.values(ours[name]?.environment ?? {})
      .join('\n')
      .includes('of-the-owner');
  expect(Object.keys(ours).filter(told)).toEqual(['migrate']);
});

test('a service waits only for the health of services that have a health check', () => {
  const waiting = Object.values(services).flatMap(({ depends_on = {} }) => Object.entries(depends_on));
  expect(waiting.length).toBeGreaterThan(5);
  for (const [name, { condition }] of waiting) {
    expect({ name, condition, exists: services[name] !== undefined }).toMatchObject({ exists: true });
    if (condition === 'service_healthy') expect(services[name]?.healthcheck).toBeDefined();
    else expect(services[name]?.restart).toMatch(/^on-failure/);
  }
});

test('exactly the containers that keep running have a health check', () => {
  const staying = Object.entries(services).filter(([, { restart }]) => restart === 'unless-stopped');
  expect(staying.length).toBeGreaterThan(5);
  expect(staying.filter(([, { healthcheck }]) => !healthcheck).map(([name]) => name)).toEqual([]);
  const watched = Object.entries(services).filter(([, { healthcheck }]) => healthcheck);
  expect(watched.map(([name]) => name)).toEqual(staying.map(([name]) => name));
});

test('the health checks of the proxy and of the web interface use the ports on which those listen', () => {
  const asked = (name: string) => new URL(services[name]?.healthcheck?.test.at(-1) ?? '');
  const [, frontend = ''] =
    /^frontend health\n((?: .*\n)+)/m.exec(readFileSync(join(projectFolder, 'deploy/haproxy.cfg'), 'utf8')) ?? [];
  const { host, pathname } = asked('proxy');
  expect(frontend).toContain(`bind ${host}\n  monitor-uri ${pathname}\n`);
  expect(services['temporal-ui']?.ports?.[0]).toMatch(new RegExp(`:${asked('temporal-ui').port}$`));
});

test('the proxy checks /ready on the port of the APIs, often enough to notice in time that one shuts down', () => {
  const proxy = readFileSync(join(projectFolder, 'deploy/haproxy.cfg'), 'utf8');
  const { PORT, SHUTDOWN_DELAY } = ours.api?.environment ?? {};
  expect(proxy).toContain(`server-template api- 10 api:${PORT}`);
  expect(proxy).toContain('uri /ready');
  const [, seconds, falls] = /check inter (\d+)s fall (\d+)/.exec(proxy) ?? [];
  expect(Number(SHUTDOWN_DELAY)).toBeGreaterThan(Number(seconds) * Number(falls) * 1000);
  expect(services.proxy?.ports?.[0]).toMatch(/:8080$/);
  expect(proxy).toContain('bind :8080');
  expect(Number.parseInt(ours.api?.stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(
    45_000 + Number(SHUTDOWN_DELAY),
  );
});

test('a worker gets the time that it needs to end', () => {
  const closes = closeMillisecondsOf(testConfig({ DATABASE_URL: 'postgres://localhost/perennial' }));
  expect(Number.parseInt(ours.worker?.stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(closes);
});

/** The files that programs load, with those that these load. `isStart`: only what they load at their start. */
function filesOf(programs: readonly string[], isStart = false): string[] {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { specifier, typeOnly, isLater } of importsOf(readFileSync(join(projectFolder, file), 'utf8'))) {
      if (specifier?.startsWith('.') && !typeOnly && !(isStart && isLater)) load(posix.join(dirname(file), specifier));
    }
  };
  for (const program of programs) load(`bin/${program}`);
  return [...loaded];
}

test('a worker loads no code of the API at its start', () => {
  const loaded = filesOf(['roles/worker.ts'], true);
  expect(loaded).toContain('workers/relay.ts');
  expect(loaded.filter((file) => file.startsWith('api/'))).toEqual([]);
});

test('the image contains every file that its programs load', () => {
  const programs = [
    'roles/api.ts',
    'roles/worker.ts',
    'openBusiness.ts',
    'reconcile.ts',
    'audit.ts',
    'gatewayAudit.ts',
  ];
  const rooms = new Set(filesOf(programs).map((file) => file.split('/')[0] ?? ''));
  for (const room of ['client', 'dashboard', 'words']) rooms.add(room); // the dashboard is built from these
  const expected = [...rooms, 'package.json', 'package-lock.json'].sort();
  expect(image().copied).toEqual(expected);
  expect(sentToBuild()).toEqual(expected);
});
