import { CURRENT_VERSION, VERSIONS } from '../../../commands/kernel/version.ts';
import * as fields from '../../framework/shape.ts';

export const webhook = fields.shape('Webhook', 'An endpoint of yours that events are sent to', {
  id: fields.id('Its id', 3),
  url: fields.text('Where events are sent', 'https://example.com/hooks'),
  events: {
    schema: {
      anyOf: [
        { type: 'array', items: { type: 'string' } },
        { type: 'string', const: '*' },
      ],
      description: 'Types of events that it wants; `*`: all',
    },
    example: ['invoice.paid'],
  },
  enabled: fields.flag('Whether it is sent events', true),
  description: fields.unset(fields.text('Note for yourself', 'Ledger')),
  api_version: fields.choice(
    'Version in which events are shown',
    CURRENT_VERSION,
    ...VERSIONS.filter((one) => one !== CURRENT_VERSION),
  ),
  failing_since: fields.unset(fields.timestamp('When deliveries began to fail')),
  disabled_reason: fields.unset(fields.text('Why it was disabled', 'It failed for 5 days')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});

export const newWebhook = fields.extended(webhook, 'NewWebhook', {
  secret: fields.text('Signs what is sent; shown in this answer alone', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'),
});

export const webhookReplay = fields.shape('WebhookReplay', 'Events that are sent to an endpoint again', {
  id: fields.id('Its id', 812),
  webhook: fields.id('The endpoint', 3),
  events: fields.integer('How many', 12),
});
