import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { longId, longTenantKey, oneOf } from './columns.ts';

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

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
  checks: [oneOf('webhook_delivery', 'state', deliveryStates)],
});
export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery);
