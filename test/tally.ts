import type { FileReport } from './jest/reporter.ts';

/** The results of a run so far. `failures` has one line for each failed or skipped test, failed check, and error of the run itself. */
export interface Tally {
  passed: number;
  failures: string[];
  /** One line for each file that failed once and then passed alone. */
  flaky: string[];
  times: string[];
}

/** Adds the report of a test file. A skipped test counts as failed, unless a name pattern selects the tests. */
export function addReport(report: FileReport, isFiltered: boolean, tally: Tally): void {
  tally.passed += report.passed;
  tally.failures.push(...report.failed.map((name) => `${report.path}: ${name}`));
  if (report.crashed) tally.failures.push(`${report.path}: failed outside its tests`);
  if (!isFiltered) tally.failures.push(...report.skipped.map((name) => `${report.path}: ${name} (skipped)`));
}

/** Whether a file failed. */
export function hasFailed({ failed, crashed }: FileReport): boolean {
  return crashed || failed.length > 0;
}

/** Moves a file that failed, and passed when it ran alone, from the failures to the flaky ones. */
export function setFlaky({ path, failed, seeds }: FileReport, tally: Tally): void {
  tally.failures = tally.failures.filter((line) => !line.startsWith(`${path}: `));
  const tests = failed.length > 0 ? failed.join('; ') : 'outside its tests';
  const seed = seeds.length > 0 ? `, seed ${seeds.join(', ')}` : '';
  tally.flaky.push(`${path}: ${tests}${seed}. Repeat it: npm test -- ${path} --repeat 10`);
}

/** Records and prints how long a step took. */
export function addTime(name: string, startedAt: number, tally: Tally): void {
  const time = `${name} ${seconds(startedAt)}`;
  tally.times.push(time);
  print(time);
}

/** Prints the failures, the times and the last line. `budget`: seconds that the run should take at most. Returns the exit code. */
export function close(tally: Tally, startedAt: number, budget: number | null): number {
  const failed = tally.failures.length;
  if (failed > 0) print(`\nfailed:\n${tally.failures.map((line) => `  ${line}`).join('\n')}`);
  if (tally.flaky.length > 0)
    print(
      `\nflaky, failed once and passed alone; find the cause:\n${tally.flaky.map((line) => `  ${line}`).join('\n')}`,
    );
  print(`\ntimes: ${[...tally.times, `all ${seconds(startedAt)}`].join(', ')}`);
  if (budget !== null && failed === 0 && performance.now() - startedAt > budget * 1000)
    print(
      `over the budget of ${budget} s. If the machine was quiet, make tests faster or move some to test/<suite>/long/`,
    );
  print(`${tally.passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
