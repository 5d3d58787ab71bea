import type { Middleware } from 'koa';
import { Forbidden } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';

/**
 * Throws Forbidden for Basic credentials in a request of another site's page, because browsers attach credentials that were entered once to
 * requests of any page. A publishable key on its routes is accepted. Bearer tokens are not checked: browsers never attach them by themselves.
 */
export function crossSite(publicUrl: string): Middleware<ApiState> {
  const own = new URL(publicUrl).origin;
  return async (ctx, next) => {
    const sent = ctx.get('Authorization');
    const isBasic = /^\s*basic(\s|$)/i.test(sent);
    const isOpen = ctx.state.isForPages && isPublishable(sent);
    if (isBasic && !isOpen && isForeign(ctx.get('Sec-Fetch-Site'), ctx.get('Origin'), own)) {
      throw new Forbidden(
        'Web pages of other sites cannot use an API key here: send the request from a server, or use a publishable key on the paths meant for it',
      );
    }
    await next();
  };
}

function isPublishable(authorization: string): boolean {
  const [, encoded = ''] = authorization.trim().split(/\s+/);
  return Buffer.from(encoded, 'base64').toString('utf8').startsWith('pk_');
}

/** Whether a page of another site sent the request. Programs send neither header. `same-origin` is trusted under any host name. */
function isForeign(site: string, origin: string, own: string): boolean {
  if (site === 'same-origin') return false;
  return site === 'cross-site' || (origin !== '' && origin !== own);
}
