import { retryDelivery } from '../../commands/webhooks/webhooks.ts';
import { WebhookAttempt } from '../../db/schema/webhookDelivery.ts';
import { presentWebhookAttempt } from '../../present/webhooks/webhook.ts';
import * as fields from '../body/fields.ts';
import { between, column, equals, filtered, type Resource } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { relation } from '../reading/expand.ts';
import { listRoute } from '../reading/readRoutes.ts';
import { actionRoute } from '../writing/writeRoutes.ts';
import { events } from './events.ts';
import { webhooks } from './webhooks/resource.ts';

const webhookAttempt = shown.shape('WebhookAttempt', 'Attempt to deliver an event to a webhook endpoint', {
  id: shown.id('Id of the attempt', 90),
  webhook: shown.id('Id of the webhook endpoint', 3),
  event: shown.nullable(shown.id('Id of the event; null: it was a test', 4711)),
  attempt: shown.integer('Number of the attempt for this delivery, from 1', 1),
  status_code: shown.nullable(shown.integer('HTTP status of the answer; null: no answer', 200)),
  error: shown.unset(shown.text('Reason why there was no answer; null: there was one', 'connect ECONNREFUSED')),
  answer: shown.text('Beginning of the body of the answer', 'ok'),
  latency_ms: shown.integer('Duration of the attempt in milliseconds', 84),
  next_attempt_at: shown.unset(shown.timestamp('Time of the next attempt; null: none is planned')),
  created_at: shown.createdAt,
});

export const webhookAttempts: Resource<WebhookAttempt, 'id'> = {
  name: 'Webhook attempt',
  area: 'developers',
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

const path = '/webhook_attempts';

export const webhookAttemptRoutes: Route[] = [
  listRoute({ path, resource: webhookAttempts, summary: 'List delivery attempts of webhooks, newest first' }),
  actionRoute({
    path: `${path}/:id/retries`,
    operationId: 'retryWebhookAttempt',
    resource: webhookAttempts,
    summary: 'Retry the delivery of an attempt now',
    command: retryDelivery,
    present: presentWebhookAttempt,
  }),
];
