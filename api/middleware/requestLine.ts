import type { Middleware } from 'koa';
import { Refusal } from '../../billing/refusal.ts';
import { refuseNulInUrl } from '../body/nul.ts';
import { NoRoute } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';

/** Throws a Refusal for a request without the Host header, which HTTP/1.1 requires. */
export const host: Middleware<ApiState> = async (ctx, next) => {
  if (ctx.req.headers.host === undefined && ctx.req.httpVersion !== '1.0') {
    throw new Refusal('parameter_missing', 'The Host header is missing', 'Host');
  }
  await next();
};

/** OAuth pages check the URL themselves. The API checks it after the rate limit, so that the response has all headers. */
const CHECKED_LATER = /^(\/sandbox)?\/(oauth|api)(\/|$)/;

/** Throws a Refusal for a null character in the URL of a page. */
export const nul: Middleware<ApiState> = async (ctx, next) => {
  if (!CHECKED_LATER.test(ctx.path)) refuseNulInUrl(ctx);
  await next();
};

/** Throws a Refusal for a null character in the URL of an API request. */
export const apiNul: Middleware<ApiState> = async (ctx, next) => {
  refuseNulInUrl(ctx);
  await next();
};

const bases = [
  { basePath: '/sandbox/api', environment: 'sandbox' },
  { basePath: '/api', environment: 'live' },
] as const;

/** Reads the environment from the base path and removes the base path, so that routes see only the rest. */
export const base: Middleware<ApiState> = async (ctx, next) => {
  const { path } = ctx;
  const found = bases.find(({ basePath }) => path === basePath || path.startsWith(`${basePath}/`));
  if (!found) throw new NoRoute(`There is nothing at ${ctx.state.page ?? path.slice(0, 200)}`);
  Object.assign(ctx.state, found);
  ctx.path = path.slice(found.basePath.length) || '/';
  await next();
};

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Throws NoRoute for other methods, before authentication. OPTIONS is one of them, because a preflight carries no key. `cors` has already
 * answered the preflights of routes for publishable keys.
 */
export const methods: Middleware<ApiState> = async (ctx, next) => {
  if (!METHODS.has(ctx.method)) throw new NoRoute(`There is nothing at ${ctx.method} ${ctx.path.slice(0, 200)}`);
  await next();
};
