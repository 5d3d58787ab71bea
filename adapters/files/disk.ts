import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import type { FileStore, NewBytes } from '../../commands/ports/ports.ts';
import { checkedKey } from './key.ts';

/** Stores files in a folder of this machine. Processes on other machines need the same folder, or another kind of store. */
export function createDiskStore(folder: string): FileStore {
  const pathOf = (key: string): string => join(folder, checkedKey(key));
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeWhole(path, bytes);
    },
    async get(key) {
      const file = await open(pathOf(key), 'r').catch(ignoring('ENOENT'));
      return file ? file.createReadStream() : null;
    },
    delete: (key) => rm(pathOf(key), { force: true }),
  };
}

/** Writes a file atomically. It is synced to disk when the promise resolves. Throws if it does not have the expected size. */
async function writeWhole(path: string, { open: read, size }: NewBytes): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.part`;
  try {
    const writing = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(read(), writing);
    await finished(writing);
    if (writing.bytesWritten !== size) throw new Error(`${writing.bytesWritten} bytes came in place of ${size}`);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Syncs the folder of a renamed file, because a rename is durable only then. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

function ignoring(code: string): (error: unknown) => null {
  return (error) => {
    if (typeof error === 'object' && error && 'code' in error && error.code === code) return null;
    throw error;
  };
}
