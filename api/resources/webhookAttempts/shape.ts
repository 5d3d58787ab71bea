import * as fields from '../../framework/shape.ts';

export const webhookAttempt = fields.shape('WebhookAttempt', 'One attempt to deliver an event to an endpoint', {
  id: fields.id('Its id', 90),
  webhook: fields.id('The endpoint', 3),
  event: fields.nullable(fields.id('The event; null: it was a test', 4711)),
  attempt: fields.integer('1 for the first', 1),
  status_code: fields.nullable(fields.integer('HTTP status that the endpoint answered', 200)),
  error: fields.unset(fields.text('Why there was no answer', 'connect ECONNREFUSED')),
  answer: fields.text('Beginning of what the endpoint answered', 'ok'),
  latency_ms: fields.integer('Milliseconds until the answer', 84),
  next_attempt_at: fields.unset(fields.timestamp('When it is tried again')),
  created_at: fields.createdAt,
});
