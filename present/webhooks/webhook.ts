import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Webhook } from '../../db/schema/webhook.ts';
import type { WebhookAttempt } from '../../db/schema/webhookDelivery.ts';
import { orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';

/** A webhook endpoint without its secret, which only the response that created the secret shows. */
export function presentWebhook(webhook: Plain<Webhook>): Presented {
  return {
    id: webhook.id,
    object: 'webhook',
    url: webhook.url,
    events: webhook.events ?? '*',
    enabled: webhook.enabled,
    description: orNull(webhook.description),
    api_version: webhook.apiVersion,
    failing_since: unixOrNull(webhook.failingSince),
    disabled_reason: orNull(webhook.disabledReason),
    created_at: unix(webhook.createdAt),
    updated_at: unix(webhook.updatedAt),
  };
}

export function presentWebhookAttempt(attempt: Plain<WebhookAttempt>): Presented {
  return {
    id: attempt.id,
    object: 'webhook_attempt',
    webhook: attempt.webhookId,
    event: orNull(attempt.eventId),
    attempt: attempt.attempt,
    status_code: orNull(attempt.statusCode),
    error: orNull(attempt.error),
    answer: attempt.answer,
    latency_ms: attempt.latencyMilliseconds,
    next_attempt_at: unixOrNull(attempt.nextAttemptAt),
    created_at: unix(attempt.createdAt),
  };
}

export function presentWebhookReplay(replay: { id: number; webhookId: number; count: number }): Presented {
  return { id: replay.id, object: 'webhook_replay', webhook: replay.webhookId, events: replay.count };
}
