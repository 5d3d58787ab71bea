import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { ApiDeps } from '../deps.ts';
import type { ApiState } from '../state.ts';

/** Gives every request an id, and the log one line for each: no bodies, no headers, no query. */
export function requestLog(deps: ApiDeps): Middleware<ApiState> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    ctx.state.requestId = randomUUID();
    ctx.set('Request-Id', ctx.state.requestId);
    const { method, path } = ctx;
    await next();
    deps.log.info(
      {
        request: ctx.state.requestId,
        method,
        path,
        status: ctx.status,
        account: ctx.state.credential?.account.id ?? null,
        milliseconds: Math.round(performance.now() - startedAt),
      },
      'request',
    );
  };
}
