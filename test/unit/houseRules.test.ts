import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectFolder } from '../suites.ts';
import { nodesOf } from '../support/imports.ts';
import { sourceFiles } from '../support/sources.ts';

const emptyWords = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'manager']);

/** Words of a path: folders, and the parts of names written in camelCase, with dots or dashes. */
function emptyNames(file: string): string[] {
  const words = file
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.filter((word) => emptyWords.has(word));
}

function assertions(source: string): number {
  return nodesOf(source).filter((node) => node.type === 'TsAsExpression' || node.type === 'TsTypeAssertion').length;
}

test('a file is called by what it holds', () => {
  expect(sourceFiles().filter((file) => emptyNames(file).length > 0)).toEqual([]);
  expect(
    ['db/utils.ts', 'api/helpers/date.ts', 'workers/jobManager.ts', 'test/support/mail-helper.ts'].map(emptyNames),
  ).toEqual([['utils'], ['helpers'], ['manager'], ['helper']]);
});

test('processes are tested through the typed client', () => {
  const processes = sourceFiles().filter((file) => file.startsWith('test/processes/'));
  const untyped = (file: string) =>
    /product\.call\(|\bAnswered\b/.test(readFileSync(join(projectFolder, file), 'utf8'));
  expect(processes.length).toBeGreaterThan(10);
  expect(processes.filter(untyped)).toEqual([]);
});

test('types are not asserted outside of the tests', () => {
  const files = sourceFiles().filter((file) => !file.startsWith('test/'));
  const asserting = files.filter((file) => assertions(readFileSync(join(projectFolder, file), 'utf8')) > 0);
  expect(asserting).toEqual([]);
  expect(assertions('const a = b as string; const c = <string>d; const e = f as const; g satisfies string;')).toBe(2);
});
