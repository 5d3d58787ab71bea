import type { Middleware } from 'koa';
import type { ApiDeps } from './deps.ts';
import { docsPage } from './docs.ts';
import type { Route } from './route.ts';
import type { ApiState } from './state.ts';

/** Pages that need no key: whether the service works, and what it offers. */
export function openRoutes(deps: ApiDeps, routes: readonly Route[]): Middleware<ApiState> {
  const docs = docsPage(routes, deps.publicUrl);
  return async (ctx, next) => {
    const reads = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (reads && ctx.path === '/health') {
      await deps.em.fork().execute('select 1');
      ctx.body = { status: 'ok' };
    } else if (reads && ctx.path === '/docs') {
      ctx.type = 'text/html';
      ctx.body = docs;
    } else await next();
  };
}
