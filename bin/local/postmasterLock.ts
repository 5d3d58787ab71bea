import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Removes the lock file of a server that was not shut down. If the server still runs on this data, stops it first. Returns whether there was
 * a lock file. Throws if the server cannot be stopped.
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

/** Whether a process is a PostgreSQL server on this data. The working directory of a server is its data directory. */
async function servesFrom(pid: number, cluster: string): Promise<boolean> {
  if (!(pid > 0)) return false;
  if (process.platform === 'linux')
    return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === (await realpath(cluster));
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes('postgres') && stdout.includes(cluster);
}

/**
 * Waits until the children of a killed server have ended, because they finish their statements and may still write. Sends SIGQUIT to those
 * that take too long. Works only on Linux, where the working directory of a process can be read; does nothing elsewhere.
 */
export async function endOrphans(cluster: string): Promise<void> {
  for (const signal of [null, 'SIGQUIT'] as const) {
    const left = await childrenOn(cluster);
    if (signal) for (const pid of left) endIfAlive(pid, signal);
    for (let waited = 0; waited < 50 && (await childrenOn(cluster)).length > 0; waited++) await pause(100);
  }
  const left = await childrenOn(cluster);
  if (left.length > 0)
    throw new Error(`PostgreSQL processes still use ${cluster} and cannot be stopped: ${left.join(', ')}.`);
}

/** Ids of PostgreSQL's child processes on this data directory. Their titles are "postgres: checkpointer" and the like. */
async function childrenOn(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const folder = await realpath(cluster);
  const children: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || (await readlink(`/proc/${name}/cwd`).catch(() => '')) !== folder) continue;
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (command.startsWith('postgres:')) children.push(Number(name));
  }
  return children;
}

function endIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {} // the process has ended meanwhile
}
