import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import {
  causedBy,
  comingFrom,
  currentCause,
  inSpan,
  readRequestId,
  readTraceparent,
  type Span,
} from '../../db/tracing.ts';
import type { ApiDeps } from '../framework/deps.ts';
import type { ApiState } from '../framework/state.ts';
import { clientAddress, proxiesOf } from '../limits/clientAddress.ts';

/** Characters of a browser's name that are kept. */
const MOST_USER_AGENT = 255;

/** Digits as many as in the number of a card, in groups or not. No id of an object has so many. */
const CARD_NUMBER = /\d(?:(?:-|%20)?\d){11,18}/g;

/**
 * Gives every request an id, that of the client if it sends one, and writes one log line for it. The line has no body, headers or query.
 */
export function requestLog({
  log,
  metrics,
  trustedProxies,
}: Pick<ApiDeps, 'log' | 'metrics' | 'trustedProxies'>): Middleware<ApiState> {
  const trusted = proxiesOf(trustedProxies);
  return async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = readRequestId(ctx.get('X-Request-Id')) ?? randomUUID();
    const traceparent = readTraceparent(ctx.get('traceparent'));
    ctx.state.requestId = requestId;
    ctx.set('Request-Id', requestId);
    ctx.set('X-Request-Id', requestId);
    metrics?.requestBegins();
    const { method, path } = ctx;
    const answer = async (span: Span) => {
      const place = currentCause().traceparent;
      if (place !== null) ctx.set('traceparent', place);
      try {
        await next();
      } finally {
        const milliseconds = performance.now() - startedAt;
        const { matched, page = null } = ctx.state;
        const route = matched?.route.path ?? page;
        describe(span, { method, route, status: ctx.status, requestId });
        metrics?.requestEnds({ method, route, status: ctx.status, seconds: milliseconds / 1000 });
        log.info({ method, ...lineOf(ctx, path), milliseconds: Math.round(milliseconds * 10) / 10 }, 'request');
      }
    };
    const span = { name: method, kind: 'server', parent: traceparent } as const;
    const origin = {
      ip: clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), trusted),
      userAgent: ctx.get('User-Agent').slice(0, MOST_USER_AGENT) || null,
    };
    await comingFrom(origin, () => causedBy({ requestId, traceparent }, () => inSpan(span, answer)));
  };
}

interface Answered {
  method: string;
  route: string | null;
  status: number;
  requestId: string;
}

function describe(span: Span, { method, route, status, requestId }: Answered): void {
  const attributes = {
    'http.request.method': method,
    'http.response.status_code': status,
    'perennial.request_id': requestId,
    ...(route === null ? {} : { 'http.route': route }),
  };
  span.describe({ name: route === null ? method : `${method} ${route}`, attributes, isFailure: status >= 500 });
}

function lineOf({ state, status }: Pick<Context, 'status'> & { state: ApiState }, path: string) {
  const { matched, page = null, credential } = state;
  return {
    // Redacts tokens, which the path of a page may contain, and also a mistyped path; and card numbers in place of an id.
    path: page?.includes(':') ? page : (matched ? path : withoutToken(path)).replace(CARD_NUMBER, ':digits'),
    route: matched?.route.path ?? page,
    status,
    account: credential?.account.id ?? null,
    credential: credential?.id ?? null,
  };
}

const withoutToken = (path: string): string => path.replace(/[\w-]{32,}/g, ':token');
