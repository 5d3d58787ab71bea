import type { Serializable } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from '../../bin/local/process.ts';

/** A program of the siege in its own process, so that its work does not delay the measurements in this process. */
export interface SiegeProgram {
  say(what: Serializable): void;
  pid: number;
  stop(): Promise<void>;
}

interface Options {
  program: string;
  logFile: string;
  /** Lowers its priority. A real attacker has its own machine and does not take processor time from the product. */
  niceness?: number;
  onMessage: (message: unknown) => void;
}

/** Starts a program. Resolves with its first message. Throws when the program ends before that. */
export async function startSiegeProgram(options: Options): Promise<{ program: SiegeProgram; hello: unknown }> {
  const { program: name, logFile, onMessage } = options;
  const child = await startChild({
    name,
    command: process.execPath,
    logFile,
    channel: true,
    args: [fileURLToPath(new URL(name, import.meta.url))],
  });
  if (options.niceness) setPriority(child.pid, options.niceness);
  const hello = await Promise.race([
    new Promise((resolve) => child.process.once('message', resolve)),
    rejectAtExit(child),
  ]);
  child.process.on('message', onMessage);
  return { hello, program: { pid: child.pid, say: (what) => void child.process.send(what), stop: child.stop } };
}

async function rejectAtExit(child: Child): Promise<never> {
  throw new Error(await child.exited);
}
