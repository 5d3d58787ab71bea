import * as fields from '../../framework/shape.ts';

export const oauthGrant = fields.shape('OauthGrant', 'Access of an OAuth application to this account', {
  id: fields.id('Id of the grant', 5),
  client_id: fields.text('OAuth client id of the application', 'client_8cLm1QzRr3bV0yTnXo5KdWfA'),
  application_name: fields.text('Name of the application', 'Ledger Sync'),
  scope: fields.text('`read`: only GET requests; `read_write`: all requests', 'read_write'),
  granted_by: fields.text('Email address of the member who gave access', 'ann@example.com'),
  last_used_at: fields.unset(fields.timestamp('When one of its tokens was last used, to the minute; null: never')),
  created_at: fields.createdAt,
});
