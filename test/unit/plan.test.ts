import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { planRun, rotated } from '../plan.ts';
import { findTestFiles, isLong, projectFolder } from '../suites.ts';

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
  expect(checks).toHaveLength(2);
  const { leftOut: ofFaults } = planRun(['faults']);
  expect(ofFaults).toEqual(leftOut.filter((file) => file.startsWith('test/faults/')));
});

test('npm run test:long runs only long files, npm run test:faults all files of faults', () => {
  expect(filesOf(argsOf('test:long')).toSorted()).toEqual(findTestFiles().filter(isLong));
  expect(planRun(argsOf('test:long')).checks).toEqual([]);
  const faults = findTestFiles().filter((file) => file.startsWith('test/faults/'));
  expect(filesOf(argsOf('test:faults')).toSorted()).toEqual(faults);
});

test('a long file runs when it is named', () => {
  const [file = ''] = findTestFiles().filter(isLong);
  expect(filesOf([file])).toEqual([file]);
  expect(planRun([file]).leftOut).toEqual([]);
});

test('the scripts of .ci/run run every test file once', () => {
  const called = [...readFileSync(join(projectFolder, '.ci/run'), 'utf8').matchAll(/^npm (?:run )?(\S+)/gm)];
  const run = called.flatMap(([, script = '']) => filesOf(argsOf(script)));
  expect(run.toSorted()).toEqual(findTestFiles());
});

test('a run with a time limit begins each day with the next file', () => {
  const on = (day: string) => rotated(['a', 'b', 'c'], new Date(day));
  expect(['1970-01-01', '1970-01-02', '1970-01-03', '1970-01-04'].map(on)).toEqual([
    ['a', 'b', 'c'],
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
    ['a', 'b', 'c'],
  ]);
  expect(planRun(['extra', '--within', '60']).within).toBe(60);
});
