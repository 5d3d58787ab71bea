import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Overload } from '../../billing/overload.ts';
import { Unprintable } from '../../billing/unprintable.ts';
import type { PrintedDocument } from '../../commands/ports.ts';
import type { ChildMessage } from './childProgram.ts';
import { type Usage, watchUsage } from './usage.ts';

/** Limits for one document: resident memory and CPU time of the child. */
export interface Limits extends Usage {
  /** Timeout by the clock, milliseconds, for a child that hangs without using CPU time. */
  deadline: number;
}

/** A process that renders one document at a time. */
export interface Child {
  /** Undefined if the process could not be started. */
  readonly pid: number | undefined;
  /**
   * Renders a document as PDF. Rejects with Unprintable when the document is at fault, and with Overload at the deadline. The caller must then
   * end the child.
   */
  render(document: PrintedDocument): Promise<Uint8Array>;
  end(): void;
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('./childProgram.ts', import.meta.url));
const START_MILLISECONDS = 20_000;

/** The only environment variables that a child gets. It must not get secrets. */
const PASSED_VARIABLES = ['PATH', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'TMPDIR'];

export function startChild(limits: Limits): Child {
  const running = fork(PROGRAM, {
    execArgv: [],
    env: { ...only(PASSED_VARIABLES), RUST_BACKTRACE: '0', RAYON_NUM_THREADS: '1' },
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
  });
  const panic = panicMessage(running);
  detach(running);
  const stop: { isWanted: boolean } = { isWanted: false };
  const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()).once('error', () => resolve()));
  const ready = untilReady(running);
  ready.catch(() => undefined); // `render` rejects with the error
  return {
    pid: running.pid,
    ended,
    render: async (document) => {
      await ready;
      return ask(running, document, { limits, crash: (how) => (stop.isWanted ? closed() : crashed(how, panic())) });
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

/** Lets this process end although the child runs. While a caller waits for a document, a timer keeps this process alive. */
function detach(running: ChildProcess): void {
  running.unref();
  running.channel?.unref();
  for (const stream of [running.stdin, running.stderr]) {
    stream?.on('error', () => undefined);
    if (stream instanceof Socket) stream.unref();
  }
}

function untilReady(running: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new Error('the process that renders PDFs did not start in time')),
    START_MILLISECONDS,
  );
  running
    .once('message', () => resolve())
    .once('error', reject)
    .once('exit', () => reject(new Error('the process that renders PDFs ended before it was ready')));
  return promise.finally(() => clearTimeout(timer));
}

interface Asking {
  limits: Limits;
  crash(how: string): Error;
}

function ask(running: ChildProcess, document: PrintedDocument, { limits, crash }: Asking): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const onMessage = (message: ChildMessage) => {
    if ('bytes' in message) resolve(message.bytes);
    if ('error' in message) reject(new Unprintable('content', message.error));
  };
  const onExit = (code: number | null, signal: string | null) => reject(crash(signal ?? `exit ${code}`));
  const late = () => reject(new Overload(`The PDF was not made within ${limits.deadline / 1000} s; try again`));
  const timer = setTimeout(late, limits.deadline);
  const unwatch = watchUsage(running.pid ?? 0, limits, (what) => reject(tooMuch(what, limits)));
  running.on('message', onMessage).once('exit', onExit);
  running.send(document, (error) => error && reject(crash(error.message)));
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

const closed = () => new Error('The PDF renderer has been closed');

function crashed(how: string, panic: string): Unprintable {
  return new Unprintable('crash', `The typesetter crashed (${how}${panic && `: ${panic}`})`);
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
