import type { Middleware } from 'koa';
import { Forbidden } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';

/**
 * Browsers attach Basic credentials that were once entered to requests of any page. So pages of other sites may use none, except a
 * publishable key on its routes. Browsers never attach a Bearer token by themselves. Throws Forbidden.
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

/** Programs send neither header. A page that the browser reports as same-origin is accepted under any host name of the server. */
function isForeign(site: string, origin: string, own: string): boolean {
  if (site === 'same-origin') return false;
  return site === 'cross-site' || (origin !== '' && origin !== own);
}
