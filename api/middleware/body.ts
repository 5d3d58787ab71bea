import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { Refusal } from '../../billing/refusal.ts';
import { parseForm } from '../body/form.ts';
import { parseJson } from '../body/json.ts';
import { isSent } from '../body/sent.ts';
import { readUpload, type Upload } from '../body/upload.ts';
import type { ApiState } from '../framework/state.ts';
import { chargeBody, waitForBody, waitForPlace, withoutPlace } from '../limits/admission.ts';
import { bodyReader, refuseGone } from '../limits/receiving.ts';
import { readAs } from '../versions/versions.ts';

const MOST_BYTES = 4 * 1024 * 1024;
/** Cost of reading a byte of a file, relative to a byte of a parsed body. */
const UPLOAD_COST = 1 / 4;
/** `text/plain` is missing, because pages of other sites can send it without a preflight. */
const CONTENT_TYPES = ['json', 'application/*+json', 'urlencoded'];

/** Reads JSON and forms as text, so that JSON numbers keep their digits and forms keep names that koa-body's parser would drop. */
const readBody = bodyReader({
  text: true,
  encoding: 'latin1', // one character per byte; decoded as UTF-8 below, where invalid bytes are refused
  textTypes: [...CONTENT_TYPES],
  textLimit: MOST_BYTES,
  onError: (error, { req }) => {
    // Drains the rest, so that the connection can serve the next request.
    req.unpipe();
    req.resume();
    throw unreadable(error);
  },
});

/** Reads the body: JSON or a form. A missing body becomes an empty object. The route refuses `null` and other non-objects. */
export const body: Middleware<ApiState> = async (ctx, next) => {
  if (ctx.method !== 'POST' && ctx.method !== 'PATCH' && ctx.method !== 'PUT') {
    ctx.state.body = {};
    return next();
  }
  if (ctx.state.matched?.route.takesFile && ctx.is('multipart/form-data')) return withUpload(ctx, next);
  if (ctx.is(...CONTENT_TYPES) === false && hasContent(ctx.req.headers)) {
    throw new Refusal(
      'content_type_unsupported',
      'Content-Type must be application/json or application/x-www-form-urlencoded',
    );
  }
  if (!/^(utf-?8)?$/i.test(ctx.request.charset))
    throw new Refusal('content_type_unsupported', 'The charset of the request must be utf-8');
  const bytes = await paced(ctx.req, { cost: 1, read: () => readText(ctx), sizeOf: (read) => read.length });
  await waitForPlace();
  const text = decoded(bytes);
  const sent = ctx.is('urlencoded') ? await parseForm(text) : fromText(text);
  ctx.state.body = isObject(sent) ? readAs(ctx.state.apiVersion ?? null, sent) : sent;
  return next();
};

/** How to read a body. `cost`: of one byte. `sizeOf`: number of bytes that were read. */
interface Reading<Read> {
  cost: number;
  read(): Promise<Read>;
  sizeOf(read: Read): number;
}

/** Reads a body once the pace of the account's large bodies allows it. */
function paced<Read>(request: IncomingMessage, { cost, read, sizeOf }: Reading<Read>): Promise<Read> {
  return withoutPlace(async () => {
    const length = lengthOf(request.headers);
    await waitForBody(length === null ? null : length * cost);
    refuseGone(request);
    const received = await read();
    if (length === null) chargeBody(sizeOf(received) * cost);
    return received;
  });
}

/** The body as received, one character per byte. */
async function readText(ctx: Context): Promise<string> {
  const read = await readBody(ctx);
  return typeof read === 'string' ? read : '';
}

/** Receives a file instead of a body. Its temporary file is deleted when the request has been answered. */
async function withUpload(
  ctx: Pick<Context, 'req'> & { state: ApiState },
  next: () => Promise<unknown>,
): Promise<void> {
  const read = () => readUpload(ctx.req);
  const upload = await paced(ctx.req, { cost: UPLOAD_COST, read, sizeOf: ({ size }) => size });
  try {
    const { name, type, size, sha256 } = upload;
    const fields = ctx.state.matched?.route.takesFields ? await fieldsOf(upload) : {};
    const body = Object.assign(Object(fields), { file: { name, type, size: String(size), sha256 } });
    Object.assign(ctx.state, { upload, body });
    await next();
  } finally {
    await upload.close();
  }
}

/** The parts of a form besides its file, as the body that they describe. */
async function fieldsOf({ fields }: Upload): Promise<unknown> {
  if (fields !== null) return fields === '' ? {} : parseForm(fields);
  throw new Refusal('body_too_large', 'The parts besides the file must not be larger than 64 KiB');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8. Throws a Refusal for invalid bytes, which would otherwise be stored as different text. */
function decoded(bytes: string): string {
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    throw new Refusal('body_invalid', 'The request body is not UTF-8');
  }
}

function hasContent(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Number of bytes to parse. Null: unknown, because the client sends no Content-Length or compresses the body. */
function lengthOf(headers: IncomingHttpHeaders): number | null {
  const isEncoded = (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
  if (isEncoded || headers['transfer-encoding'] !== undefined) return null;
  return Number(headers['content-length'] ?? 0);
}

function fromText(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refusal('body_invalid', 'The request body is not valid JSON');
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isSent(value);
}

function unreadable(error: Error): Refusal {
  const type: unknown = Reflect.get(error, 'type');
  if (type === 'entity.too.large') return new Refusal('body_too_large', 'The request body must be smaller than 4 MiB');
  return new Refusal('body_invalid', 'The request body could not be read');
}
