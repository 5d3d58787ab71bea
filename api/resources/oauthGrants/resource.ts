import { OauthGrant } from '../../../db/schema/oauthGrant.ts';
import { presentOauthGrant } from '../../../present/accounts/oauthGrant.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource } from '../../framework/resource.ts';
import { oauthGrant } from './shape.ts';

export const oauthGrants: Resource<OauthGrant, 'id'> = {
  name: 'OAuth grant',
  shape: oauthGrant,
  row: OauthGrant,
  idColumn: 'id',
  columns: { id: column('id', fields.id) },
  // A grant never changes; recording its last use doesn't count as an update.
  parameters: between('created_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentOauthGrant),
};
