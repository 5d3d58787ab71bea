import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const MOST_REDIRECT_URIS = 20;
const redirectUris = fields.list(fields.required(fields.text(2048)), MOST_REDIRECT_URIS);
const readOnly = ['id', 'object', 'client_id', 'client_secret', 'created_at', 'updated_at'];

export const newOauthApplication = object(
  {
    name: fields.required(fields.name),
    redirect_uris: redirectUris,
    confidential: fields.withDefault(fields.boolean, true),
  },
  { readOnly },
);

export const oauthApplicationChange = object(
  { name: fields.kept(fields.name), redirect_uris: redirectUris },
  { readOnly, fixed: ['confidential'] },
);
