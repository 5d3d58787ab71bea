import { createReadStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore } from '../../commands/ports/ports.ts';
import type { Part } from './manifest.ts';
import { writeStreams } from './parts.ts';

const FOLDER = 'files';
const ACCOUNT = /^\d{1,10}$/;
const NAME = /^[A-Za-z0-9_-]{16,64}$/;

/** Copies the files of a folder store into a backup, without unfinished ones and those that are deleted meanwhile. */
export async function copyFiles(from: string, to: string): Promise<Part[]> {
  const parts: Part[] = [];
  for (const account of await namesIn(from, ACCOUNT)) {
    for (const name of await namesIn(join(from, account), NAME)) {
      const file = await open(join(from, account, name), 'r').catch(missing);
      if (!file) continue;
      const path = `${FOLDER}/${account}/${name}`;
      parts.push(await writeStreams({ folder: to, path }, [file.createReadStream()]));
    }
  }
  return parts;
}

/** Stores the files of a backup under their keys. */
export async function storeFiles(folder: string, parts: readonly Part[], store: FileStore): Promise<void> {
  for (const { path, bytes, sha256 } of parts) {
    const key = path.slice(FOLDER.length + 1);
    const read = () => createReadStream(join(folder, path));
    await store.put(key, { size: bytes, sha256, type: 'application/octet-stream', open: read });
  }
}

/** The names in a folder that match, in alphabetical order. None if there is no such folder. */
async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  const names = (await readdir(folder).catch(missing)) ?? [];
  return names.filter((name) => pattern.test(name)).toSorted();
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
