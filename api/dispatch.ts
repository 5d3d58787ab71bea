import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { textAs } from '../present/versions/versions.ts';
import type { ApiDeps } from './deps.ts';
import { NoRoute } from './errors.ts';
import type { ApiRequest, Reply, Route } from './route.ts';
import type { ApiState } from './state.ts';
import type { Totals } from './total.ts';

/** The routes as middleware. */
export function dispatch(deps: ApiDeps, routes: readonly Route[]) {
  const router = new Router<ApiState>();
  const totals: Totals = new Map();
  for (const route of routes) {
    for (const method of [route.method].flat()) {
      router.register(route.path, [method], async (ctx) => {
        ctx.state.route = route.path;
        send(ctx, await route.handle(requestOf(deps, ctx, { method, params: ctx.params, totals })));
      });
    }
  }
  return router.routes();
}

/** What no route takes is not found, a wrong method too. */
export const noRoute: Middleware<ApiState> = (ctx) => {
  throw new NoRoute(`There is nothing at ${ctx.method} ${ctx.path.slice(0, 200)}`);
};

function requestOf(
  deps: ApiDeps,
  ctx: Pick<Context, 'path' | 'querystring'> & { state: ApiState },
  route: Pick<ApiRequest, 'method' | 'params' | 'totals'>,
): ApiRequest {
  const { em, credential, basePath, body, idempotencyKey } = ctx.state;
  if (!em || !credential || basePath === undefined) throw new Error('a route ran before its middleware');
  return {
    ...route,
    deps,
    em,
    caller: { account: credential.account, userId: -2 },
    credentialId: credential.id,
    baseUrl: `${deps.publicUrl}${basePath}`,
    path: ctx.path,
    query: new URLSearchParams(ctx.querystring),
    body,
    idempotencyKey: idempotencyKey ?? null,
  };
}

function send(
  ctx: Pick<Context, 'status' | 'body' | 'type' | 'set'> & { state: ApiState },
  { statusCode, json, headers }: Reply,
): void {
  ctx.status = statusCode;
  ctx.set(headers ?? {});
  if (json === null) {
    ctx.body = null;
    ctx.status = statusCode;
    return;
  }
  ctx.type = 'application/json';
  ctx.body = textAs(ctx.state.apiVersion ?? null, json);
}
