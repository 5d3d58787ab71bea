import Provider, { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { hashSecret } from '../../../commands/kernel/secrets.ts';
import { isUnavailable } from '../../../db/failure.ts';
import { deleteSession, findSession, keepSession } from '../../../db/queries/accounts/members.ts';
import {
  consumeToken,
  deleteGrant,
  deleteInteraction,
  deleteToken,
  deleteTokensOf,
  findClient,
  findGrant,
  findInteraction,
  findToken,
  keepGrant,
  keepInteraction,
  keepToken,
} from '../../../db/queries/accounts/oauth.ts';
import type { OauthTokenKind } from '../../../db/schema/oauth.ts';
import { later, type Storing } from './place.ts';

const unsupported = (what: string) => async (): Promise<never> => {
  throw new Error(`OAuth storage does not support this operation: ${what}`);
};

/** An adapter that supports no operation. Each model overrides the operations that it supports. */
const nothing: Adapter = {
  upsert: unsupported('store'),
  find: unsupported('find'),
  findByUserCode: unsupported('find by user code'),
  findByUid: unsupported('find by uid'),
  consume: unsupported('consume'),
  destroy: unsupported('delete'),
  revokeByGrantId: unsupported('revoke'),
};

/** Registered applications, read-only. The library gets the hash of the secret as `client_secret`. */
function clients({ environment, em }: Storing): Adapter {
  return {
    ...nothing,
    find: async (clientId): Promise<AdapterPayload | undefined> => {
      const found = await findClient(em(), { clientId, environment });
      if (!found) return undefined;
      const { name, redirectUris, secretHash } = found;
      const known = { client_id: clientId, client_name: name, redirect_uris: redirectUris, ...flow };
      return secretHash === null
        ? { ...known, application_type: 'native', token_endpoint_auth_method: 'none' }
        : { ...known, client_secret: secretHash, token_endpoint_auth_method: 'client_secret_post' };
    },
  };
}

const flow = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
} satisfies AdapterPayload;

/** Authorizations that wait for a person. The stored row contains neither the id, only its hash, nor the session's cookie. */
function interactions(storing: Storing, resumeUrl: (uid: string) => string): Adapter {
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

/** Browser sessions. Only those with a signed-in member are stored. */
function sessions(storing: Storing): Adapter {
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

/** Grants of members to applications. */
function grants(storing: Storing): Adapter {
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

/** How long a replaced refresh token stays valid, for a client that did not receive the response. */
const GRACE_MILLISECONDS = 60_000;

/** Authorization codes and tokens. Only their hashes are stored. */
function tokens(storing: Storing, kind: OauthTokenKind): Adapter {
  const { environment, em, systemNow } = storing;
  return {
    ...nothing,
    upsert: async (id, { jti: _token, ...payload }, expiresIn = 0) => {
      const { grantId: grantKey = '', scope = '' } = payload;
      const expiresAt = later(storing, expiresIn);
      const kept = await keepToken(
        em(),
        { kind, hash: hashSecret(id), grantKey, scope, payload, expiresAt },
        systemNow(),
      );
      if (!kept) throw new errors.InvalidGrant('the grant has been revoked');
    },
    find: async (id): Promise<AdapterPayload | undefined> => {
      const found = await findToken(em(), { kind, hash: hashSecret(id), environment }, systemNow());
      if (!found) return undefined;
      const grace = kind === 'refresh' ? GRACE_MILLISECONDS : 0;
      const { consumedAt, payload } = found;
      const isUsedUp = consumedAt !== null && systemNow().getTime() - consumedAt.getTime() >= grace;
      return { ...payload, jti: id, ...(isUsedUp ? { consumed: Math.floor(consumedAt.getTime() / 1000) } : {}) };
    },
    consume: async (id) => {
      const isFirst = await consumeToken(em(), hashSecret(id), systemNow());
      if (!isFirst && kind === 'code') throw new errors.InvalidGrant('authorization code already consumed');
    },
    destroy: (id) => deleteToken(em(), hashSecret(id)),
    revokeByGrantId: (grantKey) => deleteTokensOf(em(), { grantKey, kind }),
  };
}

/** What is told while the database is away, and the seconds until a request may be sent again. */
export const AWAY = { message: 'The database cannot serve requests at the moment', seconds: 5 };

/** Storage of one environment: an adapter for each of the library's model names. */
export function createStorage(storing: Storing, resumeUrl: (uid: string) => string): (name: string) => Adapter {
  const storages = new Map<string, Adapter>([
    ['Client', clients(storing)],
    ['Session', sessions(storing)],
    ['Interaction', interactions(storing, resumeUrl)],
    ['Grant', grants(storing)],
    ['AuthorizationCode', tokens(storing, 'code')],
    ['AccessToken', tokens(storing, 'access')],
    ['RefreshToken', tokens(storing, 'refresh')],
  ]);
  return (name) => withOutages(storages.get(name) ?? nothing);
}

/** Tells the library while the database is away: it then answers 503. */
function withOutages(adapter: Adapter): Adapter {
  return new Proxy(adapter, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...given: unknown[]) => {
        try {
          return await Reflect.apply(member, target, given);
        } catch (error) {
          if (!isUnavailable(error)) throw error;
          Provider.ctx?.set('Retry-After', String(AWAY.seconds));
          throw Object.assign(new errors.TemporarilyUnavailable(AWAY.message), { statusCode: 503, status: 503 });
        }
      };
    },
  });
}
