// Own code: @koa/cors has one list of methods for all paths, and marks every answer with `Vary: Origin`.
import type { Middleware } from 'koa';
import { Forbidden } from '../framework/errors.ts';
import { isForeignBasic } from '../framework/foreign.ts';
import { methodsOf, type Route } from '../framework/route.ts';
import type { ApiState } from '../framework/state.ts';
import { answerHeaders } from '../pages/kit/policy.ts';
import { createRouter } from './dispatch.ts';

/** Sets the security headers that every response has. Pages replace some of them. */
export function security(publicUrl: string): Middleware<ApiState> {
  const headers = answerHeaders({ isSecure: publicUrl.startsWith('https:') });
  return async (ctx, next) => {
    ctx.set(headers);
    await next();
  };
}

const PREFLIGHT_SECONDS = 600;
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, Api-Version, X-Request-Id, traceparent';
const EXPOSED_HEADERS =
  'Api-Version, ETag, Idempotent-Replayed, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Request-Id, Retry-After, X-Request-Id, X-Total-Count, traceparent';

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

/** Throws Forbidden for Basic credentials in a request of another site's page. A publishable key on its routes is accepted. */
export function crossSite(publicUrl: string): Middleware<ApiState> {
  const own = new URL(publicUrl).origin;
  return async (ctx, next) => {
    const isOpen = ctx.state.isForPages && isPublishable(ctx.get('Authorization'));
    if (!isOpen && isForeignBasic((name) => ctx.get(name), own)) {
      throw new Forbidden(
        'Web pages of other sites cannot use an API key here: send the request from a server, or use a publishable key on the paths meant for it',
      );
    }
    await next();
  };
}

function isPublishable(authorization: string): boolean {
  const [, encoded = ''] = authorization.trim().split(/\s+/);
  return Buffer.from(encoded, 'base64').toString('utf8').startsWith('pk_');
}
