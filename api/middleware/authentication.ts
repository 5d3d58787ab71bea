import type { Middleware } from 'koa';
import { hashKey } from '../../commands/apiKeys.ts';
import { findCredential } from '../../db/queries/apiKeys.ts';
import type { ApiDeps } from '../deps.ts';
import { Forbidden, Unauthorized } from '../errors.ts';
import type { ApiState } from '../state.ts';

const READING = new Set(['GET', 'HEAD']);

/** Finds whose request it is. Nothing is cached: a revoked key is refused at once. */
export function authentication(deps: ApiDeps): Middleware<ApiState> {
  return async (ctx, next) => {
    const key = sentKey(ctx.get('Authorization'));
    const em = deps.em.fork();
    const credential = await findCredential(em, hashKey(key), deps.systemNow());
    if (!credential) throw new Unauthorized('API key is not valid');
    const { environment } = credential.account;
    if (environment !== ctx.state.environment) {
      throw new Unauthorized(
        `This is a key of the ${environment} environment, used against the ${ctx.state.environment} base URL`,
      );
    }
    if (credential.scope === 'read' && !READING.has(ctx.method)) throw new Forbidden('API key may only read');
    Object.assign(ctx.state, { em, credential });
    await next();
  };
}

/** The key is the user name of Basic authentication; the password is not looked at. */
function sentKey(header: string): string {
  const [scheme = '', encoded = ''] = header.trim().split(/\s+/);
  if (header === '') throw new Unauthorized('API key missing: send it as the user name of HTTP Basic authentication');
  if (scheme.toLowerCase() !== 'basic')
    throw new Unauthorized('Authorization must be HTTP Basic, with the API key as user name');
  const [key = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return key;
}
