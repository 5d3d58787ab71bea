import type { Middleware } from 'koa';
import { refuseNulInUrl } from '../nul.ts';
import type { ApiState } from '../state.ts';

const OAUTH = /^(\/sandbox)?\/oauth\//;

/** Refuses an address with a null character in it. The pages of OAuth say so themselves. */
export const nul: Middleware<ApiState> = async (ctx, next) => {
  if (!OAUTH.test(ctx.path)) refuseNulInUrl(ctx);
  await next();
};
