import { createApiKey, revokeApiKey } from '../../commands/accounts/apiKeys.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { ApiKey } from '../../db/schema/apiKey.ts';
import { presentApiKey } from '../../present/accounts/account.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { between, column, type Resource, sorted } from '../framework/resource.ts';
import { keysOnly, type Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute } from '../writing/writeRoutes.ts';

const apiKey = shown.shape('ApiKey', 'API key', {
  id: shown.id('Id of the API key', 4),
  name: shown.text('Name of the key, for your own use', 'Ledger'),
  last4: shown.text('Last four characters of the key', 'x7Qa'),
  kind: shown.choice(
    '`publishable`: may appear in a web page, and works only on paths meant for it; `secret`: for servers',
    'secret',
    'publishable',
  ),
  scope: shown.choice('`read`: only GET requests; `read_write`: all requests', 'read_write', 'read'),
  member: shown.unset(
    shown.id('Id of the member who made it, and whose rights it never exceeds; null: a key of the account'),
  ),
  expires_at: shown.unset(shown.timestamp('When it expires; null: never')),
  last_used_at: shown.unset(shown.timestamp('When it was last used, to the minute; null: never')),
  revoked_at: shown.unset(shown.timestamp('When it was revoked; null: it is valid')),
  created_at: shown.createdAt,
});

const createdApiKey = shown.extended(apiKey, 'NewApiKey', {
  key: shown.text('The key itself; returned only by this request', 'sk_test_…'),
});

const newApiKey = object(
  {
    name: fields.required(fields.name),
    kind: fields.withDefault(fields.choice('secret', 'publishable'), 'secret'),
    scope: fields.withDefault(fields.choice('read', 'read_write'), 'read_write'),
    expires_at: fields.timestamp,
  },
  { readOnly: ['id', 'object', 'last4', 'member', 'last_used_at', 'revoked_at', 'created_at', 'key'] },
);

const apiKeys: Resource<ApiKey, 'id'> = {
  name: 'API key',
  area: 'developers',
  shape: apiKey,
  row: ApiKey,
  idColumn: 'id',
  exists: condition('revoked_at is null'),
  columns: { id: column('id', fields.id), name: sorted('name', fields.name), created_at: sorted('created_at') },
  // An API key never changes; recording its last use doesn't count as an update.
  parameters: between('created_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentApiKey),
};

const path = '/api_keys';

export const apiKeyRoutes: Route[] = keysOnly(
  createRoute({
    path,
    resource: apiKeys,
    body: newApiKey,
    sealed: { shape: createdApiKey },
    summary: 'Create an API key; only this answer contains it',
    example: { name: 'Ledger', scope: 'read' },
    command: async (em, { caller: { account, member }, body }, now) => {
      const { name, kind, scope, expires_at: expiresAt } = body;
      return createApiKey(
        em,
        { account, name, kind, scope, expiresAt: expiresAt ?? null, memberId: member?.id ?? null },
        now,
      );
    },
    present: ({ apiKey, key }) => ({ ...presentApiKey(apiKey), key }),
  }),
  listRoute({ path, resource: apiKeys, summary: 'List the API keys that are not revoked' }),
  deleteRoute({ path, resource: apiKeys, summary: 'Revoke an API key at once', command: revokeApiKey }),
);
