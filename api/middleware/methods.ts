import type { Middleware } from 'koa';
import { NoRoute } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Unknown methods are not found, before authentication. OPTIONS is among them: a preflight carries no key, and those of routes for pages of
 * other origins have been answered before.
 */
export const methods: Middleware<ApiState> = async (ctx, next) => {
  if (!METHODS.has(ctx.method)) throw new NoRoute(`There is nothing at ${ctx.method} ${ctx.path.slice(0, 200)}`);
  await next();
};
