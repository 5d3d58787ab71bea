import type { Adapter, AdapterPayload } from 'oidc-provider';
import { hashSecret } from '../../../../commands/kernel/secrets.ts';
import { deleteSession, findSession, keepSession } from '../../../../db/queries/accounts/members.ts';
import { later, type Storing } from '../place.ts';
import { nothing } from './unsupported.ts';

/** Browser sessions. Only those with a signed-in member are stored. */
export function sessions(storing: Storing): Adapter {
  const { environment, em, systemNow } = storing;
  return {
    ...nothing,
    upsert: async (id, { jti: _cookie, ...payload }, expiresIn = 0) => {
      const { accountId, uid = '' } = payload;
      if (accountId === undefined) return;
      const session = { hash: hashSecret(id), uid, environment, memberId: Number(accountId), payload };
      await keepSession(em(), { ...session, expiresAt: later(storing, expiresIn) }, systemNow());
    },
    find: async (id): Promise<AdapterPayload | undefined> => {
      const payload = await findSession(em(), { hash: hashSecret(id), environment }, systemNow());
      return payload ? { ...payload, jti: id } : undefined;
    },
    findByUid: async (uid): Promise<AdapterPayload | undefined> => {
      const payload = await findSession(em(), { uid, environment }, systemNow());
      return payload ? { ...payload } : undefined;
    },
    destroy: (id) => deleteSession(em(), hashSecret(id)),
  };
}
