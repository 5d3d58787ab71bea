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

/** The largest body that arrives before anything else is done for it. The buffer of a request holds more. */
const SMALL_BYTES = 16_384;

/**
 * Waits until a small body without credentials has arrived, so that a slow sender costs nothing but its connection. A larger body arrives
 * when it is read. Throws a Refusal if the client disconnects.
 */
export async function arrivalOf(request: IncomingMessage): Promise<void> {
  const { authorization, 'content-length': length = '0' } = request.headers;
  if (authorization !== undefined || Number(length) > SMALL_BYTES || !(Number(length) > 0)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    if (request.complete || request.destroyed) resolve();
  };
  request.on('readable', look).once('close', resolve);
  await promise;
  request.off('readable', look).off('close', resolve);
  refuseGone(request);
}

/** Throws a Refusal if the client disconnected while its request waited. Reading its body would never end. */
export function refuseGone(request: IncomingMessage): void {
  if (request.destroyed) throw new Refusal('body_invalid', 'The request was cut off');
}
