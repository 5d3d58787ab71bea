import { linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { identify, isAlive } from '../local/identity.ts';
import { readJson, writeJson } from './jsonFile.ts';

const holderShape = z.object({ pid: z.number(), startedAt: z.string(), url: z.string(), stopping: z.boolean() });
export type LockHolder = z.output<typeof holderShape>;

const STOPPING_LIMIT_MILLISECONDS = 30_000;

/** Another instance runs in the same data folder. The message names its address and process. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning';
}

/** The lock of a data folder, held while an instance runs in it. */
export interface Lock {
  /** From now on, another start waits until this instance has stopped, instead of failing. */
  markStopping(): void;
  release(): void;
}

/** Locks the data folder for this process. Waits up to 30 s for an instance that is stopping. Throws AlreadyRunning if one runs. */
export async function takeLock(dataFolder: string, url: string): Promise<Lock> {
  mkdirSync(dataFolder, { recursive: true });
  const file = join(dataFolder, 'lock.json');
  const own = { ...(identify(process.pid) ?? { pid: process.pid, startedAt: '' }), url, stopping: false };
  const deadline = performance.now() + STOPPING_LIMIT_MILLISECONDS;
  while (!create(file, own)) {
    const holder = lockHolder(dataFolder);
    if (holder && (!holder.stopping || performance.now() > deadline)) {
      throw new AlreadyRunning(`Perennial already runs in ${dataFolder}: ${holder.url} (process ${holder.pid}).`);
    }
    if (holder) await pause(50);
    else setAside(file);
  }
  const release = () => rmSync(file, { force: true });
  return { markStopping: () => writeJson(file, { ...own, stopping: true }), release };
}

/** The process that runs in the data folder. Null if there is none. */
export function lockHolder(dataFolder: string): LockHolder | null {
  const holder = readJson(join(dataFolder, 'lock.json'), holderShape);
  return holder && isAlive(holder) ? holder : null;
}

/** Creates the lock file; false if it exists. A hard link appears with its complete content, and only one of two starts can create it. */
function create(file: string, holder: LockHolder): boolean {
  const draft = `${file}.${process.pid}.draft`;
  writeJson(draft, holder);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the lock file of a process that has ended. If another start has replaced it by its own meanwhile, restores that one. */
function setAside(file: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    const holder = readJson(aside, holderShape);
    if (holder && isAlive(holder)) linkSync(aside, file);
  } catch {
    // Another start was faster; the next try sees its lock.
  } finally {
    rmSync(aside, { force: true });
  }
}
