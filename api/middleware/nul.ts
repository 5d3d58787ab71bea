import type { Middleware } from 'koa';
import { refuseNulInUrl } from '../body/nul.ts';
import type { ApiState } from '../framework/state.ts';

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
