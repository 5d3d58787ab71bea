import type { Middleware } from 'koa';
import { NoRoute } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Other methods are not found, before anybody is asked for a key. OPTIONS among them: a browser's preflight carries none, and what is
 * for pages of other origins has answered it before.
 */
export const methods: Middleware<ApiState> = async (ctx, next) => {
  if (!METHODS.has(ctx.method)) throw new NoRoute(`There is nothing at ${ctx.method} ${ctx.path.slice(0, 200)}`);
  await next();
};
