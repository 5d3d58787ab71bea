import type { Middleware } from 'koa';
import { type RateLimit, sharedLimit } from '../../billing/rateLimit.ts';
import { setting } from '../../billing/settings.ts';
import { SHARED_BUCKET } from '../../db/queries/accounts/rateLimits.ts';
import { TooMany } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';
import type { RateLimiter, Taken } from '../limits/rateLimiter.ts';

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
