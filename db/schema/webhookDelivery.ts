import { defineEntity, p } from '@mikro-orm/core';
import { closedPolicies } from '../tenant.ts';
import { longId, longTenantKey, oneOf } from './columns.ts';

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  policies: closedPolicies,
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

const WebhookAttemptSchema = defineEntity({
  name: 'WebhookAttempt',
  policies: closedPolicies,
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

const WebhookLaneSchema = defineEntity({
  name: 'WebhookLane',
  policies: closedPolicies,
  comment: 'The events of one object on their way to one endpoint, in order; due while something waits',
  properties: {
    accountId: p.integer().primary(),
    webhookId: p.integer().primary(),
    subjectType: p.string().length(32).primary(),
    subjectId: p.string().length(64).primary(),
    shard: p.integer(),
    /** Sequence of the newest event on the lane: the `previous_sequence` of the next one. */
    lastSequence: p.integer(),
    /** Real time at which the oldest waiting delivery is due; null: none waits. */
    dueAt: p.datetime().nullable(),
  },
  indexes: [
    {
      name: 'webhook_lane_due',
      expression:
        'create index "webhook_lane_due" on "webhook_lane" ("account_id", "webhook_id", "shard", "due_at") where due_at is not null',
    },
  ],
});
export class WebhookLane extends WebhookLaneSchema.class {}
WebhookLaneSchema.setClass(WebhookLane);
