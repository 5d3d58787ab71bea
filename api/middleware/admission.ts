import type { Middleware } from 'koa';
import { createConcurrencyLimit } from '../../db/fairness/concurrencyLimit.ts';
import type { ApiDeps } from '../framework/deps.ts';
import type { ApiState } from '../framework/state.ts';
import { admitAs, createAdmission } from '../limits/admission.ts';
import { clientAddress, networkOf, proxiesOf } from '../limits/clientAddress.ts';

/** Health checks never wait. */
const HEALTH_PATHS = new Set(['/health', '/ready']);

/** Lets a request wait for a place of its address. `admitAccount` later lets it wait for a place of its account. */
export function admission(deps: Pick<ApiDeps, 'trustedProxies' | 'load'>, closing: AbortSignal): Middleware<ApiState> {
  const proxies = proxiesOf(deps.trustedProxies);
  const gate = createAdmission(closing, deps.load && createConcurrencyLimit({ load: deps.load }));
  return (ctx, next) => {
    if (HEALTH_PATHS.has(ctx.path)) return next();
    const address = clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), proxies);
    return gate.admit(`address ${networkOf(address)}`, next);
  };
}

/** From here on, the request counts for its account instead of its address. */
export const admitAccount: Middleware<ApiState> = async (ctx, next) => {
  const { credential } = ctx.state;
  if (!credential) throw new Error('a request without a credential passed authentication');
  await admitAs(`account ${credential.account.id}`);
  await next();
};
