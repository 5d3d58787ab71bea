import type { Middleware } from 'koa';
import { Forbidden } from '../framework/errors.ts';
import { isForeignBasic } from '../framework/foreign.ts';
import type { ApiState } from '../framework/state.ts';

/** Throws Forbidden for Basic credentials in a request of another site's page. A publishable key on its routes is accepted. */
export function crossSite(publicUrl: string): Middleware<ApiState> {
  const own = new URL(publicUrl).origin;
  return async (ctx, next) => {
    const isOpen = ctx.state.isForPages && isPublishable(ctx.get('Authorization'));
    if (!isOpen && isForeignBasic((name) => ctx.get(name), own)) {
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
