import type { Middleware } from 'koa';
import { NoRoute } from '../errors.ts';
import type { ApiState } from '../state.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Other methods are not found, before anybody is asked for a key. OPTIONS among them: a browser's preflight carries none, and no path
 * is for browsers of other origins, so nothing here ever answers with a header of CORS.
 */
export const methods: Middleware<ApiState> = async (ctx, next) => {
  if (!METHODS.has(ctx.method)) throw new NoRoute(`There is nothing at ${ctx.method} ${ctx.path.slice(0, 200)}`);
  await next();
};
