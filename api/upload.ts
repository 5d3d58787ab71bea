import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import formidable, { type Part } from 'formidable';
import { plainFileName } from '../billing/fileName.ts';
import { Refusal } from '../billing/refusal.ts';
import type { NewBytes } from '../commands/ports.ts';

const MEBIBYTE = 1024 * 1024;
const MOST_BYTES = 25 * MEBIBYTE;
/** With the parts that nobody asked for. */
const MOST_REQUEST_BYTES = MOST_BYTES + MEBIBYTE;
const MOST_PARTS = 100;
const MOST_NAME = 255;
const PART = 'file';

/** The file of a `multipart/form-data` request; its bytes are in a temporary file, which `close` removes. */
export interface Upload extends Omit<NewBytes, 'type'> {
  name: string;
  /** MIME type as the client says; null: it says none. */
  type: string | null;
  close(): Promise<void>;
}

/** Reads the part named `file` and passes over all others. Refuses requests without one or with several, and files over 25 MiB. */
export async function readUpload(request: IncomingMessage): Promise<Upload> {
  if (Number(request.headers['content-length'] ?? 0) > MOST_REQUEST_BYTES) throw tooLarge();
  const path = join(tmpdir(), `perennial-upload-${process.pid}-${randomUUID()}`);
  const close = () => rm(path, { force: true });
  try {
    const received = await receive(request, path);
    return { ...received, open: () => createReadStream(path), close };
  } catch (error) {
    await close();
    throw isMalformed(error) ? new Refusal(`The form could not be read: ${error.message}`, PART) : error;
  }
}

interface Received {
  name: string;
  type: string | null;
  size: number;
  sha256: string;
}

/** Writes the part to a file as it comes: no more of it is in memory than is on its way there. */
async function receive(request: IncomingMessage, path: string): Promise<Received> {
  const form = formidable({});
  const hash = createHash('sha256');
  const seen: { part: Part | null; parts: number; size: number; isOver: boolean } = {
    ...{ part: null, parts: 0, size: 0, isOver: false },
  };
  const writing = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const written = finished(writing);
  const refuse = (error: Error) => {
    seen.isOver = true;
    form.emit('error', error);
  };
  form.on('progress', (bytes) => bytes > MOST_REQUEST_BYTES && refuse(tooLarge()));
  form.onPart = (part) => {
    seen.parts += 1;
    if (seen.parts > MOST_PARTS) return refuse(new Refusal(`The form has more than ${MOST_PARTS} parts`));
    if (part.name !== PART) return;
    if (seen.part) return refuse(new Refusal('There are several parts named file; send one file at a time', PART));
    seen.part = part;
    part.on('data', (chunk: Buffer) => {
      if (seen.isOver) return;
      seen.size += chunk.length;
      if (seen.size > MOST_BYTES) return refuse(tooLarge());
      hash.update(chunk);
      if (writing.write(chunk)) return;
      request.pause();
      writing.once('drain', () => request.resume());
    });
  };
  try {
    await Promise.race([form.parse(request), written]);
  } finally {
    seen.isOver = true;
    writing.end();
    // Until it is written there may be no file yet, and so none to remove.
    await written;
  }
  const name = nameOf(seen.part, seen.size);
  return { name, type: seen.part?.mimetype ?? null, size: seen.size, sha256: hash.digest('hex') };
}

/** What a browser sends where no file was chosen is as good as none. */
function nameOf(part: Part | null, size: number): string {
  const said = part ? (encodedName(part) ?? part.originalFilename) : null;
  if (part === null || (said === '' && size === 0)) {
    throw new Refusal('File missing: the form needs a part named file', PART);
  }
  const name = plainFileName(said ?? '') || PART;
  if ([...name].length > MOST_NAME) throw new Refusal(`File name must have at most ${MOST_NAME} characters`, PART);
  if (!name.isWellFormed()) throw new Refusal('File name must be Unicode text', PART);
  return name;
}

/** `filename*=UTF-8''%E2%82%AC.pdf` of RFC 5987, which some clients send beside or in place of the plain name. */
function encodedName(part: Part): string | null {
  const headers: unknown = Reflect.get(part, 'headers');
  const header: unknown = typeof headers === 'object' && headers ? Reflect.get(headers, 'content-disposition') : null;
  const [, encoded] =
    /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(typeof header === 'string' ? header : '') ?? [];
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

function tooLarge(): Refusal {
  return new Refusal('File must not be larger than 25 MiB', PART);
}

/** Errors of the form's parser carry a status of their own. */
function isMalformed(error: unknown): error is Error {
  return error instanceof Error && !(error instanceof Refusal) && 'httpCode' in error;
}
