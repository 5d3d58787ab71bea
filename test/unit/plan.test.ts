import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { planRun } from '../plan.ts';
import { ALWAYS, SLICES, sliceOf } from '../slice.ts';
import { findTestFiles, isExtra, isLong, projectFolder } from '../suites.ts';

const filesOf = (args: string[]) => planRun(args).batches.flatMap(({ files }) => files);
const scripts: Record<string, string> = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')).scripts;

/** The arguments of a script that runs tests. */
function argsOf(script: string): string[] {
  return (scripts[script] ?? '').replace('node bin/bootstrap.cjs test', '').split(' ').filter(Boolean);
}

test('npm test leaves out the long and the extra files, and names the long ones', () => {
  const { leftOut, checks } = planRun(argsOf('test'));
  expect(filesOf([]).filter((file) => isLong(file) || file.startsWith('test/extra/'))).toEqual([]);
  expect(leftOut).toEqual(findTestFiles().filter(isLong));
  expect(checks).toHaveLength(3);
  const { leftOut: ofFaults } = planRun(['faults']);
  expect(ofFaults).toEqual(leftOut.filter((file) => file.startsWith('test/faults/')));
});

test('npm run test:long runs only long files, npm run test:faults all files of faults', () => {
  expect(filesOf(argsOf('test:long')).toSorted()).toEqual(findTestFiles().filter(isLong));
  expect(planRun(argsOf('test:long')).checks).toEqual([]);
  const faults = findTestFiles().filter((file) => file.startsWith('test/faults/'));
  expect(filesOf(argsOf('test:faults')).toSorted()).toEqual(faults);
});

test('files run again only with a time until when, which keeps the budget of a whole run', () => {
  expect(planRun([])).toMatchObject({ recheck: null, budget: 480 });
  expect(planRun(['--recheck', '1740'])).toMatchObject({ recheck: 1740, budget: 480 });
  expect(planRun(['unit', '--recheck', '60'])).toMatchObject({ recheck: 60, budget: null });
  expect(() => planRun(['--recheck'])).toThrow('--recheck needs a number');
});

test('a long file runs when it is named', () => {
  const [file = ''] = findTestFiles().filter(isLong);
  expect(filesOf([file])).toEqual([file]);
  expect(planRun([file]).leftOut).toEqual([]);
});

test('npm run test:all runs every file and the checks', () => {
  expect(filesOf(argsOf('test:all')).toSorted()).toEqual(findTestFiles());
  expect(planRun(argsOf('test:all')).checks).toHaveLength(3);
});

const slow = findTestFiles().filter((file) => isLong(file) || isExtra(file));

test('six commits in a row run every long and every extra file once, and the validators of papers each time', () => {
  const runs = Array.from({ length: SLICES }, (_, index) => sliceOf(slow, { count: 600 + index, changed: [] }));
  const others = slow.filter((file) => !ALWAYS.includes(file));
  expect(runs.flatMap((files) => files.filter((file) => !ALWAYS.includes(file))).toSorted()).toEqual(others);
  const always = slow.filter((file) => ALWAYS.includes(file));
  for (const files of runs) expect(files.slice(0, always.length)).toEqual(always);
  expect(Math.max(...runs.map(({ length }) => length))).toBeLessThanOrEqual(
    Math.ceil(slow.length / SLICES) + ALWAYS.length,
  );
});

test('a slice has the slow files that changed lately, before the others, and begins elsewhere among them at each commit', () => {
  const changed = [
    'test/faults/long/b.test.ts',
    'test/faults/long/a.test.ts',
    'test/unit/money.test.ts',
    'docs/usage.md',
  ];
  const all = ['a', 'b', 'c', 'd'].map((name) => `test/faults/long/${name}.test.ts`).concat('test/unit/money.test.ts');
  const [a, b, c, d] = all;
  expect(sliceOf(all, { count: 6, changed })).toEqual([a, b, c]);
  expect(sliceOf(all, { count: 7, changed })).toEqual([b, a, d]);
  expect(sliceOf(all, { count: 7, changed }, 0)).toEqual([b, a, c]);
});

test('a slice runs one file at a time, and says how to repeat it', () => {
  const { batches, told, checks, within } = planRun(['--slice', '5', '--within', '60']);
  expect(batches.flatMap(({ files }) => files).length).toBeGreaterThan(slow.length / SLICES - 2);
  expect([told, checks, within]).toEqual([true, [], 60]);
  expect(new Set(batches.map(({ workers }) => workers))).toEqual(new Set([1]));
  expect(() => planRun(['--slice', '6'])).toThrow('--slice needs a number from 0 to 5');
});
