import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { hashSecret } from '../../../../commands/kernel/secrets.ts';
import {
  consumeToken,
  deleteToken,
  deleteTokensOf,
  findToken,
  keepToken,
} from '../../../../db/queries/accounts/oauthTokens.ts';
import type { OauthTokenKind } from '../../../../db/schema/oauthToken.ts';
import { later, type Storing } from '../place.ts';
import { nothing } from './unsupported.ts';

/** How long a replaced refresh token stays valid, for a client that did not receive the response. */
const GRACE_MILLISECONDS = 60_000;

/** Authorization codes and tokens. Only their hashes are stored. */
export function tokens(storing: Storing, kind: OauthTokenKind): Adapter {
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
