import type { Adapter, AdapterPayload } from 'oidc-provider';
import { deleteGrant, findGrant, keepGrant } from '../../../../db/queries/accounts/oauthGrants.ts';
import { later, type Storing } from '../place.ts';
import { nothing } from './unsupported.ts';

/** Grants of members to applications. */
export function grants(storing: Storing): Adapter {
  const { environment, em, systemNow } = storing;
  return {
    ...nothing,
    upsert: async (key, payload, expiresIn = 0) => {
      const { clientId = '', accountId } = payload;
      const scope = scopeOf(payload);
      const grant = { key, environment, clientId, memberId: Number(accountId), scope };
      const kept = await keepGrant(em(), { ...grant, expiresAt: later(storing, expiresIn) }, systemNow());
      if (!kept) throw new Error('a grant of a member or application that is gone');
    },
    find: async (key): Promise<AdapterPayload | undefined> => {
      const found = await findGrant(em(), key, systemNow());
      if (!found) return undefined;
      const { clientId, memberId, scope, expiresAt } = found;
      const exp = Math.floor(expiresAt.getTime() / 1000);
      return { jti: key, kind: 'Grant', clientId, accountId: String(memberId), openid: { scope }, exp };
    },
    destroy: (key) => deleteGrant(em(), key),
  };
}

function scopeOf({ openid }: AdapterPayload): string {
  const isGranted = typeof openid === 'object' && openid !== null && 'scope' in openid;
  return isGranted && typeof openid.scope === 'string' ? openid.scope : '';
}
