import * as fields from '../../framework/shape.ts';

export const webhookAttempt = fields.shape('WebhookAttempt', 'Attempt to deliver an event to a webhook endpoint', {
  id: fields.id('Id of the attempt', 90),
  webhook: fields.id('Id of the webhook endpoint', 3),
  event: fields.nullable(fields.id('Id of the event; null: it was a test', 4711)),
  attempt: fields.integer('Number of the attempt for this delivery, from 1', 1),
  status_code: fields.nullable(fields.integer('HTTP status of the answer; null: no answer', 200)),
  error: fields.unset(fields.text('Reason why there was no answer; null: there was one', 'connect ECONNREFUSED')),
  answer: fields.text('Beginning of the body of the answer', 'ok'),
  latency_ms: fields.integer('Duration of the attempt in milliseconds', 84),
  next_attempt_at: fields.unset(fields.timestamp('Time of the next attempt; null: none is planned')),
  created_at: fields.createdAt,
});
