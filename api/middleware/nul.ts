import type { Middleware } from 'koa';
import { refuseNulInUrl } from '../body/nul.ts';
import type { ApiState } from '../framework/state.ts';

/** Pages of OAuth say it themselves. The API says it once a request is counted, with the headers of all its answers. */
const LATER = /^(\/sandbox)?\/(oauth|api)(\/|$)/;

/** Refuses the address of a page with a null character in it. */
export const nul: Middleware<ApiState> = async (ctx, next) => {
  if (!LATER.test(ctx.path)) refuseNulInUrl(ctx);
  await next();
};

/** The same for requests to the API. */
export const apiNul: Middleware<ApiState> = async (ctx, next) => {
  refuseNulInUrl(ctx);
  await next();
};
