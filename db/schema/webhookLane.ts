import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';

const WebhookLaneSchema = defineEntity({
  name: 'WebhookLane',
  policies: tenantPolicies,
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
