import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import type { ApiState } from '../../framework/state.ts';

const FIVE_MINUTES = 300;
const YEAR = 31_536_000;

/** A script of ours as browsers load it. */
export interface ServedScript {
  body: Buffer;
  /** The path of this version, which browsers keep for a year. */
  path: string;
  serve: Middleware<ApiState>;
}

/**
 * Serves a script at `/js/<name>.js`. Other versions than this one are answered with this one for five minutes only, so that pages work
 * while servers are upgraded. `isShared`: pages of any origin may load it.
 */
export function servedScript(name: string, source: string, { isShared }: { isShared: boolean }): ServedScript {
  const body = Buffer.from(source);
  const version = createHash('sha256').update(body).digest('hex').slice(0, 12);
  const latest = `/js/${name}.js`;
  const versioned = new RegExp(`^/js/${name}\\.[0-9a-f]{12}\\.js$`);
  const path = `/js/${name}.${version}.js`;
  const serve: Middleware<ApiState> = async (ctx, next) => {
    if (ctx.path !== latest && !versioned.test(ctx.path)) return next();
    ctx.state.page = latest;
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (isShared) ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Cross-Origin-Resource-Policy', isShared ? 'cross-origin' : 'same-origin');
    const isFixed = ctx.path === path;
    ctx.set('Cache-Control', isFixed ? `public, max-age=${YEAR}, immutable` : `public, max-age=${FIVE_MINUTES}`);
    ctx.type = 'text/javascript; charset=utf-8';
    ctx.etag = version;
    ctx.status = 200;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = body;
  };
  return { body, path, serve };
}
