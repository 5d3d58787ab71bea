import { WebhookAttempt } from '../../../db/schema/webhookAttempt.ts';
import { presentWebhookAttempt } from '../../../present/webhooks/webhook.ts';
import * as fields from '../../body/fields.ts';
import { between, column, equals, filtered, type Resource } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { events } from '../events/resource.ts';
import { webhooks } from '../webhooks/resource.ts';
import { webhookAttempt } from './shape.ts';

export const webhookAttempts: Resource<WebhookAttempt, 'id'> = {
  name: 'Webhook attempt',
  shape: webhookAttempt,
  row: WebhookAttempt,
  idColumn: 'id',
  hasLongIds: true,
  columns: {
    id: column('id', fields.longId),
    webhook: filtered('webhook_id', fields.id),
    event: filtered('event_id', fields.longId),
  },
  parameters: {
    webhook: equals('webhook_id', fields.id),
    ...between('created_at', fields.timestamp, ['start_date', 'end_date']),
    ...between('created_at', fields.timestamp, ['updated_after', 'updated_before']),
  },
  order: [{ column: 'id', direction: 'desc' }],
  present: async (_reading, rows) => rows.map(presentWebhookAttempt),
  relations: {
    webhook: relation(
      () => webhooks,
      (row) => row.webhookId,
    ),
    event: relation(
      () => events,
      (row) => row.eventId ?? null,
    ),
  },
};
