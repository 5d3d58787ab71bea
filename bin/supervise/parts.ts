import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { identify, isAlive } from '../local/identity.ts';
import { readJson, writeJson } from './jsonFile.ts';

const partShape = z.object({ name: z.string(), pid: z.number(), startedAt: z.string() });
type Part = z.output<typeof partShape>;

/** Keeps `parts.json`, the list of this instance's processes, so that a later start stops exactly those that are left over. */
export interface PartsRecord {
  add(name: string, pid: number): void;
  remove(name: string): void;
}

export function openPartsRecord(dataFolder: string): PartsRecord {
  const file = join(dataFolder, 'parts.json');
  const parts = new Map<string, Part>();
  const write = () => (parts.size ? writeJson(file, [...parts.values()]) : rmSync(file, { force: true }));
  return {
    add: (name, pid) => {
      const identity = identify(pid);
      if (!identity) return; // it has already ended
      parts.set(name, { name, ...identity });
      write();
    },
    remove: (name) => {
      parts.delete(name);
      write();
    },
  };
}

/** Stops processes that a killed instance left behind. Other processes that reuse their ids are not touched. */
export async function stopLeftovers(dataFolder: string, progress: (line: string) => void): Promise<void> {
  const file = join(dataFolder, 'parts.json');
  const leftovers = (readJson(file, z.array(partShape)) ?? []).filter(isAlive);
  if (leftovers.length)
    progress(`Stopping processes that a killed instance left behind: ${leftovers.map((part) => part.name).join(', ')}`);
  await Promise.all(leftovers.filter((part) => part.name !== 'PostgreSQL').map(stopLeftover));
  await Promise.all(leftovers.filter((part) => part.name === 'PostgreSQL').map(stopLeftover));
  rmSync(file, { force: true });
}

async function stopLeftover(part: Part): Promise<void> {
  const isPostgres = part.name === 'PostgreSQL'; // SIGINT: do not wait for clients; SIGQUIT: stop at once
  for (const signal of isPostgres ? (['SIGINT', 'SIGQUIT'] as const) : (['SIGTERM', 'SIGKILL'] as const)) {
    for (let waited = 0; isAlive(part) && waited < 10_000; waited += 50) {
      if (waited === 0) send(part.pid, signal);
      await pause(50);
    }
  }
  if (isAlive(part)) throw new Error(`${part.name} of a killed instance (process ${part.pid}) does not end.`);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended, or belongs to another user. The caller notices the latter.
  }
}
