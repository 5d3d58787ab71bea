import { globSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';

export const projectFolder = resolve(import.meta.dirname, '..');

/**
 * One folder of test/. `workers`: number of files that run at the same time. `temporal`: it needs a Temporal server. `extra`: it needs
 * programs that npm does not install, and runs only when it is named.
 */
export interface Suite {
  name: string;
  temporal: boolean;
  workers: number;
  extra?: boolean;
}

/** The suites in the order in which they run: quick ones first. */
export const suites: readonly Suite[] = [
  { name: 'unit', temporal: false, workers: 2 },
  { name: 'contract', temporal: false, workers: 1 },
  { name: 'adapters', temporal: false, workers: 2 },
  { name: 'api', temporal: false, workers: 2 },
  { name: 'client', temporal: true, workers: 2 },
  { name: 'processes', temporal: true, workers: 3 },
  { name: 'faults', temporal: true, workers: 4 }, // a third of its time is waiting for time-outs
  { name: 'replay', temporal: true, workers: 2 },
  { name: 'startup', temporal: true, workers: 2 },
  { name: 'extra', temporal: true, workers: 1, extra: true },
];

/** Checks that need no test runner: a program of node_modules and its arguments. They run in this order. The first failure ends the run. */
export const checks = [
  {
    name: 'lint',
    title: 'format and lint',
    program: '@biomejs/biome/bin/biome',
    args: ['check', '--error-on-warnings', '.'],
  },
  { name: 'types', title: 'types', program: 'typescript/bin/tsc', args: ['-p', '.'] },
] as const;

export type Check = (typeof checks)[number];

/** All test files, relative to the project, including the long ones (test/<suite>/long/, see `isLong`). */
export function findTestFiles(): string[] {
  const outside = new Set(['node_modules', '.data', '.git']);
  return globSync('**/*.test.{ts,js,mjs,cjs}', {
    cwd: projectFolder,
    exclude: (path) => outside.has(basename(path)),
  }).sort();
}

export function suiteOf(file: string): Suite | undefined {
  return suites.find((suite) => file.startsWith(`${join('test', suite.name)}/`) && file.endsWith('.test.ts'));
}

export function isLong(file: string): boolean {
  return file.includes('/long/');
}

/** A path in the form that `findTestFiles` returns. */
export function testPath(file: string): string {
  return relative(projectFolder, resolve(file));
}
