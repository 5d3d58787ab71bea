import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Dicer } from '@fastify/busboy';
import { FileStoreAway } from '../../billing/failures.ts';
import { plainFileName } from '../../billing/look/fileName.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { NewBytes } from '../../commands/ports/ports.ts';

const MEBIBYTE = 1024 * 1024;
const MOST_BYTES = 25 * MEBIBYTE;
/** Maximum size of the whole form, including parts that are ignored. */
const MOST_UPLOADED_BYTES = MOST_BYTES + MEBIBYTE;
const MOST_PARTS = 100;
/** Maximum number of headers of a part. The parser reads up to 80 KiB of them. */
const MOST_HEADERS = 20;
const MOST_NAME = 255;
const PART = 'file';
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary']);

/** Maximum size of the parts besides the file, together, that are kept. */
const MOST_FIELD_BYTES = 64 * 1024;

/** The file of a `multipart/form-data` request. Its bytes are in a temporary file, which `close` deletes. */
export interface Upload extends Omit<NewBytes, 'type'> {
  name: string;
  /** MIME type that the client sent; null if it sent none. */
  type: string | null;
  /** Path of the temporary file. */
  path: string;
  /** The other parts as a form, `name=value&…`; null: they are too large to be fields. */
  fields: string | null;
  close(): Promise<void>;
}

/** Reads the part named `file`, and others that are fields. Refuses requests with no such part or with several, and files over 25 MiB. */
export async function readUpload(request: IncomingMessage): Promise<Upload> {
  if (Number(request.headers['content-length'] ?? 0) > MOST_UPLOADED_BYTES) throw tooLarge();
  const path = join(tmpdir(), `perennial-upload-${process.pid}-${randomUUID()}`);
  const close = () => rm(path, { force: true });
  try {
    const received = await receive(request, path);
    return { ...received, path, open: () => createReadStream(path), close };
  } catch (error) {
    await close();
    if (request.destroyed && !request.complete) refuse('it was cut off');
    if (error instanceof Error && !(error instanceof Refusal) && !('code' in error)) refuse(error.message);
    throw isOfFolder(error) ? new FileStoreAway(error) : error;
  }
}

/** Whether the temporary file could not be written. */
function isOfFolder(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && (error.syscall === 'open' || error.syscall === 'write');
}

interface Received extends Kept {
  fields: string | null;
}

interface Kept {
  name: string;
  type: string | null;
  size: number;
  sha256: string;
}

/** The part of a form that was read so far. */
interface Seen {
  parts: number;
  bytes: number;
  file: Readable | null;
  kept: Promise<Kept> | null;
  fields: { name: string; chunks: Buffer[] }[];
  fieldBytes: number;
}

type Headers = Readonly<Record<string, readonly string[] | undefined>>;

/** Streams the part to a file, so that only the chunks in transit are in memory. */
async function receive(request: IncomingMessage, path: string): Promise<Received> {
  const form = new Dicer({ boundary: boundaryOf(request), maxHeaderPairs: MOST_HEADERS });
  const { promise: read, resolve, reject } = Promise.withResolvers<void>();
  const seen: Seen = { parts: 0, bytes: 0, file: null, kept: null, fields: [], fieldBytes: 0 };
  const count = ({ length }: Buffer) => {
    seen.bytes += length;
    if (seen.bytes > MOST_UPLOADED_BYTES) reject(tooLarge());
  };
  form.on('part', (part: Readable) => {
    seen.parts += 1;
    if (seen.parts > MOST_PARTS) reject(new Refusal('body_too_large', `The form has more than ${MOST_PARTS} parts`));
    part.on('error', () => undefined); // the reader of the part, or the form, gets the error
    part.on('header', (headers: Headers) => {
      const said = parametersOf(headers);
      if (said.get('name') !== PART) return keepField(part, said.get('name') ?? '', seen);
      if (seen.file)
        reject(new Refusal('parameter_invalid', 'There are several parts named file; send one file at a time', PART));
      seen.file = part;
      seen.kept ??= keep(part, { path, said, headers });
      seen.kept.catch(reject);
    });
  });
  form.on('finish', resolve).on('error', reject);
  request.on('error', reject).on('data', count).pipe(form);
  try {
    await read;
    const kept = (await seen.kept) ?? missing();
    return { ...kept, fields: formOf(seen) };
  } finally {
    // Drains the rest of a refused form, so that the connection can serve the next request.
    request.off('data', count).unpipe(form);
    request.resume();
    seen.file?.destroy();
    // The file may not exist until the write has ended, and then could not be removed.
    await seen.kept?.catch(() => undefined);
  }
}

/** Collects a part besides the file, unless they are too large together. */
function keepField(part: Readable, name: string, seen: Seen): void {
  const chunks: Buffer[] = [];
  if (name !== '') seen.fields.push({ name, chunks });
  part.on('data', (chunk: Buffer) => {
    seen.fieldBytes += chunk.length;
    if (seen.fieldBytes <= MOST_FIELD_BYTES) chunks.push(chunk);
  });
}

function formOf({ fields, fieldBytes }: Seen): string | null {
  if (fieldBytes > MOST_FIELD_BYTES) return null;
  const form = new URLSearchParams();
  for (const { name, chunks } of fields) form.append(name, Buffer.concat(chunks).toString('utf8'));
  return form.toString();
}

/** The boundary between the parts, from the Content-Type. */
function boundaryOf({ headers }: IncomingMessage): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^";\s]+))/i.exec(headers['content-type'] ?? '') ?? [];
  return quoted ?? plain ?? refuse('its Content-Type has no boundary');
}

async function keep(
  part: Readable,
  { path, said, headers }: { path: string; said: ReadonlyMap<string, string>; headers: Headers },
): Promise<Kept> {
  const encoding = headers['content-transfer-encoding']?.[0]?.trim().toLowerCase() ?? 'binary';
  if (!PLAIN_ENCODINGS.has(encoding))
    refuse(`the file must be sent as plain bytes, without Content-Transfer-Encoding ${encoding.slice(0, 100)}`);
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(
    part,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > MOST_BYTES) throw tooLarge();
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  );
  return { name: nameOf(said, size), type: headers['content-type']?.[0] ?? null, size, sha256: hash.digest('hex') };
}

/** The file's name. Throws when the file is missing: browsers send an empty part when no file was chosen. */
function nameOf(said: ReadonlyMap<string, string>, size: number): string {
  const given = encodedName(said.get('filename*')) ?? said.get('filename');
  if (given === '' && size === 0) missing();
  if (given?.includes('\0')) throw new Refusal('parameter_invalid', 'File name must not contain null characters', PART);
  const name = plainFileName(given ?? '') || PART;
  if ([...name].length > MOST_NAME)
    throw new Refusal('parameter_invalid', `File name must have at most ${MOST_NAME} characters`, PART);
  if (!name.isWellFormed()) throw new Refusal('parameter_invalid', 'File name must be Unicode text', PART);
  return name;
}

const PARAMETER = /;\s*([a-z]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/gis;

/** The parameters of a part's Content-Disposition: the name of the part and of the file. */
function parametersOf(headers: Headers): Map<string, string> {
  const bytes = headers['content-disposition']?.[0] ?? '';
  const text = Buffer.from(bytes, 'latin1').toString('utf8');
  return new Map(
    [...text.matchAll(PARAMETER)].map(([, name = '', quoted, plain = '']) => {
      return [name.toLowerCase(), quoted === undefined ? plain : unquoted(quoted)] as const;
    }),
  );
}

/** curl escapes quotes and backslashes with a backslash, browsers write `%22`. Other backslashes are literal. */
function unquoted(text: string): string {
  return text.replace(/\\(["\\])/g, '$1').replaceAll('%22', '"');
}

/** Decodes `filename*=UTF-8''%E2%82%AC.pdf` (RFC 5987), which some clients send in addition to the plain name or instead of it. */
function encodedName(said: string | undefined): string | null {
  const [, encoded] = /^utf-8'[^']*'(\S+)$/i.exec(said ?? '') ?? [];
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

function missing(): never {
  throw new Refusal('parameter_missing', 'File missing: the form needs a part named file', PART);
}

function refuse(reason: string): never {
  throw new Refusal('body_invalid', `The form could not be read: ${reason}`, PART);
}

function tooLarge(): Refusal {
  return new Refusal('body_too_large', 'File must not be larger than 25 MiB', PART);
}
