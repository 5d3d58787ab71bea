import type { Middleware } from 'koa';
import { Forbidden } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';

/**
 * Browsers add Basic credentials that somebody once entered to whatever any page sends here. So a page of another site may use none,
 * except a publishable key on the routes that are for it. A Bearer token no browser adds by itself. Throws Forbidden.
 */
export function crossSite(publicUrl: string): Middleware<ApiState> {
  const own = new URL(publicUrl).origin;
  return async (ctx, next) => {
    const sent = ctx.get('Authorization');
    const isBasic = /^\s*basic(\s|$)/i.test(sent);
    const isOpen = ctx.state.isForPages && isPublishable(sent);
    if (isBasic && !isOpen && isForeign(ctx.get('Sec-Fetch-Site'), ctx.get('Origin'), own)) {
      throw new Forbidden(
        'Pages of other sites may not use an API key here: send it from a server, or use a publishable key on the paths that are for it',
      );
    }
    await next();
  };
}

function isPublishable(authorization: string): boolean {
  const [, encoded = ''] = authorization.trim().split(/\s+/);
  return Buffer.from(encoded, 'base64').toString('utf8').startsWith('pk_');
}

/** Programs send neither header. A page that a browser says is of this origin is, by whatever name the server goes. */
function isForeign(site: string, origin: string, own: string): boolean {
  if (site === 'same-origin') return false;
  return site === 'cross-site' || (origin !== '' && origin !== own);
}
