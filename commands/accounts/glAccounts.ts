import { numberKey } from '../../billing/documents/numbering.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { GlAccountType } from '../../billing/reports/glAccounts.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { usersOfGlAccount } from '../../db/queries/accounts/glAccounts.ts';
import { GlAccount } from '../../db/schema/glAccount.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';

export interface NewGlAccount {
  caller: Caller;
  fields: { code: string; name: string; type: GlAccountType | null };
}

export interface GlAccountKey {
  caller: Caller;
  id: number;
}

export interface GlAccountChange extends GlAccountKey {
  fields: { code?: string | undefined; name?: string | undefined; type?: GlAccountType | null | undefined };
}

/** Creates a general ledger account. Refuses the code of another one, compared as people see it. */
export async function createGlAccount(
  em: EntityManager,
  { caller, fields }: NewGlAccount,
  systemNow: Date,
): Promise<GlAccount> {
  const accountId = caller.account.id;
  const codeKey = await takeCode(em, accountId, fields.code);
  return em.create(GlAccount, { ...fields, accountId, codeKey, createdAt: systemNow, updatedAt: systemNow });
}

/**
 * Changes a general ledger account. Refuses another code while something names the old one, and the code of another account. Throws Missing.
 */
export async function updateGlAccount(
  em: EntityManager,
  { fields, ...key }: GlAccountChange,
  systemNow: Date,
): Promise<GlAccount> {
  const found = await findGlAccount(em, key);
  const { code = found.code } = fields;
  if (code !== found.code) await refuseUsed(em, found, 'code');
  const isOwnKey = numberKey(code) === found.codeKey;
  const codeKey = isOwnKey ? found.codeKey : await takeCode(em, found.accountId, code);
  if (assignChanges(found, { ...fields, codeKey })) found.updatedAt = systemNow;
  return found;
}

/** Deletes a general ledger account. Refuses while something names its code. Throws Missing. */
export async function deleteGlAccount(em: EntityManager, key: GlAccountKey): Promise<void> {
  const found = await findGlAccount(em, key);
  await refuseUsed(em, found);
  em.remove(found);
}

async function findGlAccount(em: EntityManager, { caller, id }: GlAccountKey): Promise<GlAccount> {
  const found = await em.findOne(GlAccount, { accountId: caller.account.id, id });
  if (!found) throw new Missing('General ledger account', id);
  return found;
}

/** The comparison key of a new code. Requests that take one wait for each other. */
async function takeCode(em: EntityManager, accountId: number, code: string): Promise<string> {
  await lockCountOf(em, 'gl_account', accountId);
  const codeKey = numberKey(code);
  const other = await em.findOne(GlAccount, { accountId, codeKey });
  if (other)
    throw new Refusal('already_taken', `General ledger account ${other.id} has the code: ${other.code}`, 'code');
  return codeKey;
}

/** Refuses while something names the account by its code, in any spelling. */
async function refuseUsed(em: EntityManager, { accountId, code, codeKey }: GlAccount, param?: string): Promise<void> {
  const [user] = await usersOfGlAccount(em, accountId, codeKey);
  if (!user) return;
  const { what, isPosted } = user;
  const message = isPosted
    ? `${what} has entries of the general ledger account ${code}`
    : `${what} has the general ledger account ${code}: change it first`;
  throw new Refusal('in_use', message, param);
}
