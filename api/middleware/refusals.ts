import type { Middleware } from 'koa';
import { Refusal } from '../../billing/refusal.ts';
import { type Act, logRefusal, partyOf } from '../../commands/kernel/auditLog.ts';
import { isForeignRow } from '../../db/failure.ts';
import { type Credential, findEndedKey, usedCredential } from '../../db/queries/accounts/apiKeys.ts';
import { asSystem, withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Forbidden } from '../framework/errors.ts';
import type { ApiState } from '../framework/state.ts';
import { type Logging, unlogged } from '../pages/people/refused.ts';
import { loggingAccountId } from '../writing/logging.ts';

/** Writes each refusal of a permission, or of a row that is not the member's, to the audit log, in a transaction of its own. */
export function refusals(deps: Logging): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { credential, matched } = ctx.state;
      const reason = reasonOf(error);
      if (credential && matched && reason !== null) {
        const { operationId: operation, permission } = matched.route;
        const accountId = loggingAccountId(credential.account, permission);
        await log(deps, { accountId, by: byOf(credential), kind: 'refusal', operation, reason });
      }
      throw error;
    }
  };
}

/** Why the caller may not do what it asked for. Null: the error is another one. */
function reasonOf(error: unknown): string | null {
  if (isForeignRow(error)) return 'The member sees only its own customers, and this belongs to none of them';
  const isRefusal = error instanceof Forbidden || (error instanceof Refusal && error.code === 'permission_missing');
  return isRefusal ? error.message : null;
}

function byOf(credential: Credential): Act['by'] {
  return partyOf(usedCredential(credential), credential.member?.id ?? null);
}

/** Writes a refusal before a route is found to the audit log: of a session that may not use an account, or of a key that needs no downloads. */
export async function logRefusedCredential(
  deps: Logging,
  credential: Credential,
  refused: { operation: 'authenticate' | 'createDownload'; reason: string },
): Promise<void> {
  await log(deps, { accountId: credential.account.id, by: byOf(credential), kind: 'refusal', ...refused });
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
