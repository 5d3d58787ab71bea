import { revokeOauthGrant } from '../../../commands/accounts/oauthGrants.ts';
import { keysOnly, type Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { deleteRoute } from '../../writing/writeRoutes.ts';
import { oauthGrants } from './resource.ts';

const path = '/oauth_grants';

export const oauthGrantRoutes: Route[] = keysOnly(
  listRoute({ path, resource: oauthGrants, summary: 'List applications that have access' }),
  readRoute({ path, resource: oauthGrants, summary: 'Read what access an application has' }),
  deleteRoute({ path, resource: oauthGrants, summary: 'End the access at once', command: revokeOauthGrant }),
);
