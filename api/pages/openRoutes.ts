import { createHash } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import { createReadiness } from '../../db/readiness.ts';
import type { ApiDeps } from '../framework/deps.ts';
import type { ApiState } from '../framework/state.ts';
import { openApiOf } from '../openapi/document.ts';
import type { RouteGroup } from '../resources/routes.ts';
import { pagePolicy } from './kit/policy.ts';
import { referencePage } from './reference/page.ts';
import { style } from './reference/style.ts';

/** Path of the OpenAPI document, below both base URLs. */
const DOCUMENT = /^(\/sandbox)?\/api\/openapi\.json$/;

/** Whether the server is draining. */
export interface Draining {
  readonly isDraining: boolean;
}

/** A body that is encoded once for all requests, because encoding large texts is costly. */
interface Kept {
  bytes: Buffer;
  etag: string;
}

/** The OpenAPI document, the reference page and its Content-Security-Policy. */
interface Documentation {
  document: Kept;
  page: Kept;
  policy: string;
}

/** Routes that need no key: liveness, readiness, and the documentation. */
export function openRoutes(deps: ApiDeps, groups: readonly RouteGroup[], draining: Draining): Middleware<ApiState> {
  let made: Promise<Documentation> | undefined;
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
      const { page, policy } = await documentation();
      ctx.set('Content-Security-Policy', policy);
      ctx.type = 'text/html';
      send(ctx, page);
    } else if (reads && DOCUMENT.test(ctx.path)) {
      ctx.state.page = '/openapi.json';
      ctx.type = 'application/json';
      send(ctx, (await documentation()).document);
    } else await next();
  };
}

/** Builds the documentation. Called at the first request, so that it does not delay the start. Yields to other requests. */
async function documentationOf(groups: readonly RouteGroup[], publicUrl: string): Promise<Documentation> {
  const api = openApiOf(groups, publicUrl);
  await immediate();
  const document = kept(JSON.stringify(api));
  await immediate();
  const page = await referencePage(api);
  return {
    document,
    page: kept(page),
    policy: pagePolicy({ css: style, hasPictures: false, formTargets: [], script: null }),
  };
}

function kept(text: string): Kept {
  const bytes = Buffer.from(text);
  return { bytes, etag: createHash('sha256').update(bytes).digest('base64url') };
}

/** Sends the body, or 304 to a client that already has this version. */
function send(ctx: Pick<Context, 'set' | 'etag' | 'status' | 'fresh' | 'body'>, { bytes, etag }: Kept): void {
  ctx.set('Cache-Control', 'no-cache');
  ctx.etag = etag;
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = bytes;
}
