import type { Middleware } from 'koa';
import { asAccount } from '../../db/tenant.ts';
import type { ApiState } from '../state.ts';

/** From here on the database shows the request the rows of its own account alone. */
export const tenant: Middleware<ApiState> = async (ctx, next) => {
  const { credential } = ctx.state;
  if (!credential) throw new Error('a request without a credential came past authentication');
  await asAccount(credential.account.id, next);
};
