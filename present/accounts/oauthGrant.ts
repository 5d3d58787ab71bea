import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { OauthGrant } from '../../db/schema/oauth.ts';
import { type Presented, unix, unixOrNull } from '../kernel/values.ts';

/** The access that an application has to the account. */
export function presentOauthGrant(grant: Plain<OauthGrant>): Presented {
  return {
    id: grant.id,
    object: 'oauth_grant',
    client_id: grant.clientId,
    application_name: grant.applicationName,
    scope: grant.scope,
    granted_by: grant.grantedBy,
    last_used_at: unixOrNull(grant.lastUsedAt),
    created_at: unix(grant.createdAt),
  };
}
