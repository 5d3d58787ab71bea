import { condition } from '../../../db/queries/kernel/condition.ts';
import { ApiKey } from '../../../db/schema/apiKey.ts';
import { presentApiKey } from '../../../present/accounts/apiKey.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource, sorted } from '../../framework/resource.ts';
import { apiKey } from './shape.ts';

export const apiKeys: Resource<ApiKey, 'id'> = {
  name: 'API key',
  shape: apiKey,
  row: ApiKey,
  idColumn: 'id',
  exists: condition('revoked_at is null'),
  columns: { id: column('id', fields.id), name: sorted('name'), created_at: sorted('created_at') },
  // An API key never changes; recording its last use doesn't count as an update.
  parameters: between('created_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentApiKey),
};
