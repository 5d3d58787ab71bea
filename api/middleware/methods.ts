import type { Middleware } from 'koa';
import { NoRoute } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Throws NoRoute for other methods, before authentication. OPTIONS is one of them, because a preflight carries no key. `cors` has already
 * answered the preflights of routes for publishable keys.
 */
export const methods: Middleware<ApiState> = async (ctx, next) => {
  if (!METHODS.has(ctx.method)) throw new NoRoute(`There is nothing at ${ctx.method} ${ctx.path.slice(0, 200)}`);
  await next();
};
