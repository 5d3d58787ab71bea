import { createApiKey, revokeApiKey } from '../../../commands/accounts/apiKeys.ts';
import { presentApiKey } from '../../../present/accounts/apiKey.ts';
import { keysOnly, type Route } from '../../framework/route.ts';
import { listRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute } from '../../writing/writeRoutes.ts';
import { apiKeys } from './resource.ts';
import { newApiKey } from './schema.ts';
import { newApiKey as newApiKeyShape } from './shape.ts';

const path = '/api_keys';

export const apiKeyRoutes: Route[] = keysOnly(
  createRoute({
    path,
    resource: apiKeys,
    body: newApiKey,
    sealed: { shape: newApiKeyShape },
    summary: 'Create an API key; only this answer contains it',
    example: { name: 'Ledger', scope: 'read' },
    command: async (em, { caller: { account }, body }, now) => {
      const { name, kind, scope, expires_at: expiresAt } = body;
      return createApiKey(em, { account, name, kind, scope, expiresAt: expiresAt ?? null }, now);
    },
    present: ({ apiKey, key }) => ({ ...presentApiKey(apiKey), key }),
  }),
  listRoute({ path, resource: apiKeys, summary: 'List the API keys that are not revoked' }),
  deleteRoute({ path, resource: apiKeys, summary: 'Revoke an API key at once', command: revokeApiKey }),
);
