import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { portAnswers } from './ports.ts';
import { type Child, startChild, untilReady } from './process.ts';
import { temporalEnvironment } from './temporalExecutable.ts';

const run = promisify(execFile);

export { findTemporal } from './temporalExecutable.ts';

/** Dynamic configuration for one worker and the single shard of this server. Values are JSON. */
const SETTINGS = {
  // By default a task queue has four partitions, and the few polls of one worker often wait in another partition than the task.
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  // Lets accounts take turns in a task queue. Every process is started with its account as the fairness key.
  'matching.enableFairness': 'true',
  // Finished tasks stay in a shard's queues for this long, and each addition scans them.
  'history.transferProcessorUpdateAckInterval': '"2s"',
  'history.visibilityProcessorUpdateAckInterval': '"2s"',
};

/**
 * `uiPort` null: no web interface. `stateFile` null: the state is only in memory. `settings`: dynamic configuration with JSON values.
 * `logFile` null: the log is discarded.
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

/** A running development server. It has the namespace "default" and listens on the loopback interface. */
export interface LocalTemporal {
  address: string;
  uiUrl: string | null;
  pid: number;
  exited: Promise<string>;
  stop(): Promise<void>;
}

/** Starts the server and resolves when the namespace "default" can be used. Throws if it does not start. */
export async function startLocalTemporal(options: LocalTemporalOptions): Promise<LocalTemporal> {
  const { executable, port, uiPort, stateFile, settings = {}, logFile = null } = options;
  if (stateFile) await mkdir(dirname(stateFile), { recursive: true });
  // Temporal's state can be rebuilt from the database, so its file need not survive a power failure. Syncing would halve the throughput.
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
    // Its heap is small and it allocates much. With less frequent garbage collection it uses a fifth less CPU.
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

/** Throws if the namespace cannot be described yet. Runs Temporal's own program, because a client library would keep its memory for good. */
async function describeDefaultNamespace(executable: string, port: number): Promise<void> {
  if (!(await portAnswers(port))) throw new Error('its port does not answer');
  const args = ['operator', 'namespace', 'describe', '--namespace', 'default', '--address', `127.0.0.1:${port}`];
  // The program reads its configuration from HOME, so HOME must not be the user's.
  await run(executable, args, { env: { ...temporalEnvironment(), HOME: '/' }, timeout: 30_000 });
}
