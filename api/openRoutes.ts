import type { Middleware } from 'koa';
import { createReadiness } from '../db/readiness.ts';
import type { ApiDeps } from './deps.ts';
import { pagePolicy } from './middleware/security.ts';
import { openApiOf } from './openapi/document.ts';
import { referencePage } from './reference/page.ts';
import type { RouteGroup } from './routes.ts';
import type { ApiState } from './state.ts';

/** The OpenAPI document, below both base URLs. */
const DOCUMENT = /^(\/sandbox)?\/api\/openapi\.json$/;

/** Whether the server is about to end. */
export interface Draining {
  readonly isDraining: boolean;
}

/** For machines, for people, and what a browser may load on the page. */
interface Documentation {
  document: string;
  page: string;
  policy: string;
}

/** Pages that need no key: whether the process lives, whether it can serve, and what it offers. */
export function openRoutes(deps: ApiDeps, groups: readonly RouteGroup[], draining: Draining): Middleware<ApiState> {
  let made: Documentation | undefined;
  const documentation = () => {
    made ??= documentationOf(groups, deps.publicUrl);
    return made;
  };
  const unready = createReadiness(deps.em);
  return async (ctx, next) => {
    const reads = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (reads && ctx.path === '/health') {
      ctx.state.page = '/health';
      ctx.body = { status: 'ok' };
    } else if (reads && ctx.path === '/ready') {
      ctx.state.page = '/ready';
      const reason = draining.isDraining ? 'shutting down' : await unready();
      ctx.status = reason === null ? 200 : 503;
      ctx.body = reason === null ? { status: 'ready' } : { status: 'unavailable', reason };
    } else if (reads && ctx.path === '/docs') {
      ctx.state.page = '/docs';
      const { page, policy } = documentation();
      ctx.set('Content-Security-Policy', policy);
      ctx.type = 'text/html';
      ctx.body = page;
    } else if (reads && DOCUMENT.test(ctx.path)) {
      ctx.state.page = '/openapi.json';
      ctx.type = 'application/json';
      ctx.body = documentation().document;
    } else await next();
  };
}

/** Made when it is first asked for: a process starts without it. */
function documentationOf(groups: readonly RouteGroup[], publicUrl: string): Documentation {
  const api = openApiOf(groups, publicUrl);
  const page = referencePage(api);
  return { document: JSON.stringify(api), page, policy: pagePolicy(page) };
}
