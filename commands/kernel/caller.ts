import { type Permission, permissions } from '../../billing/people/permissions.ts';
import { PermissionMissing } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { ActingMember } from '../../db/queries/accounts/apiKeys.ts';
import { Account } from '../../db/schema/account.ts';
import type { UsedCredential } from '../../db/schema/event.ts';

/** User of an event that no member caused: a request with a key or token, or the product's own process. */
export const API_USER = -2;
export const SYSTEM_USER = -1;

export interface Caller {
  account: Account;
  /** The member who acts in a browser, `API_USER` or `SYSTEM_USER`. */
  userId: number;
  /** The credential of the request; null: there was no request, or a hosted page made it. */
  credential: UsedCredential | null;
  /** The member who acts, or to whom the key or token belongs; null: a key of the account, a customer, or the product itself. */
  member: ActingMember | null;
  /** What the caller may do; the product itself may do everything. */
  permissions: readonly Permission[];
  /** A customer acts on one of its pages. Its events say so. */
  isOnPage?: true;
}

/** The product itself as caller. Reads the account. */
export async function systemCaller(em: EntityManager, accountId: number): Promise<Caller> {
  return systemCallerOf(await em.findOneOrFail(Account, { id: accountId }));
}

/** The product itself as caller, for a loaded account. */
export function systemCallerOf(account: Account): Caller {
  return { account, userId: SYSTEM_USER, credential: null, member: null, permissions };
}

/**
 * Refuses a request whose caller does not hold a permission that `what`, such as one of its fields, needs besides that of its route. `param`:
 * what of the request the error names; null: nothing, because the whole request needs it.
 */
export function requirePermission(
  caller: Pick<Caller, 'permissions'>,
  needed: Permission,
  what: string,
  param: string | null = what,
): void {
  if (caller.permissions.includes(needed)) return;
  throw new PermissionMissing(`${what} needs the permission ${needed}`, param ?? undefined);
}

/** The caller and the times that all rows of one command share. */
export interface Moment {
  caller: Caller;
  /** The customer's time. */
  now: Date;
  /** Real time. */
  systemNow: Date;
}

/** The moment of a command about an object that belongs to the account, not to a customer. Its time is real time. */
export function accountMoment(caller: Caller, systemNow: Date): Moment {
  return { caller, now: systemNow, systemNow };
}

/** Versions of the API, oldest first: docs/versions.md. An account keeps the version it was created with. */
export const VERSIONS = ['2026-09-01', '2026-11-01'] as const;

export const CURRENT_VERSION: string = VERSIONS[VERSIONS.length - 1] ?? '';
