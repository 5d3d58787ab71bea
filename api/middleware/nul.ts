import type { Middleware } from 'koa';
import { refuseNulInUrl } from '../body/nul.ts';
import type { ApiState } from '../framework/state.ts';

/** OAuth pages check this themselves. The API checks it after counting the request, so that the answer has all headers. */
const LATER = /^(\/sandbox)?\/(oauth|api)(\/|$)/;

/** Refuses a null character in the address of a page. */
export const nul: Middleware<ApiState> = async (ctx, next) => {
  if (!LATER.test(ctx.path)) refuseNulInUrl(ctx);
  await next();
};

/** Refuses a null character in the address of an API request. */
export const apiNul: Middleware<ApiState> = async (ctx, next) => {
  refuseNulInUrl(ctx);
  await next();
};
