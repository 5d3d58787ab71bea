import { createApiKey, revokeApiKey } from '../../../commands/apiKeys.ts';
import { ApiKey } from '../../../db/schema/apiKey.ts';
import { presentApiKey } from '../../../present/apiKey.ts';
import * as fields from '../../fields.ts';
import { list } from '../../list.ts';
import type { Listing } from '../../listing.ts';
import { object } from '../../request.ts';
import { pathId, type Route, withBody } from '../../route.ts';
import { write } from '../../write.ts';

const newApiKey = object(
  {
    name: fields.required(fields.text()),
    scope: fields.otherwise(fields.choice('read', 'read_write'), 'read_write'),
    expires_at: fields.timestamp,
  },
  { readOnly: ['id', 'object', 'last4', 'revoked_at', 'created_at', 'key'] },
);

const apiKeys: Listing<ApiKey> = {
  row: ApiKey,
  scope: ({ caller }) => ({ accountId: caller.account.id, revokedAt: null }),
  sort: { id: (to) => ({ id: to }), name: (to) => ({ name: to }), created_at: (to) => ({ createdAt: to }) },
  filter: {},
  parameters: {},
  byId: (to) => ({ id: to }),
  find: (em, conditions, slice) => em.find(ApiKey, conditions, slice),
  present: presentApiKey,
};

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
  {
    method: 'GET',
    path: '/api_keys',
    summary: 'List the API keys that are not revoked',
    handle: (request) => list(request, apiKeys),
  },
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
