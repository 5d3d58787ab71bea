import type { Context } from 'koa';
import { Refusal } from '../../../billing/refusal.ts';
import { bodyReader } from '../../limits/receiving.ts';

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
