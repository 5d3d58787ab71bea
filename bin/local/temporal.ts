import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { portAnswers } from './ports.ts';
import { type Child, startChild, untilReady } from './process.ts';
import { temporalEnvironment } from './temporalExecutable.ts';

const run = promisify(execFile);

export { findTemporal } from './temporalExecutable.ts';

/** For one worker and the one shard that this server has. Values as JSON text. */
const SETTINGS = {
  // Of the four partitions that a task queue has otherwise, the few polls of one worker are often at another one than the task.
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  // Of what waits in a queue each account has its turn: the key is on every process that is started.
  'matching.enableFairness': 'true',
  // What is done stays in a shard's queues until then, and is gone through whenever something is added.
  'history.transferProcessorUpdateAckInterval': '"2s"',
  'history.visibilityProcessorUpdateAckInterval': '"2s"',
};

/**
 * `uiPort` null: no web interface. `stateFile` null: state in memory. `settings`: dynamic configuration, values as JSON text.
 * `logFile` null drops the log.
 */
export interface LocalTemporalOptions {
  executable: string;
  port: number;
  uiPort: number | null;
  stateFile: string | null;
  settings?: Record<string, string>;
  logFile?: string | null;
  progress: (line: string) => void;
  onSpawn?: (child: Child) => void;
}

/** A running development server with the namespace "default", on the loopback interface. */
export interface LocalTemporal {
  address: string;
  uiUrl: string | null;
  pid: number;
  exited: Promise<string>;
  stop(): Promise<void>;
}

/** Starts the server and returns when the namespace "default" answers. Throws when it does not start. */
export async function startLocalTemporal(options: LocalTemporalOptions): Promise<LocalTemporal> {
  const { executable, port, uiPort, stateFile, settings = {}, logFile = null } = options;
  if (stateFile) await mkdir(dirname(stateFile), { recursive: true });
  // The database can rebuild all of Temporal's state, so its file need not survive a power cut; without this it halves the throughput.
  const pragmas = ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=0'];
  const child = await startChild({
    name: 'Temporal',
    command: executable,
    args: [
      ...'server start-dev --ip 127.0.0.1 --log-level warn --color never'.split(' '),
      '--port',
      String(port),
      ...(uiPort === null ? ['--headless'] : ['--ui-ip', '127.0.0.1', '--ui-port', String(uiPort)]),
      ...(stateFile ? ['--db-filename', stateFile, ...pragmas] : []),
      ...Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
        '--dynamic-config-value',
        `${name}=${value}`,
      ]),
    ],
    logFile,
    onSpawn: options.onSpawn,
    // Its heap is small and its garbage plenty: collected less often, it takes a fifth less CPU.
    env: { GOGC: '300', ...temporalEnvironment() },
  });
  const address = `127.0.0.1:${port}`;
  await untilReady(child, () => describeDefaultNamespace(executable, port), logFile);
  return {
    address,
    uiUrl: uiPort === null ? null : `http://127.0.0.1:${uiPort}`,
    pid: child.pid,
    exited: child.exited,
    stop: child.stop,
  };
}

/** Asks over gRPC with Temporal's own program: loading a client here would keep its memory for as long as we run. */
async function describeDefaultNamespace(executable: string, port: number): Promise<void> {
  if (!(await portAnswers(port))) throw new Error('its port does not answer');
  const args = ['operator', 'namespace', 'describe', '--namespace', 'default', '--address', `127.0.0.1:${port}`];
  // It wants a home to look for configuration in, and only reads there.
  await run(executable, args, { env: { ...temporalEnvironment(), HOME: '/' }, timeout: 30_000 });
}
