import { revokeOauthGrant } from '../../commands/accounts/oauthApplications.ts';
import { OauthGrant } from '../../db/schema/oauth.ts';
import { presentOauthGrant } from '../../present/accounts/account.ts';
import * as fields from '../body/fields.ts';
import { between, column, type Resource } from '../framework/resource.ts';
import { keysOnly, type Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { deleteRoute } from '../writing/writeRoutes.ts';

const oauthGrant = shown.shape('OauthGrant', 'Access of an OAuth application to this account', {
  id: shown.id('Id of the grant', 5),
  client_id: shown.text('OAuth client id of the application', 'client_8cLm1QzRr3bV0yTnXo5KdWfA'),
  application_name: shown.text('Name of the application', 'Ledger Sync'),
  scope: shown.text('`read`: only GET requests; `read_write`: all requests', 'read_write'),
  granted_by: shown.text('Email address of the member who gave access', 'ann@example.com'),
  last_used_at: shown.unset(shown.timestamp('When one of its tokens was last used, to the minute; null: never')),
  created_at: shown.createdAt,
});

const oauthGrants: Resource<OauthGrant, 'id'> = {
  name: 'OAuth grant',
  area: 'developers',
  shape: oauthGrant,
  row: OauthGrant,
  idColumn: 'id',
  columns: { id: column('id', fields.id) },
  // A grant never changes; recording its last use doesn't count as an update.
  parameters: between('created_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentOauthGrant),
};

const path = '/oauth_grants';

export const oauthGrantRoutes: Route[] = keysOnly(
  listRoute({ path, resource: oauthGrants, summary: 'List OAuth grants: applications that have access' }),
  readRoute({ path, resource: oauthGrants, summary: 'Read an OAuth grant' }),
  deleteRoute({
    path,
    resource: oauthGrants,
    summary: 'Revoke an OAuth grant; the access ends at once',
    command: revokeOauthGrant,
  }),
);
