import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ConfigError } from '../configError.ts';
import type { Part } from './manifest.ts';

/** Bytes of text that are unpacked at once. */
const CHUNK = 1 << 20;

/** A place for a new part: the folder of the backup, and the path within it. */
export interface Place {
  folder: string;
  path: string;
}

/** Writes lines as a compressed part. Returns the part with its number of lines. */
export async function writeLines(place: Place, batches: AsyncIterable<string[]>): Promise<Part & { rows: number }> {
  let rows = 0;
  const text = async function* () {
    for await (const lines of batches) {
      rows += lines.length;
      yield lines.map((line) => `${line}\n`).join('');
    }
  };
  const part = await writeStreams(place, [Readable.from(text()), createGzip()]);
  return { ...part, rows };
}

type Streams = readonly (NodeJS.ReadableStream | NodeJS.ReadWriteStream)[];

/** Writes the output of a chain of streams as a part that only this process's user can read. It is on disk when the promise resolves. */
export async function writeStreams({ folder, path }: Place, sources: Streams): Promise<Part> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline([...sources, measure, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })]);
  return { path, bytes, sha256: hash.digest('hex') };
}

/** Throws a ConfigError that names the first part that is missing or differs from the manifest. */
export async function verifyParts(folder: string, parts: readonly Part[]): Promise<void> {
  for (const { path, bytes, sha256 } of parts) {
    const found = await measured(join(folder, path));
    if (found === null) throw new ConfigError(`The backup is damaged: ${path} is missing`);
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw new ConfigError(`The backup is damaged: ${path} is not as it was written`);
  }
}

/** Size and hash of a file. Null: it cannot be read. */
async function measured(file: string): Promise<{ bytes: number; sha256: string } | null> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(file)) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch {
    return null;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Reads the lines of a compressed part, in batches. */
export async function* readLines({ folder, path }: Place): AsyncGenerator<string[]> {
  const file = createReadStream(join(folder, path));
  const text = file.pipe(createGunzip({ chunkSize: CHUNK }));
  file.once('error', (error) => text.destroy(error));
  text.setEncoding('utf8');
  let rest = '';
  for await (const chunk of text) {
    // JSON escapes line feeds, so each one ends a row. Other separators of lines occur within texts.
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') yield [rest];
}
