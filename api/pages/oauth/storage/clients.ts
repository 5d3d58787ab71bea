import type { Adapter, AdapterPayload } from 'oidc-provider';
import { findClient } from '../../../../db/queries/accounts/oauthClients.ts';
import type { Storing } from '../place.ts';
import { nothing } from './unsupported.ts';

/** Registered applications, read-only. The library gets the hash of the secret as `client_secret`. */
export function clients({ environment, em }: Storing): Adapter {
  return {
    ...nothing,
    find: async (clientId): Promise<AdapterPayload | undefined> => {
      const found = await findClient(em(), { clientId, environment });
      if (!found) return undefined;
      const { name, redirectUris, secretHash } = found;
      const known = { client_id: clientId, client_name: name, redirect_uris: redirectUris, ...flow };
      return secretHash === null
        ? { ...known, application_type: 'native', token_endpoint_auth_method: 'none' }
        : { ...known, client_secret: secretHash, token_endpoint_auth_method: 'client_secret_post' };
    },
  };
}

const flow = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
} satisfies AdapterPayload;
