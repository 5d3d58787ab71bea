import * as fields from '../../framework/shape.ts';

export const apiKey = fields.shape('ApiKey', 'A key of this API', {
  id: fields.id('Its id', 4),
  name: fields.text('What it is for', 'Ledger'),
  last4: fields.text('Its last four characters', 'x7Qa'),
  kind: fields.choice(
    'A publishable key may stand in a page: it opens only the paths that are for it',
    'secret',
    'publishable',
  ),
  scope: fields.choice('What it may do', 'read_write', 'read'),
  expires_at: fields.unset(fields.timestamp('When it expires; null: never')),
  last_used_at: fields.unset(fields.timestamp('When it was last used, to the minute')),
  revoked_at: fields.unset(fields.timestamp('When it was revoked')),
  created_at: fields.createdAt,
});

export const newApiKey = fields.extended(apiKey, 'NewApiKey', {
  key: fields.text('The key itself; shown in this answer alone', 'sk_test_…'),
});
