import * as fields from '../../framework/shape.ts';

export const apiKey = fields.shape('ApiKey', 'API key', {
  id: fields.id('Id of the API key', 4),
  name: fields.text('Name of the key, for your own use', 'Ledger'),
  last4: fields.text('Last four characters of the key', 'x7Qa'),
  kind: fields.choice(
    '`publishable`: may appear in a web page, and works only on paths meant for it; `secret`: for servers',
    'secret',
    'publishable',
  ),
  scope: fields.choice('`read`: only GET requests; `read_write`: all requests', 'read_write', 'read'),
  expires_at: fields.unset(fields.timestamp('When it expires; null: never')),
  last_used_at: fields.unset(fields.timestamp('When it was last used, to the minute; null: never')),
  revoked_at: fields.unset(fields.timestamp('When it was revoked; null: it is valid')),
  created_at: fields.createdAt,
});

export const newApiKey = fields.extended(apiKey, 'NewApiKey', {
  key: fields.text('The key itself; returned only by this request', 'sk_test_…'),
});
