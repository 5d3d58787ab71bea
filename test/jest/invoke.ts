import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectFolder } from '../suites.ts';
import type { FileReport, RunReport } from './reporter.ts';

/** A busy machine ends processes in less than this. */
const graceSeconds = 120;

/** Starts a program of node_modules with this Node. It gets its own process group, so that `endGroup` also ends its children. */
export function startProgram(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): ChildProcess {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  return spawn(process.execPath, [...flags, join(projectFolder, 'node_modules', program), ...args], {
    cwd: projectFolder,
    env: { ...ownEnvironment(), ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
}

/** The environment without the settings of the developer's own instance. What is set for tests stays, such as PERENNIAL_TEST_SEED. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const settings = /^(PERENNIAL_(?!TEST_|RECORD_)|TEMPORAL_|PG|(DATABASE|SMTP|PUBLIC)_URL$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)));
}

export function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Kills a program that `startProgram` started, and its children. Returns whether any process was left. */
export function endGroup(child: ChildProcess): boolean {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    return child.pid !== undefined;
  } catch {
    return false; // the group has no process any more
  }
}

export interface JestCall {
  files: readonly string[];
  workers: number;
  namePattern: string | null;
  environment: Record<string, string>;
  /** Called as soon as the process runs. */
  onStart(child: ChildProcess): void;
}

/** Runs Jest on the files. `faults` are failures of the run itself, not of tests. */
export async function runJest(call: JestCall): Promise<{ files: FileReport[]; faults: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'perennial-report-'));
  const report = join(folder, 'report.json');
  const args = ['--ci', '--config', 'test/jest.config.js', '--maxWorkers', String(call.workers)];
  if (call.namePattern !== null) args.push('--testNamePattern', call.namePattern);
  args.push('--runTestsByPath', ...call.files);
  try {
    const child = startProgram('jest/bin/jest.js', args, { ...call.environment, PERENNIAL_TEST_REPORT: report });
    call.onStart(child);
    const over = exitCode(child);
    const faults = (await endsAfterReport(over, report))
      ? []
      : [`Jest did not end ${graceSeconds} s after its last test`];
    if (faults.length > 0) endGroup(child);
    const code = await over;
    if (await leavesProcesses(child)) faults.push('the tests left processes running');
    if (!existsSync(report))
      return { files: [], faults: [...faults, `Jest ended with code ${code} before it reported`] };
    const { files, error }: RunReport = JSON.parse(readFileSync(report, 'utf8'));
    if (error !== null) faults.push(error);
    const told = files.some((file) => file.crashed || file.failed.length > 0);
    if (code === 0 || told || faults.length > 0) return { files, faults };
    // Only Jest itself runs in this process. A crash at its end, after the report, says nothing about the tests.
    if (child.signalCode) process.stderr.write(`Jest ended with ${child.signalCode} after its report\n`);
    else faults.push(`Jest ended with code ${code} although no test failed`);
    return { files, faults };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns false when the process still runs `graceSeconds` after it wrote its report. */
async function endsAfterReport(over: Promise<number>, report: string): Promise<boolean> {
  const tick = () => Promise.race([over.then(() => true), sleep(200, false)]);
  while (!existsSync(report)) if (await tick()) return true;
  for (let ticks = 0; ticks < graceSeconds * 5; ticks += 1) if (await tick()) return true;
  return false;
}

async function leavesProcesses(child: ChildProcess): Promise<boolean> {
  for (let tries = 0; tries < graceSeconds * 10; tries += 1) {
    if (child.pid === undefined || !isAlive(-child.pid)) return false;
    await sleep(100);
  }
  return endGroup(child);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
