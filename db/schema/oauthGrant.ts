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
