import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey } from './columns.ts';
import { OauthApplication } from './oauthApplication.ts';

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
