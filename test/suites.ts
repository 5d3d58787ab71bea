import { globSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';

export const projectFolder = resolve(import.meta.dirname, '..');

/**
 * One folder of test/. `workers`: files at a time; `temporal`: whether the run's Temporal server is started for it; `extra`: it needs
 * programs beside npm's packages, and runs only when it is named.
 */
export interface Suite {
  name: string;
  temporal: boolean;
  workers: number;
  extra?: boolean;
}

/** The suites in the order in which they run: the quick ones first. */
export const suites: readonly Suite[] = [
  { name: 'unit', temporal: false, workers: 2 },
  { name: 'contract', temporal: false, workers: 1 },
  { name: 'adapters', temporal: false, workers: 2 },
  { name: 'api', temporal: false, workers: 2 },
  { name: 'client', temporal: true, workers: 2 },
  { name: 'processes', temporal: true, workers: 3 },
  { name: 'faults', temporal: true, workers: 4 }, // a third of it waits for time-outs
  { name: 'replay', temporal: true, workers: 2 },
  { name: 'startup', temporal: true, workers: 2 },
  { name: 'extra', temporal: true, workers: 1, extra: true },
];

/** Checks that need no test runner: a program of node_modules and its arguments. Run in this order, the first that fails ends the run. */
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

/** Every file that looks like a test, relative to the project; long variants (test/<suite>/long/) are told apart by `isLong`. */
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

/** The path as `findTestFiles` writes it. */
export function testPath(file: string): string {
  return relative(projectFolder, resolve(file));
}
