import { messageProviders as names } from '../../../billing/messageProviders.ts';
import * as fields from '../../framework/shape.ts';

export const messageProvider = fields.shape(
  'MessageProvider',
  'Account of yours at a provider that sends text messages',
  {
    id: fields.id('Id of the message provider', 4),
    provider: fields.choice('Provider; `test` is the one of the sandbox, and sends nothing', ...names),
    name: fields.text('Name of the message provider, for your own use', 'Twilio'),
    account_sid: fields.text('Id of the account at the provider', 'AC0123456789abcdef0123456789abcdef'),
    sender: fields.text('Number that texts come from, or id of a messaging service `MG…`', '+15555550100'),
    events_url: fields.text(
      'URL to enter at the provider for incoming messages, so that STOP and START arrive',
      'https://billing.example.com/sms_events/twilio_1_4',
    ),
    created_at: fields.createdAt,
    updated_at: fields.updatedAt,
  },
);
