import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory that a test can fill. */
export interface SmallDisk {
  folder: string;
  fill(): Promise<void>;
  free(): Promise<void>;
  remove(): Promise<void>;
}

/** Mounting needs a superuser. */
export const canMount = process.getuid?.() === 0;

export async function mountSmallDisk(): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'small-disk-'));
  const run = (command: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  };
  run('mount', '-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder);
  const filler = join(folder, 'filler');
  return {
    folder,
    async fill() {
      await writeFile(filler, Buffer.alloc(1024 * 1024)).catch(() => undefined); // writes what fits
    },
    free: () => rm(filler, { force: true }),
    async remove() {
      run('umount', folder);
      await rm(folder, { recursive: true });
    },
  };
}
