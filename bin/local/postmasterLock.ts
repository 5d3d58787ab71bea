import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Clears what a server that was not shut down left in its data: a server that still runs on exactly these data is stopped, a lock
 * file whose number now belongs to nobody or to another program is removed. Returns whether there was a lock file.
 */
export async function clearPostmasterLock(cluster: string): Promise<boolean> {
  const lock = join(cluster, 'postmaster.pid');
  const text = await readFile(lock, 'utf8').catch(() => null);
  if (text === null) return false;
  const pid = Number.parseInt(text, 10);
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!(await servesFrom(pid, cluster))) break;
    process.kill(pid, signal);
    for (let waited = 0; waited < 100 && (await servesFrom(pid, cluster)); waited++) await pause(100);
  }
  if (await servesFrom(pid, cluster))
    throw new Error(`PostgreSQL already runs on ${cluster} (process ${pid}) and cannot be stopped.`);
  await rm(lock, { force: true });
  return true;
}

/** Whether the process is a PostgreSQL server on these data; its working directory is its data directory. */
async function servesFrom(pid: number, cluster: string): Promise<boolean> {
  if (!(pid > 0)) return false;
  if (process.platform === 'linux')
    return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === (await realpath(cluster));
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes('postgres') && stdout.includes(cluster);
}
