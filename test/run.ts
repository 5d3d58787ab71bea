import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { endGroup, exitCode, runJest, startProgram } from './jest/invoke.ts';
import type { FileReport } from './jest/reporter.ts';
import { startTestServers, type TestServers } from './jest/servers.ts';
import { type Plan, type PlannedBatch, planRun, usage } from './plan.ts';
import { type Check, projectFolder, type Suite, suiteOf } from './suites.ts';
import { addReport, addTime, close, hasFailed, print, setFlaky, type Tally } from './tally.ts';
import { ensureTools } from './tools.ts';

/** A run in progress. `interrupted` aborts on SIGINT, SIGTERM or SIGHUP. `child` and `servers` are stopped then. */
interface Run {
  plan: Plan;
  tally: Tally;
  interrupted: AbortSignal;
  environment: Record<string, string>;
  child: ChildProcess | null;
  servers: TestServers | null;
  /** The time of `performance.now()` at which the files end. */
  latest: number;
  /** The time of `performance.now()` at which the files that run again end. */
  recheckedUntil: number;
  /** Files that did not start or end in time. */
  late: string[];
  /** Whether a file has started. */
  begun: boolean;
  /** Files that failed. */
  failed: FileReport[];
}

/**
 * Runs the suites and checks that `args` name (see `usage` in plan.ts). The last line is `N passed, N failed`.
 * Returns the exit code: 0 only when nothing failed and nothing was skipped. With a time limit, files that do not end in time are named; the
 * first one always runs.
 */
export async function run(args: readonly string[]): Promise<number> {
  if (args.some((word) => ['help', '--help', '-h'].includes(word))) {
    print(usage);
    return 0;
  }
  const startedAt = performance.now();
  const tally: Tally = { passed: 0, failures: [], flaky: [], times: [] };
  const interruption = new AbortController();
  let budget: number | null = null;
  try {
    const plan = planRun(args);
    budget = plan.budget;
    const environment: Record<string, string> = {};
    if (plan.patience !== null) environment.PERENNIAL_TEST_PATIENCE = String(plan.patience);
    const latest = plan.within === null ? Number.POSITIVE_INFINITY : startedAt + plan.within * 1000;
    const current: Run = {
      plan,
      tally,
      environment,
      interrupted: interruption.signal,
      child: null,
      servers: null,
      latest,
      recheckedUntil: startedAt + (plan.recheck ?? 0) * 1000,
      late: [],
      begun: false,
      failed: [],
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        interruption.abort(new Error(`the run was ended by ${signal}`));
        if (current.child?.exitCode === null) endGroup(current.child);
      });
    }
    const files = plan.batches.flatMap((batch) => batch.files);
    if (plan.told) print(`${files.length} files. Repeat the run: npm test -- ${files.join(' ')}`);
    await runPlan(current).finally(() => current.servers?.stop());
    if (current.late.length > 0) print(`\nout of time, not run or not to the end: ${current.late.join(', ')}`);
    if (plan.leftOut.length > 0) print(`\nleft out, run by npm run test:long: ${plan.leftOut.join(', ')}`);
  } catch (error) {
    tally.failures.push(error instanceof Error ? error.message : String(error));
  }
  const code = close(tally, startedAt, budget);
  if (interruption.signal.aborted) process.exit(130); // set-up may still be in progress: it ends with the process
  return code;
}

async function runPlan(current: Run): Promise<void> {
  const { plan, tally, interrupted } = current;
  const startedAt = performance.now();
  const suites = plan.batches.flatMap((batch) => batch.suites);
  tally.failures.push(...plan.strays.map((file) => `${file}: belongs to no suite, so nothing runs it`));
  tally.failures.push(...plan.empty.map(({ name }) => `${name}: has no test files`));
  if (suites.some((suite) => suite.extra)) {
    const tools = await ensureTools(join(projectFolder, '.data', 'cache'), print);
    current.environment.PERENNIAL_TEST_CHROMIUM = tools.chromium;
    current.environment.PERENNIAL_TEST_SCHEMATHESIS = tools.schemathesis;
    current.environment.PERENNIAL_TEST_VALIDATORS = tools.validators;
    current.environment.PERENNIAL_TEST_PYTHON_CLIENT = tools.pythonClient;
    addTime('tools', startedAt, tally);
  }
  if (suites.length > 0) {
    current.servers = startTestServers({ temporal: suites.some((suite) => suite.temporal) }, print);
  }
  for (const check of plan.checks) {
    if (await runCheck(check, current)) continue;
    print(`${check.title} failed: nothing after it was run`);
    return;
  }
  if (current.servers !== null) {
    Object.assign(current.environment, await Promise.race([current.servers.ready, rejection(interrupted)]));
    addTime('set-up', startedAt, tally);
  }
  for (let round = 1; round <= plan.rounds; round += 1) {
    if (plan.rounds > 1) print(`\nround ${round} of ${plan.rounds}`);
    for (const batch of plan.batches) await runBatch(batch, current);
    if (plan.namePattern !== null && tally.passed === 0) tally.failures.push(`no test is called ${plan.namePattern}`);
    if (plan.rounds > 1 && tally.failures.length > 0)
      return print(`\nround ${round} of ${plan.rounds} failed: no further one`);
  }
  if (plan.recheck !== null) await recheckFailed(current);
}

/** Most failed files that run again. More than these are no accident. */
const MOST_RECHECKED = 5;
/** Times that a failed file has to pass alone. */
const TIMES_ALONE = 3;

/** Runs each failed file alone, several times, while there is time. If it passes each time, it is flaky. */
async function recheckFailed(current: Run): Promise<void> {
  const failed = [...current.failed];
  if (failed.length === 0 || failed.length > MOST_RECHECKED) return;
  for (const report of failed) {
    const { path } = report;
    let times = 0;
    while (times < TIMES_ALONE && (await passesAlone(path, current))) times += 1;
    if (times === TIMES_ALONE) setFlaky(report, current.tally);
  }
}

async function passesAlone(path: string, current: Run): Promise<boolean> {
  print(`\nalone: ${path}`);
  const result = await runUntil(current.recheckedUntil, { files: [path], workers: 1 }, current);
  if (result === null) print('no time is left to run it again');
  return result !== null && result.faults.length === 0 && result.files.length === 1 && !result.files.some(hasFailed);
}

async function runCheck(check: Check, current: Run): Promise<boolean> {
  const startedAt = performance.now();
  current.child = startProgram(check.program, check.args);
  const passed = (await exitCode(current.child)) === 0;
  current.interrupted.throwIfAborted();
  if (passed) current.tally.passed += 1;
  else current.tally.failures.push(check.title);
  addTime(check.title, startedAt, current.tally);
  return passed;
}

async function runBatch(batch: PlannedBatch, current: Run): Promise<void> {
  const { plan, tally } = current;
  const title = batch.suites.map(({ name }) => name).join(', ');
  print(`\n${title}`);
  const startedAt = performance.now();
  const reports: FileReport[] = [];
  const calls = plan.within === null ? [batch.files] : batch.files.map((file) => [file]);
  for (const files of calls) {
    if (current.begun && performance.now() > current.latest) {
      current.late.push(...files);
      continue;
    }
    const result = current.begun
      ? await runUntil(current.latest, { files, workers: batch.workers }, current)
      : await runFiles(files, batch.workers, current);
    current.begun = true;
    if (result === null) {
      current.late.push(...files);
      continue;
    }
    const unheard = files.filter((file) => !result.files.some((report) => report.path === file));
    for (const report of result.files) addReport(report, plan.namePattern !== null, tally);
    if (result.files.length > 0) tally.failures.push(...unheard.map((file) => `${file}: was not run`));
    tally.failures.push(...result.faults.map((fault) => `${title}: ${fault}`));
    reports.push(...result.files);
  }
  current.failed.push(...reports.filter(hasFailed));
  const isWhole = plan.namePattern === null && current.late.length === 0;
  if (isWhole) tally.failures.push(...idleSuites(batch.suites, reports));
  addTime(title, startedAt, tally);
}

/** Runs files in one call of Jest. Returns null if they did not end by `latest`, a time of `performance.now()`. */
async function runUntil(
  latest: number,
  { files, workers }: { files: readonly string[]; workers: number },
  current: Run,
): Promise<Awaited<ReturnType<typeof runJest>> | null> {
  if (latest === Number.POSITIVE_INFINITY) return runFiles(files, workers, current);
  if (performance.now() > latest) return null;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    if (current.child) endGroup(current.child);
  }, latest - performance.now());
  const result = await runFiles(files, workers, current);
  clearTimeout(timer);
  return isLate ? null : result;
}

/** Runs files in one call of Jest. */
async function runFiles(files: readonly string[], workers: number, current: Run): ReturnType<typeof runJest> {
  const { plan, environment, interrupted } = current;
  const onStart = (child: ChildProcess) => {
    current.child = child;
  };
  const result = await runJest({ files, environment, workers, namePattern: plan.namePattern, onStart });
  interrupted.throwIfAborted();
  return result;
}

/** A failure for each suite of which not one test ran. */
function idleSuites(suites: readonly Suite[], reports: readonly FileReport[]): string[] {
  const ran = reports.filter((report) => report.passed + report.failed.length > 0).map(({ path }) => suiteOf(path));
  return suites.filter((suite) => !ran.includes(suite)).map(({ name }) => `${name}: not one test ran`);
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
