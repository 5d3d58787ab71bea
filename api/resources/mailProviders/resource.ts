import { condition } from '../../../db/queries/kernel/condition.ts';
import { MailProvider } from '../../../db/schema/mailProvider.ts';
import { presentMailProvider } from '../../../present/accounts/mailProvider.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource, sorted } from '../../framework/resource.ts';
import { mailProvider } from './shape.ts';

export const mailProviders: Resource<MailProvider, 'id'> = {
  name: 'Mail provider',
  shape: mailProvider,
  row: MailProvider,
  idColumn: 'id',
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentMailProvider),
};
