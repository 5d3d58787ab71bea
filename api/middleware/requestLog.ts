import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { ApiDeps } from '../framework/deps.ts';
import type { ApiState } from '../framework/state.ts';

/** Gives every request an id and writes one log line for it. The line has no body, headers or query. */
export function requestLog({ log, metrics }: Pick<ApiDeps, 'log' | 'metrics'>): Middleware<ApiState> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    ctx.state.requestId = randomUUID();
    ctx.set('Request-Id', ctx.state.requestId);
    const { method, path } = ctx;
    metrics?.requestBegins();
    try {
      await next();
    } finally {
      const milliseconds = performance.now() - startedAt;
      const { matched, page = null, credential } = ctx.state;
      const route = matched?.route.path ?? page;
      metrics?.requestEnds({ method, route, status: ctx.status, seconds: milliseconds / 1000 });
      log.info(
        {
          request: ctx.state.requestId,
          method,
          // Redacts tokens, which the path of a page may contain, and also a mistyped path.
          path: page?.includes(':') ? page : matched ? path : path.replace(/[\w-]{32,}/g, ':token'),
          route,
          status: ctx.status,
          account: credential?.account.id ?? null,
          credential: credential?.id ?? null,
          milliseconds: Math.round(milliseconds * 10) / 10,
        },
        'request',
      );
    }
  };
}
