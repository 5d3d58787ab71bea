import type { Middleware } from 'koa';
import type { ApiDeps } from '../framework/deps.ts';
import type { ApiState } from '../framework/state.ts';
import { places } from './oauth/place.ts';

/** OAuth pages and endpoints. Their library takes 47 MiB and 0.1 s, so it is loaded with the first request for one of them. */
export function oauthPages(deps: ApiDeps): Middleware<ApiState> {
  const load = async () => (await import('./oauth/oauth.ts')).oauth(deps);
  let loaded: Promise<Middleware<ApiState>> | undefined;
  return async (ctx, next) => {
    if (!places.some(({ prefix }) => ctx.path.startsWith(`${prefix}/oauth/`))) return next();
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined; // the next request tries again
      throw error;
    });
    return (await loaded)(ctx, next);
  };
}
