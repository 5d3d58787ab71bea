import type { ChildProcess, Serializable } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ZodType } from 'zod';
import { type Child, startChild } from '../bin/local/process.ts';

/** A program of the bench in its own process, connected by an IPC channel. */
export interface BenchProgram<Hello> {
  pid: number;
  /** The message that the program sent when it was ready. */
  hello: Hello;
  /** Sends a request and waits for the reply. Only one request at a time. */
  ask<Answer>(question: Serializable, shape: ZodType<Answer>): Promise<Answer>;
  stop(): Promise<void>;
}

interface ProgramOptions<Hello> {
  /** File in bench/. */
  program: string;
  args?: string[];
  env?: NodeJS.ProcessEnv;
  logFile: string;
  hello: ZodType<Hello>;
}

/** Starts a program of the bench and waits until it is ready. Throws if it ends before. */
export async function startProgram<Hello>(options: ProgramOptions<Hello>): Promise<BenchProgram<Hello>> {
  const child = await startChild({
    name: options.program,
    command: process.execPath,
    args: [fileURLToPath(new URL(options.program, import.meta.url)), ...(options.args ?? [])],
    logFile: options.logFile,
    channel: true,
    ...(options.env ? { env: options.env } : {}),
  });
  const said = await Promise.race([nextMessage(child.process), endedEarly(child, options.logFile)]);
  return {
    pid: child.pid,
    hello: options.hello.parse(said),
    async ask(question, shape) {
      const answer = nextMessage(child.process);
      child.process.send(question);
      return shape.parse(await Promise.race([answer, endedEarly(child, options.logFile)]));
    },
    stop: child.stop,
  };
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('message', resolve));
}

async function endedEarly(child: Child, logFile: string): Promise<never> {
  throw new Error(`${await child.exited}; its log is ${logFile}`);
}
