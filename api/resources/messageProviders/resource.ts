import { condition } from '../../../db/queries/kernel/condition.ts';
import { MessageProvider } from '../../../db/schema/messageProvider.ts';
import { presentMessageProvider } from '../../../present/accounts/messageProvider.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource, sorted } from '../../framework/resource.ts';
import { messageProvider } from './shape.ts';

export const messageProviders: Resource<MessageProvider, 'id'> = {
  name: 'Message provider',
  shape: messageProvider,
  row: MessageProvider,
  idColumn: 'id',
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentMessageProvider),
};
