import * as fields from '../../framework/shape.ts';

export const oauthApplication = fields.shape(
  'OauthApplication',
  'OAuth application, to which businesses can give access',
  {
    id: fields.id('Id of the application', 2),
    name: fields.text('Name of the application, shown when a member is asked for access', 'Ledger Sync'),
    client_id: fields.text(
      'OAuth client id, for the authorization and token endpoints',
      'client_8cLm1QzRr3bV0yTnXo5KdWfA',
    ),
    redirect_uris: {
      schema: { type: 'array', items: { type: 'string' }, description: 'Allowed redirect URIs, compared exactly' },
      example: ['https://example.com/callback'],
    },
    confidential: fields.flag(
      'True: a confidential client with a secret; false: a public client, which must use PKCE',
      true,
    ),
    created_at: fields.createdAt,
    updated_at: fields.updatedAt,
  },
);

export const oauthApplicationWithSecret = fields.extended(oauthApplication, 'OauthApplicationWithSecret', {
  client_secret: fields.nullable(
    fields.text('OAuth client secret, returned only by this request; null for a public client', 'cs_test_…'),
  ),
});
