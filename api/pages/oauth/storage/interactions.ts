import type { Adapter, AdapterPayload } from 'oidc-provider';
import { hashSecret } from '../../../../commands/kernel/secrets.ts';
import {
  deleteInteraction,
  findInteraction,
  keepInteraction,
} from '../../../../db/queries/accounts/oauthInteractions.ts';
import { later, type Storing } from '../place.ts';
import { nothing } from './unsupported.ts';

/** Authorizations that wait for a person. The stored row contains neither the id, only its hash, nor the session's cookie. */
export function interactions(storing: Storing, resumeUrl: (uid: string) => string): Adapter {
  const { environment, em, systemNow } = storing;
  return {
    ...nothing,
    upsert: async (id, { jti: _uid, returnTo: _url, session, ...rest }, expiresIn = 0) => {
      const payload = session ? { ...rest, session: { ...session, cookie: undefined } } : rest;
      const clientId = String(payload.params?.client_id ?? '');
      await keepInteraction(em(), { hash: hashSecret(id), clientId, payload, expiresAt: later(storing, expiresIn) });
    },
    find: async (id): Promise<AdapterPayload | undefined> => {
      const payload = await findInteraction(em(), { hash: hashSecret(id), environment }, systemNow());
      return payload ? { ...payload, jti: id, returnTo: resumeUrl(id) } : undefined;
    },
    destroy: (id) => deleteInteraction(em(), hashSecret(id)),
  };
}
