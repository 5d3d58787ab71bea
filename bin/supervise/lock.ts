import { linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { identify, isAlive } from '../local/identity.ts';
import { readJson, writeJson } from './jsonFile.ts';

const holderShape = z.object({ pid: z.number(), startedAt: z.string(), url: z.string(), stopping: z.boolean() });
export type LockHolder = z.output<typeof holderShape>;

const STOPPING_LIMIT_MILLISECONDS = 30_000;

/** Another instance runs in the same data folder. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning';
}

/** Held while an instance runs in a data folder. */
export interface Lock {
  /** From now on, another start waits for our end instead of refusing. */
  markStopping(): void;
  release(): void;
}

/** Takes the data folder for this process. Waits for an instance that is stopping; throws AlreadyRunning while one runs. */
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

/** The live process that runs in the data folder, or null. */
export function lockHolder(dataFolder: string): LockHolder | null {
  const holder = readJson(join(dataFolder, 'lock.json'), holderShape);
  return holder && isAlive(holder) ? holder : null;
}

/** A hard link appears with its complete content, and only one of two starts can create it. */
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

/** Removes the lock of a dead process. If another start has just replaced it with its own, that lock is restored. */
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
