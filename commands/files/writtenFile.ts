import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { NewBytes } from '../ports/ports.ts';

/** Bytes in a temporary file, until `close`. The file has no name: nothing is left of it if the process dies. */
export interface WrittenFile extends NewBytes {
  close(): Promise<void>;
}

/** Writes bytes to a temporary file. Only those in transit are in memory. */
export async function writeTemporary(
  chunks: Readable | AsyncIterable<string>,
  { type, signal }: { type: string; signal: AbortSignal },
): Promise<WrittenFile> {
  const path = join(tmpdir(), `perennial-file-${process.pid}-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    const own = { fd: file.fd, autoClose: false };
    const hash = createHash('sha256');
    let size = 0;
    const measured = async function* (source: AsyncIterable<string | Buffer>) {
      for await (const chunk of source) {
        const bytes = Buffer.from(chunk);
        size += bytes.length;
        hash.update(bytes);
        yield bytes;
      }
    };
    await pipeline(chunks, measured, createWriteStream(path, own), { signal });
    const read = (): Readable => createReadStream(path, { ...own, start: 0 });
    return { size, sha256: hash.digest('hex'), type, open: read, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}
