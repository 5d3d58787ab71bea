import type { Middleware } from 'koa';
import type { ApiDeps } from '../framework/deps.ts';
import type { ApiState } from '../framework/state.ts';
import { type Admission, admitAs } from '../limits/admission.ts';
import { clientAddress, networkOf, proxiesOf } from '../limits/clientAddress.ts';
import { arrivalOf } from '../limits/receiving.ts';
import type { Unfinished } from '../limits/unfinished.ts';

/** Health checks never wait. */
const HEALTH_PATHS = new Set(['/health', '/ready']);

/**
 * Follows the bodies that clients are sending, and lets a request wait for a place of its address. `admitAccount` later lets it wait for a
 * place of its account.
 */
export function admission(
  deps: Pick<ApiDeps, 'trustedProxies'>,
  { gate, unfinished }: { gate: Admission; unfinished: Unfinished },
): Middleware<ApiState> {
  const proxies = proxiesOf(deps.trustedProxies);
  return async (ctx, next) => {
    const address = clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), proxies);
    const who = `address ${networkOf(address)}`;
    unfinished.follow(ctx.req, ctx.res, who);
    if (HEALTH_PATHS.has(ctx.path)) return next();
    await arrivalOf(ctx.req);
    return gate.admit(who, next);
  };
}

/** From here on, the request and its body count for its account instead of its address. */
export function admitAccount(unfinished: Unfinished): Middleware<ApiState> {
  return async (ctx, next) => {
    const { credential } = ctx.state;
    if (!credential) throw new Error('a request without a credential passed authentication');
    const who = `account ${credential.account.id}`;
    unfinished.belongsTo(ctx.req, who);
    await admitAs(who);
    await next();
  };
}
