import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { Overload, Unprintable } from '../../billing/failures.ts';
import type { ChildMessage } from './serve.ts';
import { type Usage, watchUsage } from './usage.ts';

/** Limits for one task: resident memory and CPU time of the child. */
export interface Limits extends Usage {
  /** Timeout by the clock, milliseconds, for a child that hangs without using CPU time. */
  deadline: number;
}

/** The program of child processes, which serves tasks by `serveTasks`. */
export interface Program {
  /** Path of its file. */
  file: string;
  /** Arguments of Node. */
  nodeArguments: string[];
  /** Environment variables, in addition to those that every child gets. */
  environment: Readonly<Record<string, string>>;
  /** Names of what a task makes, and of the program, for messages. */
  words: { product: string; plural: string; maker: string };
}

/** A process that does one task at a time. */
export interface Child<Task, Result> {
  /** Undefined if the process could not be started. */
  readonly pid: number | undefined;
  /**
   * Does a task. Rejects with Unprintable when the task is at fault, and with Overload at the deadline. The caller must then end the child.
   */
  run(task: Task): Promise<Result>;
  end(): void;
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>;
}

const START_MILLISECONDS = 20_000;

/** The only environment variables that a child gets. It must not get secrets. */
const PASSED_VARIABLES = ['PATH', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'TMPDIR'];

export function startChild<Task, Result>(program: Program, limits: Limits): Child<Task, Result> {
  const { words } = program;
  const running = fork(program.file, {
    execArgv: program.nodeArguments,
    env: { ...only(PASSED_VARIABLES), ...program.environment },
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
  });
  const panic = panicMessage(running);
  detach(running);
  const stop: { isWanted: boolean } = { isWanted: false };
  const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()).once('error', () => resolve()));
  const ready = untilReady(running, words);
  ready.catch(() => undefined); // `run` rejects with the error
  return {
    pid: running.pid,
    ended,
    run: async (task) => {
      await ready;
      const crash = (how: string) => (stop.isWanted ? closed(words) : crashed(words, how, panic()));
      return ask(running, task, { limits, words, crash });
    },
    end: () => {
      stop.isWanted = true;
      running.kill('SIGKILL');
    },
  };
}

function only(names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** Lets this process end although the child runs. While a caller waits for a result, a timer keeps this process alive. */
function detach(running: ChildProcess): void {
  running.unref();
  running.channel?.unref();
  for (const stream of [running.stdin, running.stderr]) {
    stream?.on('error', () => undefined);
    if (stream instanceof Socket) stream.unref();
  }
}

function untilReady(running: ChildProcess, { plural }: Program['words']): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new Error(`the process that renders ${plural} did not start in time`)),
    START_MILLISECONDS,
  );
  running
    .once('message', () => resolve())
    .once('error', reject)
    .once('exit', () => reject(new Error(`the process that renders ${plural} ended before it was ready`)));
  return promise.finally(() => clearTimeout(timer));
}

interface Asking {
  limits: Limits;
  words: Program['words'];
  crash(how: string): Error;
}

function ask<Task, Result>(running: ChildProcess, task: Task, { limits, words, crash }: Asking): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const onMessage = (message: ChildMessage<Result>) => {
    if ('result' in message) resolve(message.result);
    if ('error' in message) reject(new Unprintable('content', message.error));
  };
  const onExit = (code: number | null, signal: string | null) => reject(crash(signal ?? `exit ${code}`));
  const late = () =>
    reject(new Overload(`The ${words.product} was not made within ${limits.deadline / 1000} s; try again`));
  const timer = setTimeout(late, limits.deadline);
  const unwatch = watchUsage(running.pid ?? 0, limits, (what) => reject(tooMuch(what, limits)));
  running.on('message', onMessage).once('exit', onExit);
  running.send({ task }, (error) => error && reject(crash(error.message)));
  return promise.finally(() => {
    clearTimeout(timer);
    unwatch();
    running.off('message', onMessage).off('exit', onExit);
  });
}

function tooMuch(what: keyof Usage, { memory, processorTime }: Limits): Unprintable {
  if (what === 'memory') return new Unprintable('memory', `It needed more than ${memory} MB of memory to render`);
  return new Unprintable('time', `It needed more than ${processorTime / 1000} s of CPU time to render`);
}

const closed = ({ product }: Program['words']) => new Error(`The ${product} renderer has been closed`);

function crashed({ maker }: Program['words'], how: string, panic: string): Unprintable {
  return new Unprintable('crash', `The ${maker} crashed (${how}${panic && `: ${panic}`})`);
}

const MOST_CHARACTERS = 300;

/** Returns a function for the message of a panic at the end of a child's standard error, without the text that it quotes. */
function panicMessage({ stderr }: ChildProcess): () => string {
  let tail = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = `${tail}${text}`.slice(-8192);
  });
  return () => {
    const [, panic = ''] = /panicked at [^\n]*\n([^\n]*)/.exec(tail) ?? [];
    return panic.replace(/`.*/, '…').slice(0, MOST_CHARACTERS);
  };
}
