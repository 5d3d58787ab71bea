import type { IncomingHttpHeaders } from 'node:http';
import type { Middleware } from 'koa';
import { koaBody } from 'koa-body';
import { Refusal } from '../../billing/refusal.ts';
import { isSent, parseForm, parseJson } from '../sent.ts';
import type { ApiState } from '../state.ts';

const MOST_BYTES = 4 * 1024 * 1024;
/** A form of 1,000 lines with twenty fields each arrives whole; a larger one is refused, never cut. */
const formLimits = {
  allowDots: false,
  arrayLimit: 2000,
  depth: 8,
  parameterLimit: 50_000,
  plainObjects: true,
  strictDepth: true,
  throwOnLimitExceeded: true,
};

/** JSON comes as text, so that its numbers can be read as they were written; forms come parsed. */
const readBody = koaBody({
  multipart: false,
  json: false,
  text: true,
  textTypes: ['json', 'application/*+json', 'text/*'],
  textLimit: MOST_BYTES,
  formLimit: MOST_BYTES,
  queryString: formLimits,
  onError: (error) => {
    throw new Refusal(unreadable(error));
  },
});

/** Reads the body: JSON or a form, as an object. No body, null, "" and bare scalars are an empty one. */
export const body: Middleware<ApiState> = async (ctx, next) => {
  if (ctx.method !== 'POST' && ctx.method !== 'PATCH') {
    ctx.state.body = {};
    return next();
  }
  if (ctx.is('json', 'application/*+json', 'text/*', 'urlencoded') === false && hasContent(ctx.req.headers)) {
    throw new Refusal('Content-Type must be application/json or application/x-www-form-urlencoded');
  }
  await readBody(ctx, async () => undefined);
  const read: unknown = ctx.request.body;
  ctx.state.body = objectOf(typeof read === 'string' ? fromText(read) : parseForm(read));
  return next();
};

function hasContent(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function fromText(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return parseJson(text);
  } catch {
    throw new Refusal('The request body is not valid JSON');
  }
}

function objectOf(value: unknown): unknown {
  if (Array.isArray(value)) throw new Refusal('The request body must be an object');
  const isObject = typeof value === 'object' && value !== null && !isSent(value);
  return isObject ? value : {};
}

function unreadable(error: Error): string {
  const type: unknown = Reflect.get(error, 'type');
  if (type === 'entity.too.large') return 'The request body must be smaller than 4 MiB';
  if (error instanceof RangeError) return `The form is too large: ${error.message}`;
  return 'The request body could not be read';
}
