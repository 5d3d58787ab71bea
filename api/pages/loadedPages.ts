import type { Middleware } from 'koa';
import type { ApiDeps } from '../framework/deps.ts';
import type { ApiState } from '../framework/state.ts';
import { places } from './oauth/place.ts';

/** OAuth pages and endpoints. Their library takes 47 MiB and 0.1 s, so it is loaded with the first request for one of them. */
export const oauthPages = (deps: ApiDeps): Middleware<ApiState> =>
  loaded(
    (path) => places.some(({ prefix }) => path.startsWith(`${prefix}/oauth/`)),
    async () => (await import('./oauth/oauth.ts')).oauth(deps),
  );

const PEOPLE = /^\/(sign_in|sign_out|sign_up|start|reset|invitations|accounts|security|connected_apps)(\/|$)/;

/** The pages on which people sign in. The libraries of codes and pictures load with the first request for one of them. */
export const peoplePages = (deps: ApiDeps): Middleware<ApiState> =>
  loaded(
    (path) => PEOPLE.test(path),
    async () => (await import('./people/people.ts')).people(deps),
  );

/** Pages that are loaded with the first request for one of them. */
function loaded(isOurs: (path: string) => boolean, load: () => Promise<Middleware<ApiState>>): Middleware<ApiState> {
  let pages: Promise<Middleware<ApiState>> | undefined;
  return async (ctx, next) => {
    if (!isOurs(ctx.path)) return next();
    pages ??= load().catch((error: unknown) => {
      pages = undefined; // the next request tries again
      throw error;
    });
    return (await pages)(ctx, next);
  };
}
