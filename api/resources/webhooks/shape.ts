import { CURRENT_VERSION, VERSIONS } from '../../../commands/kernel/version.ts';
import * as fields from '../../framework/shape.ts';

export const webhook = fields.shape('Webhook', 'Webhook endpoint: a URL of yours to which events are sent', {
  id: fields.id('Id of the webhook endpoint', 3),
  url: fields.text('URL to which events are sent', 'https://example.com/hooks'),
  events: {
    schema: {
      anyOf: [
        { type: 'array', items: { type: 'string' } },
        { type: 'string', const: '*' },
      ],
      description: 'Types of events to send; `*`: all',
    },
    example: ['invoice.paid'],
  },
  enabled: fields.flag('True: events are sent to it', true),
  description: fields.unset(fields.text('Description of the endpoint, for your own use', 'Ledger')),
  api_version: fields.choice(
    'API version of the events that are sent; fixed at creation',
    CURRENT_VERSION,
    ...VERSIONS.filter((one) => one !== CURRENT_VERSION),
  ),
  failing_since: fields.unset(fields.timestamp('When deliveries began to fail; null: they succeed')),
  disabled_reason: fields.unset(fields.text('Reason why it was disabled; null: it was not', 'It failed for 5 days')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});

export const newWebhook = fields.extended(webhook, 'NewWebhook', {
  secret: fields.text(
    'Secret that signs deliveries; returned only by this request',
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  ),
});

export const webhookReplay = fields.shape('WebhookReplay', 'Replay: events that are sent to an endpoint again', {
  id: fields.id('Id of the replay', 812),
  webhook: fields.id('Id of the webhook endpoint', 3),
  events: fields.integer('Number of events that are sent again', 12),
});
