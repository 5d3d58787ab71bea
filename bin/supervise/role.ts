import { fileURLToPath } from 'node:url';
import { type Child, logTail, startChild } from '../local/process.ts';
import { WAITS } from './later.ts';
import type { RunningPart } from './part.ts';

/** A program of this project that runs in a child process and sends a message when it is ready. */
export interface RoleOptions {
  name: string;
  /** Path of the program, relative to bin/. */
  program: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Variables that are known only later. The program starts at once, loads its code, and waits for them. */
  later?: Promise<Record<string, string>>;
  logFile: string;
  onSpawn?: (child: Child) => void;
}

export interface RunningRole extends RunningPart {
  /** The message that the program sent when it was ready. */
  message: unknown;
}

const READY_LIMIT_MILLISECONDS = 180_000;
/** Longer than a role takes to end, unless GATEWAY_DEADLINE or SHUTDOWN_DELAY is increased. */
const STOP_LIMIT_MILLISECONDS = 60_000;

/**
 * Starts a program as a child process and waits for its message. Throws if it ends before, or sends none within three minutes after it got
 * all variables.
 */
export async function startRole(options: RoleOptions): Promise<RunningRole> {
  const { later } = options;
  later?.catch(() => undefined); // it may be rejected before this function awaits it
  const waits = later === undefined ? {} : { [WAITS]: '1' };
  const child = await startChild({
    name: options.name,
    command: process.execPath,
    args: [fileURLToPath(new URL(`../${options.program}`, import.meta.url)), ...options.args],
    logFile: options.logFile,
    env: { ...options.env, ...waits },
    channel: true,
    stopLimitMilliseconds: STOP_LIMIT_MILLISECONDS,
    onSpawn: options.onSpawn,
  });
  if (later !== undefined) await sendLater(child, later);
  const firstMessage = new Promise((resolve) => child.process.once('message', resolve));
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), READY_LIMIT_MILLISECONDS);
  const tooLong = new Promise<string>((resolve) => {
    silent.signal.addEventListener('abort', () =>
      resolve(`${options.name} was not ready within ${READY_LIMIT_MILLISECONDS / 1000} s`),
    );
  });
  const message = await Promise.race([firstMessage.then((value) => ({ value })), child.exited, tooLong]);
  clearTimeout(timer);
  if (typeof message === 'string') {
    await child.stop();
    throw new Error(`${message} while starting.${logTail(options.logFile)}`);
  }
  return { message: message.value, exited: child.exited, stop: child.stop };
}

/** Sends a waiting program the variables. Returns when it has ended before. Stops it if they never come. */
async function sendLater(child: Child, later: Promise<Record<string, string>>): Promise<void> {
  try {
    const variables = await Promise.race([later, child.exited]);
    if (typeof variables !== 'string') child.process.send(variables);
  } catch (error) {
    await child.stop();
    throw error;
  }
}
