import type { Middleware } from 'koa';
import { Refusal } from '../../billing/refusal.ts';
import { VERSIONS } from '../../commands/version.ts';
import type { ApiState } from '../state.ts';

/** The version asked for, else the account's own; echoed on every response. */
export const apiVersion: Middleware<ApiState> = async (ctx, next) => {
  const version = ctx.req.headers['api-version'] ?? ctx.state.credential?.account.apiVersion;
  if (typeof version !== 'string' || !VERSIONS.some((known) => known === version)) {
    throw new Refusal(`Api-Version must be one of ${VERSIONS.join(', ')}`, 'Api-Version');
  }
  ctx.state.apiVersion = version;
  ctx.set('Api-Version', version);
  await next();
};
