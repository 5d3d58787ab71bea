import { globSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';

export const projectFolder = resolve(import.meta.dirname, '..');

/**
 * One folder of test/. `temporal`: it needs a Temporal server. `extra`: it needs programs that npm does not install, and runs only when it is
 * named.
 */
export interface Suite {
  name: string;
  temporal?: boolean;
  extra?: boolean;
}

/** Suites that run in one call of Jest. `workers`: number of files that run at the same time. */
export interface Batch {
  suites: readonly Suite[];
  workers: number;
}

/** The batches in the order in which they run: quick suites first. */
export const batches: readonly Batch[] = [
  {
    suites: ['unit', 'adapters', 'api'].map((name) => ({ name })),
    workers: 3, // on two cores, because a file also waits for PostgreSQL
  },
  {
    suites: ['client', 'processes', 'faults', 'replay', 'startup'].map((name) => ({ name, temporal: true })),
    workers: 4, // half of their time is waiting for timers and time-outs
  },
  { suites: [{ name: 'extra', temporal: true, extra: true }], workers: 1 },
];

export const suites: readonly Suite[] = batches.flatMap((batch) => batch.suites);

/** Checks that need no test runner: a program of node_modules and its arguments. They run in this order. The first failure ends the run. */
export const checks = [
  {
    name: 'lint',
    title: 'format and lint',
    program: '@biomejs/biome/bin/biome',
    args: ['check', '--error-on-warnings', '.'],
  },
  { name: 'types', title: 'types', program: 'typescript/bin/tsc', args: ['-p', '.'] },
  { name: 'browser', title: 'types of the dashboard', program: 'typescript/bin/tsc', args: ['-p', 'dashboard'] },
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

export function isExtra(file: string): boolean {
  return suiteOf(file)?.extra === true;
}

/** A path in the form that `findTestFiles` returns. */
export function testPath(file: string): string {
  return relative(projectFolder, resolve(file));
}
