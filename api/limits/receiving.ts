import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { Refusal } from '../../billing/refusal.ts';
import { withoutPlace } from './admission.ts';

type Options = Pick<
  NonNullable<Parameters<typeof koaBody>[0]>,
  'json' | 'jsonLimit' | 'urlencoded' | 'formLimit' | 'text' | 'textTypes' | 'textLimit' | 'encoding' | 'onError'
>;

/**
 * Makes a reader of bodies, of the kinds that the options name. Every body but an upload is read by one: the request holds no place
 * meanwhile, so that a slow sender keeps nobody waiting.
 */
export function bodyReader(options: Options): (ctx: Context) => Promise<unknown> {
  const read = koaBody({ json: false, urlencoded: false, text: false, ...options, multipart: false });
  return async (ctx) => {
    refuseGone(ctx.req);
    await withoutPlace(() => read(ctx, async () => undefined));
    return ctx.request.body;
  };
}

/** The chunks of a body, for a library that reads them itself. The request holds no place while it waits for one. */
export async function* received(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await withoutPlace(() => iterator.next());
      if (done) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Throws a Refusal if the client disconnected while its request waited. Reading its body would never end. */
export function refuseGone(request: IncomingMessage): void {
  if (request.destroyed) throw new Refusal('body_invalid', 'The request was cut off');
}
