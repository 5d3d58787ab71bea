import type { FileReport } from './jest/reporter.ts';

/** What a run has seen so far. `failures` has one line for each failed or skipped test, check or part of the run itself. */
export interface Tally {
  passed: number;
  failures: string[];
  times: string[];
}

/** Counts a file in. A skipped test counts as failed, except where a name pattern was asked to leave tests out. */
export function addReport(report: FileReport, isFiltered: boolean, tally: Tally): void {
  tally.passed += report.passed;
  tally.failures.push(...report.failed.map((name) => `${report.path}: ${name}`));
  if (report.crashed) tally.failures.push(`${report.path}: failed outside its tests`);
  if (!isFiltered) tally.failures.push(...report.skipped.map((name) => `${report.path}: ${name} (skipped)`));
}

/** Notes and prints how long a step took. */
export function addTime(name: string, startedAt: number, tally: Tally): void {
  const time = `${name} ${seconds(startedAt)}`;
  tally.times.push(time);
  print(time);
}

/** Prints what failed, the times and the closing line; answers the exit code. */
export function close(tally: Tally, startedAt: number): number {
  const failed = tally.failures.length;
  if (failed > 0) print(`\nfailed:\n${tally.failures.map((line) => `  ${line}`).join('\n')}`);
  print(`\ntimes: ${[...tally.times, `all ${seconds(startedAt)}`].join(', ')}`);
  print(`${tally.passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
