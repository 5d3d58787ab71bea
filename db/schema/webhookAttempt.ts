import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { longId, longTenantKey } from './columns.ts';

const WebhookAttemptSchema = defineEntity({
  name: 'WebhookAttempt',
  policies: tenantPolicies,
  properties: {
    ...longTenantKey,
    webhookId: p.integer(),
    /** Null for a test, which has no event. */
    deliveryId: longId().nullable(),
    eventId: longId().nullable(),
    attempt: p.integer(),
    statusCode: p.integer().nullable(),
    error: p.string().length(255).nullable(),
    /** First part of the response, at most 4 KiB. */
    answer: p.text(),
    latencyMilliseconds: p.integer(),
    nextAttemptAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
  indexes: [
    { name: 'webhook_attempt_by_webhook', properties: ['accountId', 'webhookId', 'id'] },
    { name: 'webhook_attempt_by_event', properties: ['accountId', 'eventId', 'id'] },
    { name: 'webhook_attempt_by_created', properties: ['accountId', 'createdAt', 'id'] },
  ],
});
export class WebhookAttempt extends WebhookAttemptSchema.class {}
WebhookAttemptSchema.setClass(WebhookAttempt);
