import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey } from './columns.ts';
import { OauthGrant } from './oauthGrant.ts';

export type OauthTokenKind = 'code' | 'access' | 'refresh';

const OauthTokenSchema = defineEntity({
  name: 'OauthToken',
  comment: 'Authorization codes, access and refresh tokens; revoking one deletes it',
  policies: tenantPolicies,
  properties: {
    ...tenantKey,
    grant: () => p.manyToOne(OauthGrant).joinColumns('account_id', 'grant_id').deleteRule('cascade'),
    kind: p.string().length(7).$type<OauthTokenKind>(),
    /** SHA-256 of the token, hexadecimal; the token itself is not stored. */
    hash: p.string().length(64),
    scope: p.string().length(64),
    /** Data that oidc-provider stores, without the token. */
    payload: p.json().$type<object>(),
    /** Time at which a code was used, or a refresh token was replaced by another one. */
    consumedAt: p.datetime().nullable(),
    /** Real time. */
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'oauth_token_hash', properties: ['hash'] }],
  indexes: [
    { name: 'oauth_token_grant', properties: ['accountId', 'grant'] },
    { name: 'oauth_token_expiry', properties: ['expiresAt'] },
  ],
  checks: [{ name: 'oauth_token_kind', expression: "kind in ('code', 'access', 'refresh')" }],
});
export class OauthToken extends OauthTokenSchema.class {}
OauthTokenSchema.setClass(OauthToken);
