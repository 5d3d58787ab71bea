import type { Middleware } from 'koa';
import { type RateLimit, sharedLimit } from '../../billing/rateLimit.ts';
import { setting } from '../../billing/settings.ts';
import { SHARED_BUCKET } from '../../db/queries/accounts/rateLimits.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { TooMany } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';
import { type Admission, admitAs } from '../limits/admission.ts';
import { clientAddress, networkOf, proxiesOf } from '../limits/clientAddress.ts';
import type { RateLimiter, Taken } from '../limits/rateLimiter.ts';
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

/**
 * Counts the request against the limit of its credential and then against the shared limit of its account, so that more keys do not raise
 * the limit. Each response reports the limit with fewer requests left. Throws TooMany.
 */
export function rateLimit(limiter: RateLimiter): Middleware<ApiState> {
  return async (ctx, next) => {
    const { credential } = ctx.state;
    if (!credential) throw new Error('the rate limit ran before authentication');
    const { account, id } = credential;
    const limit = { perSecond: setting(account, 'rate_limit'), burst: setting(account, 'rate_limit_burst') };
    const tell = ({ burst }: RateLimit, taken: Taken) => {
      ctx.set('RateLimit-Limit', String(burst));
      ctx.set('RateLimit-Remaining', String(taken.remaining));
      ctx.set('RateLimit-Reset', String(taken.resetSeconds));
    };
    const own = await limiter.take({ accountId: account.id, credentialId: id }, limit);
    tell(limit, own);
    // A refused request uses none of the account's shared requests.
    if (!own.isAllowed) throw new TooMany(`this key may send ${limit.perSecond} per second`, own.retrySeconds);
    const shared = sharedLimit(limit);
    const all = await limiter.take({ accountId: account.id, credentialId: SHARED_BUCKET }, shared);
    if (!all.isAllowed || all.remaining < own.remaining) tell(shared, all);
    if (!all.isAllowed) {
      const message = `all keys and tokens of this account together may send ${shared.perSecond} per second`;
      throw new TooMany(message, all.retrySeconds);
    }
    await next();
  };
}
