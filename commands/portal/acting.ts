import { permissions } from '../../billing/people/permissions.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { type Act, logAct } from '../kernel/auditLog.ts';
import { API_USER, type Caller, systemCallerOf } from '../kernel/caller.ts';
import { type PortalVisitor, partyInPortal } from './sessions.ts';

/** Who calls a command from a portal: the customer on its page, or the credential of the account's product that opened the session. */
export function callerInPortal(account: Account, { session: { maker } }: PortalVisitor): Caller {
  if (!maker) return { ...systemCallerOf(account), isOnPage: true };
  const { credential } = maker;
  const userId = credential.kind === 'member' ? credential.id : API_USER;
  return { account, userId, credential, member: null, permissions };
}

/** Writes to the audit log what somebody did in a portal, in the transaction of the act. */
export function logActInPortal(
  em: EntityManager,
  visitor: PortalVisitor,
  { operation, object }: { operation: string; object: NonNullable<Act['object']> },
  systemNow: Date,
): void {
  const { accountId } = visitor;
  logAct(em, { accountId, by: partyInPortal(visitor), kind: 'change', operation, object }, systemNow);
}
