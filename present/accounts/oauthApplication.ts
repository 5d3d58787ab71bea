import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { OauthApplication } from '../../db/schema/oauth.ts';
import { type Presented, unix } from '../kernel/values.ts';

/** An OAuth application without its secret, which only the response that created the secret shows. */
export function presentOauthApplication(application: Plain<OauthApplication>): Presented {
  return {
    id: application.id,
    object: 'oauth_application',
    name: application.name,
    client_id: application.clientId,
    redirect_uris: application.redirectUris,
    confidential: application.confidential,
    created_at: unix(application.createdAt),
    updated_at: unix(application.updatedAt),
  };
}
