import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectFolder } from '../suites.ts';
import { scratchFolder } from '../support/scratch.ts';

/** Where test files share modules the runner is the project's own: what must fail there, planted and run in another process. */

let folder: string;
beforeAll(async () => {
  folder = await scratchFolder('runner');
});
afterAll(() => rm(folder, { recursive: true }));

interface Ran {
  failed: string[];
  crashed: string;
  late: string[];
  code: number | null;
}

/** Runs a test file of this text as a worker does. */
function ran(text: string): Ran {
  const [path, lateFile] = [join(folder, 'planted.mjs'), join(folder, 'late')];
  writeFileSync(path, `import { expect, test } from '@jest/globals';\n${text}`);
  const runner = join(projectFolder, 'test', 'jest', 'sharedModules.ts');
  const config = { rootDir: folder, testMatch: [], testTimeout: 5000 };
  const program = `const { runFile } = await import(${JSON.stringify(runner)});
    const result = await runFile({}, ${JSON.stringify(config)}, ${JSON.stringify(path)});
    process.stdout.write(JSON.stringify(result));`;
  const env = { ...process.env, PERENNIAL_TEST_LATE: lateFile };
  const done = spawnSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' });
  const result = JSON.parse(done.stdout);
  const late = existsSync(lateFile) ? readFileSync(lateFile, 'utf8').trimEnd().split('\n') : [];
  return {
    failed: result.testResults
      .filter(({ status }: { status: string }) => status === 'failed')
      .map(({ fullName }: { fullName: string }) => fullName),
    crashed: result.testExecError?.stack ?? '',
    late,
    code: done.status,
  };
}

test('a test with fewer assertions than declared fails', () => {
  const { failed, crashed } = ran(`
    test('too few', () => { expect.assertions(2); expect(1).toBe(1); });
    test('none', () => { expect.hasAssertions(); });
    test('as said', () => { expect.assertions(1); expect(1).toBe(1); });
    test('nothing said', () => {});`);
  expect(failed).toEqual(['too few', 'none']);
  expect(crashed).toBe('');
});

test("an error left by a file's last action is reported for the file", () => {
  const rejected = ran(`test('leaves', () => { void Promise.reject(new Error('left')); });`);
  expect(rejected.crashed).toMatch(/Error: left\n.*planted\.mjs/);
  expect(rejected.late).toEqual([]);
  const thrown = ran(`test('throws', () => { setImmediate(() => { throw new Error('thrown'); }); });`);
  expect(thrown.crashed).toMatch(/Error: thrown/);
});

test("an error after the end of a file is reported with the file's name and fails the process", () => {
  const { failed, crashed, late, code } = ran(
    `test('late', () => { setTimeout(() => { throw new Error('too late'); }, 300); });`,
  );
  expect([failed, crashed]).toEqual([[], '']);
  expect(late.map((line) => JSON.parse(line))).toMatchObject([
    { path: join(folder, 'planted.mjs'), error: expect.stringMatching(/Error: too late/) },
  ]);
  expect(code).toBe(1);
});
