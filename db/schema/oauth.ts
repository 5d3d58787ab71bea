import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';
import { Member } from './member.ts';

/** Copies a new name of the application to its grants, which the application's own account may not see. */
const toGrants = `create or replace function oauth_application_renamed() returns trigger as $$
begin
  update public.oauth_grant set application_name = new.name
    where application_account_id = new.account_id and application_id = new.id;
  return null;
end; $$ language plpgsql security definer set search_path = pg_catalog, pg_temp;
create trigger "oauth_application_renamed" after update on "oauth_application"
  for each row when (old.name is distinct from new.name) execute function oauth_application_renamed();`;

const OauthApplicationSchema = defineEntity({
  name: 'OauthApplication',
  comment: 'An OAuth client, registered by one business; any business of the same environment may grant it access',
  policies: tenantPolicies,
  properties: {
    ...tenantKey,
    name: p.string().length(255),
    clientId: p.string().length(64),
    redirectUris: p.array().columnType('text[]'),
    /** Public applications (in a browser or on a device) have no secret and must use PKCE. */
    confidential: p.boolean(),
    /** SHA-256 of the secret, hexadecimal. */
    secretHash: p.string().length(64).nullable(),
    ...timestamps,
  },
  triggers: [
    { name: 'oauth_application_renamed', timing: 'after', events: ['update'], forEach: 'row', expression: toGrants },
  ],
  uniques: [{ name: 'oauth_application_client_id', properties: ['clientId'] }],
  indexes: [{ name: 'oauth_application_by_updated', properties: ['accountId', 'updatedAt', 'id'] }],
  checks: [{ name: 'oauth_application_secret', expression: 'confidential = (secret_hash is not null)' }],
});
export class OauthApplication extends OauthApplicationSchema.class {}
OauthApplicationSchema.setClass(OauthApplication);

const OauthGrantSchema = defineEntity({
  name: 'OauthGrant',
  comment:
    'The access that a member gave an application to the account; ends with its row, and with it all of its tokens',
  policies: tenantPolicies,
  properties: {
    ...tenantKey,
    /** Its id in oidc-provider; not secret. */
    key: p.string().length(64),
    /** The application, which may belong to another business. */
    application: () =>
      p.manyToOne(OauthApplication).joinColumns('application_account_id', 'application_id').deleteRule('cascade'),
    /** The member of the live account, even if access is to its sandbox twin. */
    member: () => p.manyToOne(Member).joinColumns('member_account_id', 'member_id').deleteRule('cascade'),
    /** Client id and name of the application, which other accounts cannot read. */
    clientId: p.string().length(64),
    applicationName: p.string().length(255),
    /** Email address of the member when access was given. */
    grantedBy: p.string().length(255),
    scope: p.string().length(64),
    lastUsedAt: p.datetime().nullable(),
    /** Real time. */
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'oauth_grant_key', properties: ['key'] }],
  indexes: [
    { name: 'oauth_grant_application', properties: ['application'] },
    { name: 'oauth_grant_member', properties: ['member'] },
    { name: 'oauth_grant_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'oauth_grant_expiry', properties: ['expiresAt'] },
  ],
});
export class OauthGrant extends OauthGrantSchema.class {}
OauthGrantSchema.setClass(OauthGrant);

const OauthInteractionSchema = defineEntity({
  name: 'OauthInteraction',
  comment:
    'An authorization that waits for a person to sign in or to consent; belongs to the account of the application',
  policies: tenantPolicies,
  properties: {
    ...tenantKey,
    application: () => p.manyToOne(OauthApplication).joinColumns('account_id', 'application_id').deleteRule('cascade'),
    /** SHA-256, hexadecimal. */
    hash: p.string().length(64),
    payload: p.json().$type<object>(),
    /** Real time. */
    expiresAt: p.datetime(),
  },
  uniques: [{ name: 'oauth_interaction_hash', properties: ['hash'] }],
  indexes: [
    { name: 'oauth_interaction_application', properties: ['accountId', 'application'] },
    { name: 'oauth_interaction_expiry', properties: ['expiresAt'] },
  ],
});
export class OauthInteraction extends OauthInteractionSchema.class {}
OauthInteractionSchema.setClass(OauthInteraction);

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
