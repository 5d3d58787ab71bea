import type { Context } from 'koa';
import { Refusal } from '../../../billing/refusal.ts';
import { bodyReader } from '../../limits/receiving.ts';

/** The largest form of a page, in bytes. */
const MOST_BYTES = 16_384;

class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

const readBody = bodyReader({
  text: true,
  textTypes: ['urlencoded'],
  textLimit: MOST_BYTES,
  onError: () => {
    throw new Unreadable();
  },
});

/** Reads the form of a page. A body that is too large is not read completely, and counts as an empty form. */
export async function readForm(ctx: Context): Promise<URLSearchParams> {
  try {
    const text = await readBody(ctx);
    return new URLSearchParams(typeof text === 'string' ? text : '');
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    ctx.set('Connection', 'close');
    return new URLSearchParams();
  }
}

/** Reads the body of an event exactly as it was sent, because its signature covers every byte. Refuses other types and longer bodies. */
export function rawBodyReader({
  types,
  mostBytes,
}: {
  types: readonly string[];
  mostBytes: number;
}): (ctx: Context) => Promise<string> {
  const read = bodyReader({
    text: true,
    textTypes: [...types],
    textLimit: mostBytes,
    onError: (error, { req }) => {
      req.unpipe();
      req.resume();
      const isLong: boolean = Reflect.get(error, 'type') === 'entity.too.large';
      const most = mostBytes / 1024;
      throw new Refusal(
        isLong ? 'body_too_large' : 'body_invalid',
        isLong ? `An event must be smaller than ${most} KiB` : 'The event could not be read',
      );
    },
  });
  return async (ctx) => {
    if (ctx.is([...types]) === false)
      throw new Refusal('content_type_unsupported', `Content-Type of an event must be ${types.join(' or ')}`);
    const body = await read(ctx);
    return typeof body === 'string' ? body : '';
  };
}

/** The headers of a request, with names in lower case. */
export function headersOf(ctx: Pick<Context, 'headers'>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(ctx.headers).map(([name, value]) => [name, value?.toString()] as const));
}

/** Redirects to a page once a form has been taken. The browser reads that page with GET, so a reload does not send the form again. */
export function seeOther(ctx: Context, url: string): void {
  ctx.redirect(url);
  ctx.body = null;
  ctx.status = 303;
}
