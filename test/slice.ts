import { execFileSync } from 'node:child_process';
import { isExtra, isLong, projectFolder } from './suites.ts';

/** Number of slices that the long and the extra files are split into. */
export const SLICES = 6;

/** Files of every slice: foreign validators read the papers of the product. */
export const ALWAYS: readonly string[] = ['test/extra/papers.test.ts'];

/** A commit as far as its slice depends on it. */
export interface Commit {
  /** Number of commits up to it, itself included. */
  count: number;
  /** Files that commits of its last two days changed. */
  changed: readonly string[];
}

/**
 * The files of a slice in the order in which they run: those of every slice, those that changed lately, and every sixth of the others.
 * `number`: the slice, from 0; absent: the commit decides.
 */
export function sliceOf(all: readonly string[], commit: Commit, number = commit.count % SLICES): string[] {
  const files = all.filter((file) => isLong(file) || isExtra(file));
  const always = files.filter((file) => ALWAYS.includes(file));
  const changed = files.filter((file) => commit.changed.includes(file) && !always.includes(file));
  const others = files.filter((file) => !always.includes(file) && !changed.includes(file));
  return [...always, ...rotated(changed, commit.count), ...others.filter((_, index) => index % SLICES === number)];
}

/** The files in an order that begins elsewhere at each commit, so that a run without time for all of them begins with others. */
function rotated(files: readonly string[], count: number): string[] {
  const first = count % Math.max(1, files.length);
  return [...files.slice(first), ...files.slice(0, first)];
}

/** The commit that is checked out. */
export function currentCommit(): Commit {
  const day = 86_400;
  const since = Number(git('log', '-1', '--format=%ct')) - 2 * day;
  const names = git('log', `--since=${since}`, '--name-only', '--format=').split('\n');
  return { count: Number(git('rev-list', '--count', 'HEAD')), changed: [...new Set(names)] };
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: projectFolder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).trim();
}
