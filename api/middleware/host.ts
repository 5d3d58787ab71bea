import type { Middleware } from 'koa';
import { Refusal } from '../../billing/refusal.ts';
import type { ApiState } from '../framework/state.ts';

/** Throws a Refusal for a request without the Host header, which HTTP/1.1 requires. */
export const host: Middleware<ApiState> = async (ctx, next) => {
  if (ctx.req.headers.host === undefined && ctx.req.httpVersion !== '1.0') {
    throw new Refusal('parameter_missing', 'The Host header is missing', 'Host');
  }
  await next();
};
