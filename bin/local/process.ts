import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The program to run. `logFile` null: its output is discarded. `channel`: opens an IPC channel, by which the child notices when we end. */
export interface ChildOptions {
  name: string;
  command: string;
  args: string[];
  logFile: string | null;
  env?: NodeJS.ProcessEnv;
  user?: { uid: number; gid: number } | null;
  channel?: boolean;
  cwd?: string;
  stopSignal?: NodeJS.Signals;
  forceSignal?: NodeJS.Signals;
  /** Time after `stopSignal` before `forceSignal` is sent. Default: ten seconds. */
  stopLimitMilliseconds?: number;
  /** Called as soon as the child has a process id, before it is ready. */
  onSpawn?: ((child: Child) => void) | undefined;
}

/** A running child process. `exited` resolves with a sentence that says how it ended, and never rejects. */
export interface Child {
  pid: number;
  process: ChildProcess;
  exited: Promise<string>;
  hasExited(): boolean;
  /** Asks the child to end, forces it if it does not within `stopLimitMilliseconds` or this time, and resolves when it has ended. */
  stop(mostMilliseconds?: number): Promise<void>;
}

const STOP_LIMIT_MILLISECONDS = 10_000;
/** Timeout for a child that hangs while it starts. It is long, because on a busy machine a start takes ten times as long as usual. */
const READY_LIMIT_MILLISECONDS = 180_000;

/** Starts a child in its own process group, so that Ctrl-C reaches only this process, which then stops the parts in order. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { stopSignal = 'SIGTERM', forceSignal = 'SIGKILL', stopLimitMilliseconds = STOP_LIMIT_MILLISECONDS } = options;
  const output = openLog(options.logFile);
  const child = spawn(options.command, options.args, {
    detached: true,
    stdio: ['ignore', output, output, ...(options.channel ? (['ipc'] as const) : [])],
    env: options.env ?? process.env,
    ...(options.cwd ? { cwd: options.cwd } : {}),
    ...(options.user ?? {}),
  });
  if (typeof output === 'number') closeSync(output);
  let over = false;
  const exited = ending(child).then((reason) => {
    over = true;
    process.off('exit', endWithUs);
    return `${options.name} ${reason}`;
  });
  const endWithUs = () => child.kill(stopSignal);
  process.on('exit', endWithUs);
  if (child.pid === undefined) throw new Error(await exited);
  const stop = async (mostMilliseconds = stopLimitMilliseconds) => {
    if (over) return;
    child.kill(stopSignal);
    const timer = setTimeout(() => child.kill(forceSignal), mostMilliseconds);
    await exited;
    clearTimeout(timer);
  };
  const started: Child = { pid: child.pid, process: child, exited, hasExited: () => over, stop };
  options.onSpawn?.(started);
  return started;
}

/** The last lines of a log file, which may explain why a part did not start. Empty if there are none. */
export function logTail(logFile: string | null, lines = 8): string {
  if (!logFile) return '';
  try {
    const text = readFileSync(logFile, 'utf8').trimEnd();
    return text && `\nIts log (${logFile}) ends with:\n${text.split('\n').slice(-lines).join('\n')}`;
  } catch {
    return '';
  }
}

/** Calls `attempt` every 25 ms until it does not throw. Throws if the child ends first, or is not ready after three minutes. */
export async function untilReady(
  child: Child,
  attempt: () => Promise<void>,
  logFile: string | null = null,
): Promise<void> {
  const deadline = performance.now() + READY_LIMIT_MILLISECONDS;
  let failure: unknown;
  while (performance.now() < deadline) {
    if (child.hasExited()) throw new Error(`${await child.exited} while starting.${logTail(logFile)}`);
    try {
      return await attempt();
    } catch (error) {
      failure = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await child.stop();
  const why = failure instanceof Error ? failure.message : String(failure);
  throw new Error(
    `${await child.exited} after it was not ready within ${READY_LIMIT_MILLISECONDS / 1000} s: ${why}${logTail(logFile)}`,
  );
}

function openLog(logFile: string | null): number | 'ignore' {
  if (!logFile) return 'ignore';
  mkdirSync(dirname(logFile), { recursive: true });
  return openSync(logFile, 'a', 0o600);
}

function ending(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(`could not be started: ${error.message}`);
    });
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with code ${code}`));
  });
}
