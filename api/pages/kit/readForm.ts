import type { Context } from 'koa';
import { koaBody } from 'koa-body';

/** The largest form of a page, in bytes. */
const MOST_BYTES = 16_384;

class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

const readBody = koaBody({
  multipart: false,
  json: false,
  urlencoded: false,
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
    await readBody(ctx, async () => undefined);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    ctx.set('Connection', 'close');
    return new URLSearchParams();
  }
  const text: unknown = ctx.request.body;
  return new URLSearchParams(typeof text === 'string' ? text : '');
}
