import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { OauthApplication } from '../../db/schema/oauthApplication.ts';
import { type Presented, unix } from '../kernel/values.ts';

/** An OAuth application. Only the request that created its secret shows it. */
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
