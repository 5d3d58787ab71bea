import { textStates } from '../../billing/mail/textMessage.ts';
import { TextMessage } from '../../db/schema/textMessage.ts';
import { presentTextMessage } from '../../present/texts/texts.ts';
import * as fields from '../body/fields.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { relation } from '../reading/expand.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { customers } from './customers/resource.ts';

const textMessage = shown.shape('TextMessage', 'Text message to one phone', {
  id: shown.id('Id of the text message'),
  customer: shown.id('Id of the customer'),
  phone: shown.text('Number of the phone, in E.164; empty: the customer was anonymized', '+15555550123'),
  message: shown.text('Text as it is sent', 'Acme: $120.00 is still open (invoice INV-00001).'),
  state: shown.choice(
    '`sending`: the provider has not told whether it took it; `undeliverable`: the number can never get it; `canceled`: nothing is owed any more',
    ...textStates,
  ),
  next_attempt: shown.unset(shown.timestamp('When it is sent or looked up next; null: it is over')),
  attempt_count: shown.integer('Number of requests to the provider', 1),
  reference: shown.unset(shown.text('Id of the text at the provider', 'SM0123456789abcdef0123456789abcdef')),
  reject_reason: shown.unset(shown.text('Reason why it was not delivered, or not yet', 'Twilio: undelivered, 30005')),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

export const textMessages: Resource<TextMessage, 'id'> = {
  name: 'Text message',
  area: 'collections',
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
  parameters: updatedBetween,
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer.id,
    ),
  },
  present: async (_reading, rows) => rows.map(presentTextMessage),
};

const path = '/text_messages';

export const textMessageRoutes: Route[] = [
  listRoute({ path, resource: textMessages, summary: 'List text messages' }),
  readRoute({ path, resource: textMessages, summary: 'Read a text message with its state' }),
];
