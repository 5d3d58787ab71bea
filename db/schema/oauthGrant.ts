import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey } from './columns.ts';
import { Member } from './member.ts';
import { OauthApplication } from './oauthApplication.ts';

const OauthGrantSchema = defineEntity({
  name: 'OauthGrant',
  comment:
    'The access that a member gave an application to the account; ends with its row, and with it all of its tokens',
  policies: tenantPolicies,
  properties: {
    ...tenantKey,
    /** The id that oidc-provider knows it by; no secret. */
    key: p.string().length(64),
    /** Of the business that registered it, which may be another one. */
    application: () =>
      p.manyToOne(OauthApplication).joinColumns('application_account_id', 'application_id').deleteRule('cascade'),
    /** Of the live account, also where the access is to its sandbox twin. */
    member: () => p.manyToOne(Member).joinColumns('member_account_id', 'member_id').deleteRule('cascade'),
    /** Of the application, which other accounts cannot read. */
    clientId: p.string().length(64),
    applicationName: p.string().length(255),
    /** Address of the member when access was given. */
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
