import type { Middleware } from 'koa';
import { Refusal } from '../../billing/refusal.ts';
import { type Act, logRefusal, partyOf } from '../../commands/kernel/auditLog.ts';
import { type Credential, findEndedKey, usedCredential } from '../../db/queries/accounts/apiKeys.ts';
import { asSystem, withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { Forbidden } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';

type Logging = Pick<ApiDeps, 'em' | 'systemNow' | 'log'>;

/** Writes each refusal of a permission to the audit log, in a transaction of its own. */
export function refusals(deps: Logging): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { credential, matched } = ctx.state;
      if (credential && matched && isRefusal(error)) {
        const operation = matched.route.operationId;
        await log(deps, { ...actOf(credential), kind: 'refusal', operation, reason: error.message });
      }
      throw error;
    }
  };
}

function isRefusal(error: unknown): error is Forbidden | Refusal {
  return error instanceof Forbidden || (error instanceof Refusal && error.code === 'permission_missing');
}

function actOf(credential: Credential): Pick<Act, 'accountId' | 'by'> {
  const by = partyOf(usedCredential(credential), credential.member?.id ?? null);
  return { accountId: credential.account.id, by };
}

/** Writes the use of a key that was revoked or has expired to the audit log of its account. Other credentials belong to nobody. */
export async function logEndedKey(deps: Logging, hash: string): Promise<void> {
  try {
    const key = await asSystem(() => findEndedKey(deps.em.fork(), hash));
    if (!key) return;
    const { accountId, id, name, memberId } = key;
    const by = partyOf({ kind: 'api_key', id, name }, memberId);
    const object = { type: 'api_key', id };
    await log(deps, { accountId, by, kind: 'failure', operation: 'authenticate', object, reason: 'The key has ended' });
  } catch (error) {
    unlogged(deps, error);
  }
}

/** The caller is refused in any case, also if the log cannot be written. */
async function log(deps: Logging, act: Act): Promise<void> {
  try {
    await withAccount(act.accountId, () => inTransaction(deps.em, (em) => logRefusal(em, act, deps.systemNow())));
  } catch (error) {
    unlogged(deps, error);
  }
}

function unlogged({ log: logger }: Logging, error: unknown): void {
  logger.error({ err: error }, 'a refusal could not be written to the audit log');
}
