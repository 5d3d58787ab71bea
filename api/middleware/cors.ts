// Own code: @koa/cors has one list of methods for all paths, and marks every answer with `Vary: Origin`.
import type { Middleware } from 'koa';
import { methodsOf, type Route } from '../framework/route.ts';
import type { ApiState } from '../framework/state.ts';
import { createRouter } from './dispatch.ts';

const PREFLIGHT_SECONDS = 600;
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Api-Version, X-Request-Id, traceparent';
const EXPOSED_HEADERS =
  'Api-Version, Idempotent-Replayed, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Request-Id, Retry-After, X-Request-Id, X-Total-Count, traceparent';

/**
 * Allows pages of any origin to call the routes for publishable keys, and answers their preflights. These routes never read cookies, so `*`
 * reveals no more than the key does.
 */
export function cors(routes: readonly Route[]): Middleware<ApiState> {
  const open = routes.filter(({ publishable }) => publishable);
  const router = createRouter(open);
  const opens = (path: string, method: string) => router.match(path, method).route;
  return async (ctx, next) => {
    const isPreflight = ctx.method === 'OPTIONS';
    const method = isPreflight ? ctx.get('Access-Control-Request-Method') : ctx.method;
    if (open.length === 0 || !opens(ctx.path, method)) return next();
    ctx.state.isForPages = true;
    ctx.set('Access-Control-Allow-Origin', '*');
    if (!isPreflight) {
      ctx.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
      return next();
    }
    const methods = new Set(open.flatMap(methodsOf).filter((one) => opens(ctx.path, one)));
    ctx.set('Access-Control-Allow-Methods', [...methods].join(', '));
    ctx.set('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    ctx.set('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
    ctx.status = 204;
  };
}
