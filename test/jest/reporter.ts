import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { AggregatedResult, Reporter, Test, TestContext, TestResult } from '@jest/reporters';
import { projectFolder } from '../suites.ts';
import { LATE_VARIABLE, type LateError } from './lateErrors.ts';

/** The result of one test file. `crashed`: it failed outside its tests: it does not load, has no tests, or a hook failed. */
export interface FileReport {
  path: string;
  milliseconds: number;
  passed: number;
  failed: string[];
  skipped: string[];
  crashed: boolean;
  /** Seeds that the messages of its failures name. */
  seeds: string[];
}

export interface RunReport {
  files: FileReport[];
  /** A failure of Jest itself, such as a worker that it could not end. */
  error: string | null;
}

/** Prints one line per file and all failures. Writes a `RunReport` as JSON to the file in PERENNIAL_TEST_REPORT, if it is set. */
export default class LineReporter implements Pick<Reporter, 'onTestFileResult' | 'onRunComplete' | 'getLastError'> {
  private readonly reports: FileReport[] = [];
  private readonly lateFile = join(tmpdir(), `perennial-late-${randomUUID()}`);
  private late: LateError[] = [];
  private error: string | null = null;

  constructor() {
    process.env[LATE_VARIABLE] = this.lateFile; // before the workers start: they inherit the environment
    process.once('uncaughtExceptionMonitor', (error) => this.fail(error)); // Jest then ends with code 1, often after its report
    process.once('exit', () => rmSync(this.lateFile, { force: true })); // of an error after the report
  }

  onTestFileResult(test: Test, result: TestResult): void {
    const report = reportOf(test, result);
    this.reports.push(report);
    const broken = report.crashed || report.failed.length > 0;
    const seconds = (report.milliseconds / 1000).toFixed(1);
    const count = report.passed + report.failed.length;
    print(
      `  ${broken ? 'FAIL' : 'ok  '} ${report.path.padEnd(52)} ${String(count).padStart(4)} tests ${seconds.padStart(6)} s`,
    );
    if (!broken) return;
    for (const entry of result.console ?? []) print(`  console.${entry.type}: ${entry.message}`);
    print(result.failureMessage ?? '');
  }

  onRunComplete(_contexts: Set<TestContext>, results: AggregatedResult): void {
    this.late = takeLate(this.lateFile);
    for (const report of this.reports) {
      if (!this.late.some(({ path }) => relative(projectFolder, path) === report.path)) continue;
      report.crashed = true;
      print(`  FAIL ${report.path}: an error after its end`);
    }
    if (results.runExecError) this.fail(results.runExecError);
    else this.write();
  }

  private fail(error: { message: string; stack?: string | null | undefined }): void {
    this.error ??= `Jest failed: ${error.stack ?? error.message}`;
    this.write();
  }

  private write(): void {
    const run: RunReport = { files: this.reports, error: this.error };
    const path = process.env.PERENNIAL_TEST_REPORT;
    if (path !== undefined) writeFileSync(path, JSON.stringify(run));
  }

  /** Jest fails the run when this returns an error. */
  getLastError(): Error | undefined {
    return this.late[0] && new Error(`after the end of ${this.late[0].path}: ${this.late[0].error}`);
  }
}

function takeLate(file: string): LateError[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  rmSync(file);
  return lines.map((line): LateError => JSON.parse(line));
}

function reportOf(test: Test, result: TestResult): FileReport {
  const named = (...states: string[]) =>
    result.testResults.filter((one) => states.includes(one.status)).map((one) => one.fullName);
  const failed = named('failed');
  return {
    path: relative(projectFolder, test.path),
    milliseconds: result.perfStats.runtime,
    passed: named('passed').length,
    failed,
    skipped: named('pending', 'skipped', 'disabled', 'todo', 'focused'),
    crashed: failed.length === 0 && (result.testExecError !== undefined || (result.failureMessage ?? '') !== ''),
    seeds: [
      ...new Set([...(result.failureMessage ?? '').matchAll(/\bseed\b[ :=]+(-?\d+)/g)].map(([, seed = '']) => seed)),
    ],
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
