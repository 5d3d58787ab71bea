import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { clearPostmasterLock, endOrphans } from './postmasterLock.ts';

const run = promisify(execFile);

export interface ClusterMove {
  inside: string;
  cluster: string;
  /** Owner of the cluster after the move. */
  user: { uid: number; gid: number };
}

/**
 * Moves a PostgreSQL cluster, if there is one, from `inside` to `cluster`. The old cluster is first renamed to `<inside>.taken`, then copied,
 * and removed only when the copy is complete. If the move is killed at any point, the next start finishes it. Folders with other names are
 * never removed.
 */
export async function moveCluster({ inside, cluster, user }: ClusterMove): Promise<void> {
  const taken = `${inside}.taken`;
  if (existsSync(inside) && !existsSync(taken) && !existsSync(cluster)) {
    await clearPostmasterLock(inside);
    await endOrphans(inside);
    await rename(inside, taken);
  }
  if (existsSync(taken)) {
    if (!existsSync(cluster)) await copyWhole(taken, cluster, (copy) => handOver(copy, user));
    await rm(taken, { recursive: true });
  }
  if (existsSync(inside))
    throw new Error(
      `There are PostgreSQL data both in ${inside} and in ${cluster}: move away those that are not wanted.`,
    );
}

/** Gives the copy to its owner and syncs it to the disk, because the old cluster is removed next. */
async function handOver(copy: string, user: ClusterMove['user']): Promise<void> {
  await run('chown', ['-R', `${user.uid}:${user.gid}`, copy]);
  await run('chmod', ['0700', copy]);
  await run('sync');
}

/**
 * Copies a folder. The copy first has a temporary name, so that an interrupted copy is never taken for a complete one. `finish` runs before
 * the copy is renamed.
 */
export async function copyWhole(from: string, to: string, finish?: (copy: string) => Promise<void>): Promise<void> {
  const unfinished = `${to}.${process.pid}`;
  await removeUnfinished(to);
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true });
  await finish?.(unfinished);
  await rename(unfinished, to);
}

/** Removes incomplete copies of starts that were killed. Only one start at a time works on a data folder. */
async function removeUnfinished(to: string): Promise<void> {
  const left = (await readdir(dirname(to))).filter(
    (name) => name.startsWith(`${basename(to)}.`) && /^\d+$/.test(name.slice(basename(to).length + 1)),
  );
  for (const name of left) await rm(join(dirname(to), name), { recursive: true });
}
