import { textStates } from '../../../billing/textState.ts';
import * as fields from '../../framework/shape.ts';

export const textMessage = fields.shape('TextMessage', 'Text message to one phone', {
  id: fields.id('Id of the text message'),
  customer: fields.id('Id of the customer'),
  phone: fields.text('Number of the phone, in E.164; empty: the customer was anonymized', '+15555550123'),
  message: fields.text('Text as it is sent', 'Acme: $120.00 is still open (invoice INV-00001).'),
  state: fields.choice(
    '`sending`: the provider has not told whether it took it; `undeliverable`: the number can never get it; `canceled`: nothing is owed any more',
    ...textStates,
  ),
  next_attempt: fields.unset(fields.timestamp('When it is sent or looked up next; null: it is over')),
  attempt_count: fields.integer('Number of requests to the provider', 1),
  reference: fields.unset(fields.text('Id of the text at the provider', 'SM0123456789abcdef0123456789abcdef')),
  reject_reason: fields.unset(fields.text('Reason why it was not delivered, or not yet', 'Twilio: undelivered, 30005')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
