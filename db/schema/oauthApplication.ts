import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';

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
