import type { Middleware } from 'koa';
import { withAccount } from '../../db/tenant.ts';
import type { ApiDeps } from '../framework/deps.ts';
import type { ApiState } from '../framework/state.ts';
import { createLastUse } from '../limits/lastUse.ts';

/** From here on, the database shows only rows of the request's account. Records the use of the credential. */
export function tenant(deps: ApiDeps): Middleware<ApiState> {
  const noteUse = createLastUse(deps);
  return async (ctx, next) => {
    const { credential } = ctx.state;
    if (!credential) throw new Error('a request without a credential passed authentication');
    await withAccount(credential.account.id, async () => {
      noteUse(credential);
      await next();
    });
  };
}
