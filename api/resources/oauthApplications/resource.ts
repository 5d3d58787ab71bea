import { OauthApplication } from '../../../db/schema/oauthApplication.ts';
import { presentOauthApplication } from '../../../present/accounts/oauthApplication.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource } from '../../framework/resource.ts';
import { oauthApplication } from './shape.ts';

export const oauthApplications: Resource<OauthApplication, 'id'> = {
  name: 'OAuth application',
  shape: oauthApplication,
  row: OauthApplication,
  idColumn: 'id',
  columns: { id: column('id', fields.id) },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentOauthApplication),
};
