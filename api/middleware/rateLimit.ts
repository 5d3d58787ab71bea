import type { Middleware } from 'koa';
import { type RateLimit, sharedLimit } from '../../billing/rateLimit.ts';
import { setting } from '../../billing/settings.ts';
import { SHARED_BUCKET } from '../../db/queries/accounts/rateLimits.ts';
import { TooMany } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';
import type { RateLimiter, Taken } from '../limits/rateLimiter.ts';

/**
 * Counts the request against its credential's limit, then against the limit that all credentials of its account share: a key that
 * makes more keys gets no more than that. Every answer tells the tighter of both. Throws TooMany.
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
    // A refused request takes nothing from the other credentials of its account.
    if (!own.isAllowed) throw new TooMany(`this key may send ${limit.perSecond} a second`, own.retrySeconds);
    const shared = sharedLimit(limit);
    const all = await limiter.take({ accountId: account.id, credentialId: SHARED_BUCKET }, shared);
    if (!all.isAllowed || all.remaining < own.remaining) tell(shared, all);
    if (!all.isAllowed) {
      const message = `all keys and tokens of this account together may send ${shared.perSecond} a second`;
      throw new TooMany(message, all.retrySeconds);
    }
    await next();
  };
}
