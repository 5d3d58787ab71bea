import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FileReport, RunReport } from '../jest/reporter.ts';
import { projectFolder } from '../suites.ts';
import { scratchFolder } from '../support/scratch.ts';

/** Runs planted test files in another Jest process, and expects that they fail. */

let folder: string;
beforeAll(async () => {
  folder = await scratchFolder('runner');
});
afterAll(() => rm(folder, { recursive: true }));

interface Ran {
  report: FileReport;
  /** Standard output and standard error. */
  output: string;
  code: number | null;
}

/** Runs a test file with this text. */
function ran(text: string): Ran {
  const [path, reportFile] = [join(folder, 'planted.mjs'), join(folder, 'report.json')];
  writeFileSync(path, `import { expect, test } from '@jest/globals';\n${text}`);
  const own = (name: string) => join(projectFolder, 'test', 'jest', name);
  const config = {
    rootDir: folder,
    testMatch: ['**/planted.mjs'],
    moduleFileExtensions: ['mjs', 'js', 'cjs', 'json', 'node'],
    transform: { planted: own('sharedFile.js') },
    testEnvironment: own('environment.ts'),
    reporters: [own('reporter.ts')],
  };
  const jest = join(projectFolder, 'node_modules', 'jest', 'bin', 'jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const args = [...flags, jest, '--ci', '--runInBand', '--config', JSON.stringify(config)];
  const env = { ...process.env, PERENNIAL_TEST_REPORT: reportFile };
  const done = spawnSync(process.execPath, args, { cwd: projectFolder, env, encoding: 'utf8' });
  const { files }: RunReport = JSON.parse(readFileSync(reportFile, 'utf8'));
  const [report] = files;
  if (report === undefined) throw new Error(`nothing was run: ${done.stdout}${done.stderr}`);
  return { report, output: done.stdout + done.stderr, code: done.status };
}

test('a test with fewer assertions than declared fails', () => {
  const { report } = ran(`
    test('too few', () => { expect.assertions(2); expect(1).toBe(1); });
    test('none', () => { expect.hasAssertions(); });
    test('as said', () => { expect.assertions(1); expect(1).toBe(1); });
    test('nothing said', () => {});`);
  expect(report).toMatchObject({ failed: ['too few', 'none'], passed: 2, crashed: false });
});

test("an error left by a file's last action is reported for the file", () => {
  for (const act of [`void Promise.reject(new Error('left'));`, `setImmediate(() => { throw new Error('left'); });`]) {
    const { report, output, code } = ran(`test('leaves', () => { ${act} });`);
    expect([report.crashed, code]).toEqual([true, 1]);
    expect(output).toMatch(/Error: left\n.*planted\.mjs/);
  }
});

test("an error after the end of a file is reported with the file's name and fails the process", () => {
  const { report, output, code } = ran(
    `test('late', () => { setTimeout(() => { throw new Error('too late'); }, 300); });`,
  );
  expect([report.failed, report.crashed]).toEqual([[], false]);
  expect(output).toContain(`after the end of ${join(folder, 'planted.mjs')}: Error: too late`);
  expect(code).toBe(1);
});

test('expect compares built-ins of shared modules', () => {
  expect([1, 'a', true, 1n, { b: 2 }, [3], new Date(4), () => 5]).toEqual(
    [Number, String, Boolean, BigInt, Object, Array, Date, Function].map((type) => expect.any(type)),
  );
  for (const [one, other] of [
    [new Date(1), new Date(2)],
    [new Error('one'), new Error('other')],
    [/one/, /other/],
    [new Map([[1, 1]]), new Map([[1, 2]])],
    [new Set([1]), new Set([2])],
    [new Uint8Array([1]), new Uint8Array([2])],
    [new URL('https://one.example'), new URL('https://other.example')],
  ]) {
    expect({ one }).not.toEqual({ one: other });
    expect({ one }).toEqual({ one });
  }
  expect({ at: new Date(1) }).not.toMatchObject({ at: new Date(2) });
  expect({ error: new Error('one') }).not.toMatchObject({ error: new Error('other') });
});

test('the report of a file names the seeds of its failures', () => {
  const { report } = ran(`
    test('random', () => { throw new Error('Property failed after 3 tests\\n{ seed: -1819918769, path: "2:1" }'); });
    test('walk', () => { throw new Error('seed 16: 3 is not 4'); });`);
  expect(report.seeds).toEqual(['-1819918769', '16']);
});
