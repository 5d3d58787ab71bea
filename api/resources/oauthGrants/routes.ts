import { revokeOauthGrant } from '../../../commands/accounts/oauthGrants.ts';
import { keysOnly, type Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { deleteRoute } from '../../writing/writeRoutes.ts';
import { oauthGrants } from './resource.ts';

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
