import type { EntityManager } from '../../db/orm.ts';
import { grantsOfPerson } from '../../db/queries/accounts/oauth.ts';
import { OauthGrant } from '../../db/schema/oauth.ts';
import { logAct } from '../kernel/auditLog.ts';

/** Ends the access that a person gave an application, with all its tokens, at once. False: the person gave none with this id. */
export async function revokeGrantOfPerson(
  em: EntityManager,
  of: { personId: number; id: number },
  now: Date,
): Promise<boolean> {
  const [grant] = await grantsOfPerson(em, of, now);
  if (!grant) return false;
  const { id, accountId, memberId, email } = grant;
  const ended = await em.nativeDelete(OauthGrant, { accountId, id });
  if (ended === 0) return false;
  const by = { actor: 'member', actorId: memberId, actorName: email, memberId } as const;
  const object = { type: 'oauth_grant', id };
  logAct(em, { accountId, by, kind: 'change', operation: 'deleteOauthGrant', object }, now);
  return true;
}
