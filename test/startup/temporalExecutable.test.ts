import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { projectFolder } from '../suites.ts';
import { scratchFolder } from '../support/scratch.ts';

const run = promisify(execFile);
const SEARCH = `
  const { findTemporal } = await import(process.argv[1]);
  const said = [];
  const progress = (line) => said.push(line);
  const search = findTemporal({ cacheFolder: process.argv[2], progress });
  const found = await search.then((found) => ({ found }), ({ message }) => ({ message }));
  console.log(JSON.stringify({ ...found, said }));
`;

/** The parts of a checkout that look for Temporal. `cache`: the cache of a data folder. `path`: the only folder of PATH. */
let project: string;
let cache: string;
let path: string;
/** The HTTPS proxy for downloads. It refuses all connections and records their targets. */
let proxy: Server;
let wanted: string[] = [];

beforeAll(async () => {
  proxy = createServer().on('connect', (request, socket) => {
    wanted.push(request.url ?? '');
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void proxy.close());

beforeEach(async () => {
  wanted = [];
  project = await scratchFolder('temporal');
  cache = join(project, 'data', 'cache');
  path = join(project, 'path');
  for (const file of [
    'package.json',
    'bin/local/goInstall.ts',
    'bin/local/identity.ts',
    'bin/local/temporalExecutable.ts',
    'bin/local/downloadTemporal.ts',
  ])
    cpSync(join(projectFolder, file), join(project, file));
  symlinkSync(join(projectFolder, 'node_modules'), join(project, 'node_modules'));
  mkdirSync(path);
});
afterEach(() => rmSync(project, { recursive: true }));

/** Writes a program that prints this version. Returns its path. */
function program(file: string, version: string, mode = 0o755): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho '${version}'\n`);
  chmodSync(file, mode);
  return file;
}

const temporal = (file: string): string => program(file, 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)');

/** Puts a fake `go` on PATH. It records its arguments and runs the script. */
function go(script: string): void {
  writeFileSync(join(path, 'go'), `#!/bin/sh\necho "$@" > '${join(project, 'asked-of-go')}'\n${script}\n`, {
    mode: 0o755,
  });
}

interface Search {
  found?: string;
  message?: string;
  said: string[];
}

/** Looks for Temporal as a start does, in a process with this PATH. */
async function find(searchPath = path): Promise<Search> {
  const { port } = proxy.address() as AddressInfo;
  const env = { PATH: searchPath, HTTPS_PROXY: `http://127.0.0.1:${port}` };
  const module = join(project, 'bin/local/temporalExecutable.ts');
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', SEARCH, module, cache], { env });
  return JSON.parse(stdout);
}

test('the first Temporal on PATH is used before any cache; other programs of that name are skipped', async () => {
  const folders = ['locked', 'foreign', 'first', 'second'].map((name) => join(project, name));
  const [locked = '', foreign = '', first = '', second = ''] = folders.map((folder) => join(folder, 'temporal'));
  program(locked, 'Server', 0o644);
  program(foreign, 'temporal, a calendar for the terminal');
  for (const file of [first, second, join(cache, 'temporal'), join(project, '.data/cache/temporal')]) temporal(file);
  expect(await find(folders.join(':'))).toEqual({ found: first, said: [] });
});

test("without Temporal on PATH, the data folder's cache is used, then the project's", async () => {
  const [own, shared] = [join(cache, 'temporal'), join(project, '.data/cache/temporal')].map(temporal);
  expect(await find()).toEqual({ found: own, said: [] });
  program(own ?? '', 'for another machine');
  expect(await find()).toEqual({ found: shared, said: [] });
});

test('otherwise the SDK downloads Temporal; if that fails, Go builds it into the cache once', async () => {
  const built = temporal(join(project, 'built'));
  go(`/bin/cp '${built}' "$GOBIN/temporal"`);
  const { pid: ended } = spawnSync('true');
  const [abandoned, busy] = [`unfinished-${ended}-a`, `unfinished-${process.pid}-b`];
  for (const unfinished of [abandoned, busy]) mkdirSync(join(cache, unfinished), { recursive: true });

  const [first, again] = [await find(), await find()];
  expect(wanted).toEqual(['temporal.download:443']);
  expect(readFileSync(join(project, 'asked-of-go'), 'utf8')).toMatch(
    /^install -v github\.com\/temporalio\/cli\/cmd\/temporal@v[\d.]+$/m,
  );
  const said = [
    expect.stringMatching(/^Downloading .* at most two minutes/),
    expect.stringMatching(/^Building .* with Go/),
  ];
  expect(first).toEqual({ found: join(cache, 'temporal'), said });
  expect(again).toEqual({ found: join(cache, 'temporal'), said: [] });
  expect(readdirSync(cache).sort()).toEqual(['temporal', busy]);
});

test('a download by the SDK is kept in the cache, and Go is not used', async () => {
  go('exit 1');
  rmSync(join(project, 'node_modules'));
  const sdk = join(project, 'node_modules/@temporalio/testing/index.cjs');
  const download = temporal(join(project, 'download'));
  mkdirSync(dirname(sdk), { recursive: true });
  writeFileSync(join(dirname(sdk), 'package.json'), '{ "main": "index.cjs" }');
  writeFileSync(
    sdk,
    `exports.TestWorkflowEnvironment = {
      async createLocal({ server: { executable: { type, downloadDir } } }) {
        if (type === 'cached-download') require('fs').copyFileSync('${download}', downloadDir + '/temporal-sdk-1.24.0');
        return { async teardown() {} };
      },
    };`,
  );
  expect(await find()).toEqual({ found: join(cache, 'temporal'), said: [expect.stringContaining('Downloading')] });
  expect(existsSync(join(project, 'asked-of-go'))).toBe(false);
  expect(readdirSync(cache)).toEqual(['temporal']);
});

test.each([
  ['Go is missing', '', /^ {2}go install \S+: Go is not installed$/m],
  ['Go fails', 'echo go: downloading >&2; echo no route >&2; exit 1', /^ {2}go install \S+: no route$/m],
  [
    'the built program does not run',
    'echo exit 1 > "$GOBIN/temporal"',
    /^ {2}The downloaded or built program does not run: /m,
  ],
])('when the download fails and %s, the error says what was tried and what to do', async (_what, script, why) => {
  if (script) go(script);
  const { found, message } = await find();
  expect(found).toBeUndefined();
  expect(message).toMatch(
    /^No Temporal server could be found, downloaded or built:\n {2}Download by the Temporal SDK: .*temporal\.download/,
  );
  expect(message).toMatch(why);
  expect(message).toMatch(
    /^Install the Temporal CLI \("temporal"\) or Go and start again, or set TEMPORAL_ADDRESS to a server that runs elsewhere\.$/m,
  );
  expect(readdirSync(cache)).toEqual([]);
});
