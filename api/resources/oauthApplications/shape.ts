import * as fields from '../../framework/shape.ts';

export const oauthApplication = fields.shape('OauthApplication', 'An application that businesses can give access to', {
  id: fields.id('Its id', 2),
  name: fields.text('Shown to people when they are asked for access', 'Ledger Sync'),
  client_id: fields.text(
    'What it calls itself at the authorization and token endpoints',
    'client_8cLm1QzRr3bV0yTnXo5KdWfA',
  ),
  redirect_uris: {
    schema: { type: 'array', items: { type: 'string' }, description: 'Where people may be sent back to' },
    example: ['https://example.com/callback'],
  },
  confidential: fields.flag('Whether it keeps a secret; one that cannot uses PKCE', true),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});

export const oauthApplicationWithSecret = fields.extended(oauthApplication, 'OauthApplicationWithSecret', {
  client_secret: fields.nullable(
    fields.text('Its secret, shown in this answer alone; null for one that is not confidential', 'cs_test_…'),
  ),
});
