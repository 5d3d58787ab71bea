import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { ApiDeps } from '../framework/deps.ts';
import type { ApiState } from '../framework/state.ts';

/** Digits as many as in the number of a card, in groups or not. No id of an object has so many. */
const CARD_NUMBER = /\d(?:(?:-|%20)?\d){11,18}/g;

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
          // Redacts tokens, which the path of a page may contain, and also a mistyped path; and card numbers in place of an id.
          path: page?.includes(':') ? page : (matched ? path : withoutToken(path)).replace(CARD_NUMBER, ':digits'),
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

const withoutToken = (path: string): string => path.replace(/[\w-]{32,}/g, ':token');
