import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify } from '../../bin/local/identity.ts';

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';
/** What the databases of a run, their log included, stay far below. */
const ENOUGH = 4 * 1024 ** 3;

/**
 * A new folder for what nobody wants after the run, in memory where there is room. A database is nearly a thousand files: where many of
 * those have just been removed, ext4 searches for most of a second until it has made another one.
 */
export function scratchFolder(name: string): Promise<string> {
  const place = isRoomy(MEMORY) ? MEMORY : tmpdir();
  removeAbandoned(place);
  return mkdtemp(join(place, `perennial-${name}-${markOf(process.pid)}-`));
}

/** What a run left that was killed: memory is dear. */
function removeAbandoned(place: string): void {
  for (const name of readdirSync(place)) {
    const [, mark, owner] = /^perennial-[a-z]+-((\d+)-[0-9a-f]{8})-/.exec(name) ?? [];
    if (mark === undefined || mark === markOf(Number(owner))) continue;
    try {
      rmSync(join(place, name), { recursive: true, force: true });
    } catch {} // somebody else's, or removed by another run
  }
}

/** A process as folders are named after it: its number, which another may have after it, and when it began. Null: there is none. */
function markOf(pid: number): string | null {
  const process = identify(pid);
  return process && `${pid}-${createHash('sha256').update(process.startedAt).digest('hex').slice(0, 8)}`;
}

function isRoomy(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ENOUGH;
  } catch {
    return false; // there is none
  }
}
