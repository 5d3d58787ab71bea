import { textStates } from '../../../billing/textState.ts';
import { TextMessage } from '../../../db/schema/textMessage.ts';
import { presentTextMessage } from '../../../present/texts/textMessage.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import { textMessage } from './shape.ts';

export const textMessages: Resource<TextMessage, 'id'> = {
  name: 'Text message',
  shape: textMessage,
  row: TextMessage,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    state: filtered('state', fields.choice(...textStates)),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer.id,
    ),
  },
  present: async (_reading, rows) => rows.map(presentTextMessage),
};
