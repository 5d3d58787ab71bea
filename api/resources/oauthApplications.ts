import {
  createOauthApplication,
  deleteOauthApplication,
  rotateOauthSecret,
  updateOauthApplication,
} from '../../commands/accounts/oauthApplications.ts';
import { OauthApplication } from '../../db/schema/oauth.ts';
import { presentOauthApplication } from '../../present/accounts/account.ts';
import * as fields from '../body/fields.ts';
import { definedOnly, object } from '../body/request.ts';
import { column, type Resource, updatedBetween } from '../framework/resource.ts';
import { keysOnly, pathId, type Route, withBody } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { write } from '../writing/write.ts';
import { createRoute, deleteRoute, noFields, updateRoute, withoutFields } from '../writing/writeRoutes.ts';

const oauthApplication = shown.shape('OauthApplication', 'OAuth application, to which businesses can give access', {
  id: shown.id('Id of the application', 2),
  name: shown.text('Name of the application, shown when a member is asked for access', 'Ledger Sync'),
  client_id: shown.text(
    'OAuth client id, for the authorization and token endpoints',
    'client_8cLm1QzRr3bV0yTnXo5KdWfA',
  ),
  redirect_uris: {
    schema: { type: 'array', items: { type: 'string' }, description: 'Allowed redirect URIs, compared exactly' },
    example: ['https://example.com/callback'],
  },
  confidential: shown.flag(
    'True: a confidential client with a secret; false: a public client, which must use PKCE',
    true,
  ),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const oauthApplicationWithSecret = shown.extended(oauthApplication, 'OauthApplicationWithSecret', {
  client_secret: shown.nullable(
    shown.text('OAuth client secret, returned only by this request; null for a public client', 'cs_test_…'),
  ),
});

const MOST_REDIRECT_URIS = 20;
const redirectUris = fields.list(fields.required(fields.text(2048)), MOST_REDIRECT_URIS);
const readOnly = ['id', 'object', 'client_id', 'client_secret', 'created_at', 'updated_at'];

const newOauthApplication = object(
  {
    name: fields.required(fields.name),
    redirect_uris: redirectUris,
    confidential: fields.withDefault(fields.boolean, true),
  },
  { readOnly },
);

const oauthApplicationChange = object(
  { name: fields.kept(fields.name), redirect_uris: redirectUris },
  { readOnly, fixed: ['confidential'] },
);

const oauthApplications: Resource<OauthApplication, 'id'> = {
  name: 'OAuth application',
  area: 'developers',
  shape: oauthApplication,
  row: OauthApplication,
  idColumn: 'id',
  columns: { id: column('id', fields.id) },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentOauthApplication),
};

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
      permission: 'developers.write',
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
