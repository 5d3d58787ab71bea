import type { Middleware } from 'koa';
import { setting } from '../../billing/settings.ts';
import { TooMany } from '../errors.ts';
import type { RateLimiter } from '../rateLimiter.ts';
import type { ApiState } from '../state.ts';

/** Counts the request against its credential's limit; every answer tells how that stands. Throws TooMany. */
export function rateLimit(limiter: RateLimiter): Middleware<ApiState> {
  return async (ctx, next) => {
    const { credential } = ctx.state;
    if (!credential) throw new Error('the rate limit ran before authentication');
    const { account, id: credentialId } = credential;
    const limit = { perSecond: setting(account, 'rate_limit'), burst: setting(account, 'rate_limit_burst') };
    const taken = await limiter.take({ accountId: account.id, credentialId }, limit);
    ctx.set('RateLimit-Limit', String(limit.burst));
    ctx.set('RateLimit-Remaining', String(taken.remaining));
    ctx.set('RateLimit-Reset', String(taken.resetSeconds));
    if (!taken.isAllowed) throw new TooMany(limit.perSecond, taken.retrySeconds);
    await next();
  };
}
