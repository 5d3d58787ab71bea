import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { projectFolder } from '../suites.ts';
import { scratchFolder } from '../support/scratch.ts';

/** A checkout with a lock file of three packages. One of them is for other platforms. */
let project: string;

const LOCKED = {
  '': { name: 'perennial' },
  'node_modules/node': { version: '24.21.0', integrity: 'sha512-node' },
  'node_modules/koa': { version: '3.2.1', integrity: 'sha512-koa' },
  'node_modules/fsevents': { version: '2.3.3', integrity: 'sha512-fsevents', optional: true },
};
/** The packages that npm records as installed. */
const INSTALLED = { 'node_modules/node': LOCKED['node_modules/node'], 'node_modules/koa': LOCKED['node_modules/koa'] };

/** A fake npm: records its arguments, installs Node, and writes the record of installed packages. */
const NPM = `
const { appendFileSync, mkdirSync, symlinkSync, writeFileSync, rmSync } = require('node:fs');
appendFileSync('asked', process.argv.slice(2).join(' ') + '\\n');
if (process.env.NPM_ENDS_WITH) process.exit(Number(process.env.NPM_ENDS_WITH));
rmSync('node_modules', { recursive: true, force: true });
mkdirSync('node_modules/node/bin', { recursive: true });
if (!process.env.NPM_LEAVES_NOTHING) symlinkSync(process.execPath, 'node_modules/node/bin/node');
writeFileSync('node_modules/.package-lock.json', ${JSON.stringify(JSON.stringify({ packages: INSTALLED }))});
`;

beforeEach(async () => {
  project = await scratchFolder('bootstrap');
  mkdirSync(join(project, 'bin'));
  cpSync(join(projectFolder, 'bin/bootstrap.cjs'), join(project, 'bin/bootstrap.cjs'));
  write('bin/perennial.ts', `console.log('Perennial:', process.argv.slice(2).join(' ')); process.exit(7);`);
  write('npm.cjs', NPM);
  lock(LOCKED);
});
afterEach(() => rmSync(project, { recursive: true }));

function write(file: string, text: string): void {
  writeFileSync(join(project, file), text);
}

const lock = (packages: object): void => write('package-lock.json', JSON.stringify({ packages }));

/** The arguments of each call of npm so far. */
function asked(): string[] {
  const file = join(project, 'asked');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

const withNpm = (): Record<string, string> => ({ npm_execpath: join(project, 'npm.cjs') });

/** Runs `npm start` in the checkout with the installed Node. */
function start(env: Record<string, string> = withNpm()) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(project, 'bin/bootstrap.cjs'), 'start', 'now'], {
    env: { PATH: '', ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const RAN = { status: 7, stdout: 'Perennial: start now\n', stderr: '' };
const INSTALLS = 'Installing the locked dependencies (once, a minute or two) …\n';
const CI = 'ci --include=dev --no-audit --no-fund --loglevel=error';

test('missing dependencies are installed once; then the command runs, and its exit code is returned', () => {
  expect(start()).toEqual({ ...RAN, stdout: INSTALLS + RAN.stdout });
  expect(start()).toEqual(RAN);
  expect(asked()).toEqual([CI]);
});

test('a changed lock file installs again, unless its packages are already installed', () => {
  start();
  const newer = { 'node_modules/koa': { version: '3.2.2', integrity: 'sha512-newer' } };
  lock({ ...LOCKED, ...newer });
  expect([start().stdout, start().stdout]).toEqual([INSTALLS + RAN.stdout, RAN.stdout]);
  expect(asked()).toEqual([CI, CI]);

  const newest = { 'node_modules/koa': { version: '3.2.3', integrity: 'sha512-newest' } };
  lock({ ...LOCKED, ...newest });
  write('node_modules/.package-lock.json', JSON.stringify({ packages: { ...INSTALLED, ...newest } }));
  expect(start()).toEqual(RAN);
  expect(asked()).toEqual([CI, CI]);
});

test('an installation by hand is kept, although packages for other platforms are missing', () => {
  spawnSync(process.execPath, [join(project, 'npm.cjs'), 'by hand'], { cwd: project });
  expect([start(), start()]).toEqual([RAN, RAN]);
  expect(asked()).toEqual(['by hand']);
});

test('an interrupted installation is repeated', () => {
  spawnSync(process.execPath, [join(project, 'npm.cjs'), 'by hand'], { cwd: project });
  rmSync(join(project, 'node_modules/.package-lock.json')); // npm writes it at the very end
  expect(start()).toEqual({ ...RAN, stdout: INSTALLS + RAN.stdout });
  expect(asked()).toEqual(['by hand', CI]);
});

test.each([
  ['npm fails', { NPM_ENDS_WITH: '3' }, 'it ended with 3'],
  ['npm does not install Node', { NPM_LEAVES_NOTHING: '1' }, 'it did not install Node'],
  ['there is no npm', { npm_execpath: '' }, 'spawnSync npm ENOENT'],
])('when %s, the start exits with 1 and the reason, and the next start tries again', (_what, env, why) => {
  expect(start({ ...withNpm(), ...env })).toEqual({
    status: 1,
    stdout: INSTALLS,
    stderr: `The dependencies could not be installed ("npm ci": ${why}). Fix the error above and start again.\n`,
  });
  expect(start()).toEqual({ ...RAN, stdout: INSTALLS + RAN.stdout });
});
