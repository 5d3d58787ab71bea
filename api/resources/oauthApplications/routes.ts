import {
  createOauthApplication,
  deleteOauthApplication,
  rotateOauthSecret,
  updateOauthApplication,
} from '../../../commands/accounts/oauthApplications.ts';
import { presentOauthApplication } from '../../../present/accounts/oauthApplication.ts';
import { definedOnly } from '../../body/definedOnly.ts';
import { keysOnly, pathId, type Route, withBody } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { write } from '../../writing/write.ts';
import { createRoute, deleteRoute, noFields, updateRoute, withoutFields } from '../../writing/writeRoutes.ts';
import { oauthApplications } from './resource.ts';
import { newOauthApplication, oauthApplicationChange } from './schema.ts';
import { oauthApplicationWithSecret } from './shape.ts';

const path = '/oauth_applications';
const withSecret = { shape: oauthApplicationWithSecret };

export const oauthApplicationRoutes: Route[] = keysOnly(
  createRoute({
    path,
    resource: oauthApplications,
    body: newOauthApplication,
    sealed: withSecret,
    summary: 'Register an application; only this answer contains its secret',
    example: { name: 'Ledger Sync', redirect_uris: ['https://example.com/callback'] },
    command: (em, { caller, body }, now) => {
      const { name, confidential, redirect_uris: redirectUris } = body;
      return createOauthApplication(em, { caller, name, confidential, redirectUris: redirectUris ?? [] }, now);
    },
    present: ({ application, secret }) => ({ ...presentOauthApplication(application), client_secret: secret }),
  }),
  listRoute({ path, resource: oauthApplications, summary: 'List applications of this account' }),
  readRoute({ path, resource: oauthApplications, summary: 'Read an application' }),
  updateRoute({
    path,
    resource: oauthApplications,
    summary: 'Change an application',
    present: presentOauthApplication,
    body: oauthApplicationChange,
    example: { name: 'Ledger Sync 2' },
    command: (em, { caller, id, body }, now) => {
      const { name, redirect_uris: uris } = body;
      return updateOauthApplication(
        em,
        { ...definedOnly({ name, redirectUris: uris === null ? [] : uris }), caller, id },
        now,
      );
    },
  }),
  withoutFields(
    withBody({
      method: 'POST',
      path: `${path}/:id/rotate_secret`,
      operationId: 'rotateOauthApplicationSecret',
      summary: 'Replace the secret of an application at once; only this answer contains the new one',
      body: noFields,
      answer: { statusCode: 200, kind: withSecret },
      handle: (request) => {
        const id = pathId(request, oauthApplications.name);
        return write(request, {
          statusCode: 200,
          command: (em, caller, now) => rotateOauthSecret(em, { caller, id }, now),
          present: ({ application, secret }) => ({ ...presentOauthApplication(application), client_secret: secret }),
          sealed: true,
        });
      },
    }),
  ),
  deleteRoute({
    path,
    resource: oauthApplications,
    command: deleteOauthApplication,
    summary: 'Delete an application and end all its access at once',
  }),
);
