import type { Middleware } from 'koa';
import { NoRoute } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';

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
