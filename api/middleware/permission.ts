import type { Middleware } from 'koa';
import type { Credential } from '../../db/queries/accounts/apiKeys.ts';
import { Forbidden } from '../framework/errors.ts';
import type { Route } from '../framework/route.ts';
import type { ApiState } from '../framework/state.ts';

const READING = new Set(['GET', 'HEAD']);
const INSUFFICIENT = 'Bearer error="insufficient_scope", scope="read_write"';

/**
 * Throws Forbidden if the credential may not use the route. A route admits secret keys and access tokens, to write only with the scope
 * `read_write`, unless `api/resources/<noun>/routes.ts` marks it: `publishable` admits publishable keys too, `keysOnly` excludes access
 * tokens. Members have no roles.
 */
export const permission: Middleware<ApiState> = async (ctx, next) => {
  const { credential, matched } = ctx.state;
  if (!credential || !matched) throw new Error('permissions were checked before authentication and routing');
  check(credential, matched.route, ctx.method);
  await next();
};

function check({ kind, scope }: Credential, route: Route, method: string): void {
  if (kind === 'publishable') {
    if (route.publishable) return;
    throw new Forbidden('A publishable key (pk_…) works only on the paths meant for it: use a secret key (sk_…) here');
  }
  if (kind === 'token' && route.keysOnly) {
    throw new Forbidden('An access token cannot do this, because the result would outlive the token: use an API key');
  }
  if (scope === 'read_write' || READING.has(method)) return;
  if (kind === 'token') throw new Forbidden('Access token may only read', INSUFFICIENT);
  throw new Forbidden('API key may only read');
}
