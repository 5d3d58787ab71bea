import type { Context } from 'koa';
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
