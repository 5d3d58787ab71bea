import { freePort } from '../bin/local/ports.ts';
import { type LocalPostgres, startLocalPostgres } from '../bin/local/postgres.ts';
import { findTemporal, startLocalTemporal } from '../bin/local/temporal.ts';
import { startRole } from '../bin/supervise/role.ts';

/** A part of the product that runs in its own process. */
export interface Part {
  pid: number;
  stop(): Promise<void>;
}

export interface Folder {
  folder: string;
  logFile: (name: string) => string;
  progress: (line: string) => void;
}

/** Starts PostgreSQL as `start` does, with full durability. `settings` override its settings. */
export async function openPostgres(where: Folder, settings: Record<string, string>): Promise<LocalPostgres> {
  const { folder: dataFolder, logFile, progress } = where;
  const port = await freePort();
  const common = { dataFolder, port, persistent: false, settings };
  return startLocalPostgres({ ...common, progress, logFile: logFile('postgres') });
}

/** Starts Temporal with its state in a file, as `start` does. */
export async function openTemporal(where: Folder, cacheFolder: string): Promise<Part & { address: string }> {
  const { folder, logFile, progress } = where;
  const executable = await findTemporal({ cacheFolder, progress });
  const [port, uiPort] = [await freePort(), await freePort()];
  const stateFile = `${folder}/temporal/temporal.db`;
  return startLocalTemporal({ executable, port, uiPort, stateFile, progress, logFile: logFile('temporal') });
}

/** Starts the API or a worker, as `start` does. */
export async function openRole(role: 'api' | 'worker', env: NodeJS.ProcessEnv, logFile: string): Promise<Part> {
  let pid = 0;
  const running = await startRole({
    name: role,
    program: 'perennial.ts',
    args: [role],
    env,
    logFile,
    onSpawn: (child) => {
      pid = child.pid;
    },
  });
  return { pid, stop: running.stop };
}

/** Migrates the database and creates the first business. Returns its keys. */
export async function prepare(env: NodeJS.ProcessEnv, logFile: string): Promise<unknown> {
  const prepared = await startRole({ name: 'Migration', program: 'supervise/prepare.ts', args: [], env, logFile });
  return prepared.message;
}
