import { createApiKey, revokeApiKey } from '../../../commands/apiKeys.ts';
import { presentApiKey } from '../../../present/apiKey.ts';
import * as fields from '../../fields.ts';
import { listRoute } from '../../readRoutes.ts';
import { object } from '../../request.ts';
import { pathId, type Route, withBody } from '../../route.ts';
import { write } from '../../write.ts';
import { apiKeys } from './resource.ts';

const newApiKey = object(
  {
    name: fields.required(fields.text()),
    scope: fields.otherwise(fields.choice('read', 'read_write'), 'read_write'),
    expires_at: fields.timestamp,
  },
  { readOnly: ['id', 'object', 'last4', 'revoked_at', 'created_at', 'key'] },
);

export const apiKeyRoutes: Route[] = [
  withBody({
    method: 'POST',
    path: '/api_keys',
    summary: 'Make an API key; it is shown in this answer alone',
    body: newApiKey,
    handle: (request, { name, scope, expires_at: expiresAt }) =>
      write(request, {
        statusCode: 201,
        command: async (em, { account }, now) =>
          createApiKey(em, { account, name, scope, expiresAt: expiresAt ?? null }, now),
        present: ({ apiKey, key }) => ({ ...presentApiKey(apiKey), key }),
        sealed: true,
      }),
  }),
  listRoute('/api_keys', apiKeys, 'List the API keys that are not revoked'),
  {
    method: 'DELETE',
    path: '/api_keys/:id',
    summary: 'Revoke an API key at once',
    handle: (request) => {
      const id = pathId(request, 'API key');
      return write(request, {
        statusCode: 204,
        command: (em, caller, now) => revokeApiKey(em, { caller, id }, now),
        present: () => null,
      });
    },
  },
];
