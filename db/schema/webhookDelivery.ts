import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { longId, longTenantKey } from './columns.ts';

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  policies: tenantPolicies,
  comment: 'One event for one endpoint; the body is the event, stored once',
  properties: {
    ...longTenantKey,
    webhookId: p.integer(),
    eventId: longId(),
    position: p.bigint(),
    subjectType: p.string().length(32),
    subjectId: p.string().length(64),
    sequence: p.integer(),
    previousSequence: p.integer().nullable(),
    state: p.string().length(9).$type<DeliveryState>(),
    attempts: p.integer().default(0),
    createdAt: p.datetime(),
    endedAt: p.datetime().nullable(),
  },
  uniques: [{ name: 'webhook_delivery_event', properties: ['accountId', 'webhookId', 'eventId'] }],
  indexes: [
    {
      name: 'webhook_delivery_waiting',
      expression:
        'create index "webhook_delivery_waiting" on "webhook_delivery" ("account_id", "webhook_id", "subject_type", "subject_id", "position") where state = \'waiting\'',
    },
  ],
  checks: [{ name: 'webhook_delivery_state', expression: "state in ('waiting', 'delivered', 'failed')" }],
});
export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery);
