import * as fields from '../../framework/shape.ts';

export const oauthGrant = fields.shape('OauthGrant', 'The access that an application has to this account', {
  id: fields.id('Its id', 5),
  client_id: fields.text('Of the application', 'client_8cLm1QzRr3bV0yTnXo5KdWfA'),
  application_name: fields.text('Name of the application', 'Ledger Sync'),
  scope: fields.text('What the application may do: read or read_write', 'read_write'),
  granted_by: fields.text('Email of the member who gave it', 'ann@example.com'),
  last_used_at: fields.unset(fields.timestamp('When one of its tokens was last used, to the minute')),
  created_at: fields.createdAt,
});
