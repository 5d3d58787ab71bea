import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify } from '../../bin/local/identity.ts';

/** Linux keeps the files of this folder in memory. */
const MEMORY = '/dev/shm';
/** Far more than the databases of a run need, including their write-ahead log. */
const ENOUGH = 4 * 1024 ** 3;

/**
 * Creates a temporary folder, in memory if there is room. A database consists of nearly a thousand files. After many of those were removed,
 * ext4 needs most of a second to create another database.
 */
export function scratchFolder(name: string): Promise<string> {
  const place = hasRoom(MEMORY) ? MEMORY : tmpdir();
  removeAbandoned(place);
  return mkdtemp(join(place, `perennial-${name}-${markOf(process.pid)}-`));
}

/** Removes the folders of runs that were killed. */
function removeAbandoned(place: string): void {
  for (const name of readdirSync(place)) {
    const [, mark, owner] = /^perennial-[a-z]+-((\d+)-[0-9a-f]{8})-/.exec(name) ?? [];
    if (mark === undefined || mark === markOf(Number(owner))) continue;
    try {
      rmSync(join(place, name), { recursive: true, force: true });
    } catch {} // it belongs to another user, or another run has removed it
  }
}

/** Identifies a process in the name of a folder: its id, and a hash of its start time because ids are reused. null: no such process. */
function markOf(pid: number): string | null {
  const process = identify(pid);
  return process && `${pid}-${createHash('sha256').update(process.startedAt).digest('hex').slice(0, 8)}`;
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ENOUGH;
  } catch {
    return false; // the folder does not exist
  }
}
