import type { EntityManager } from '../../db/orm.ts';
import { OauthGrant } from '../../db/schema/oauth.ts';
import type { Caller } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';

/** Revokes a grant of an application at once, with all its tokens. Throws Missing. */
export async function revokeOauthGrant(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
): Promise<void> {
  const deleted = await em.nativeDelete(OauthGrant, { accountId: caller.account.id, id });
  if (deleted === 0) throw new Missing('OAuth grant', id);
}
