import { defineEntity, p } from '@mikro-orm/core';
import { tenantKey, timestamps } from './columns.ts';

const OauthApplicationSchema = defineEntity({
  name: 'OauthApplication',
  comment: 'An OAuth client, registered by one business; any business of the same environment may grant it access',
  properties: {
    ...tenantKey,
    name: p.string().length(255),
    clientId: p.string().length(64),
    redirectUris: p.array().columnType('text[]'),
    /** Public ones (in a browser or on a device) have no secret and must use PKCE. */
    confidential: p.boolean(),
    /** SHA-256, hexadecimal. */
    secretHash: p.string().length(64).nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'oauth_application_client_id', properties: ['clientId'] }],
  indexes: [{ name: 'oauth_application_by_updated', properties: ['accountId', 'updatedAt', 'id'] }],
  checks: [{ name: 'oauth_application_secret', expression: 'confidential = (secret_hash is not null)' }],
});
export class OauthApplication extends OauthApplicationSchema.class {}
OauthApplicationSchema.setClass(OauthApplication);
