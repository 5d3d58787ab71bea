import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { amount, longId, tenantKey } from './columns.ts';
import { Subscription } from './subscription.ts';

const MrrMovementSchema = defineEntity({
  name: 'MrrMovement',
  policies: policiesThrough('mrr_movement', 'subscription'),
  comment:
    'A change of the monthly recurring revenue of a subscription, append-only; written by the event of the change',
  properties: {
    ...tenantKey,
    subscription: () => p.manyToOne(Subscription).joinColumns('account_id', 'subscription_id').deleteRule('cascade'),
    /** Id of the event. The database refuses a second movement of it. */
    eventId: longId(),
    currency: p.string().length(3),
    /** Revenue after the change less revenue before it. */
    amount: amount(),
    /** Time of the event on the customer's clock, and real time. */
    occurredAt: p.datetime(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'mrr_movement_event', properties: ['accountId', 'eventId'] }],
  indexes: [{ name: 'mrr_movement_by_subscription', properties: ['accountId', 'subscription', 'id'] }],
  checks: [{ name: 'mrr_movement_amount', expression: 'amount <> 0' }],
  triggers: [
    {
      name: 'mrr_movement_append_only',
      timing: 'before',
      events: ['update'],
      forEach: 'statement',
      body: "raise exception 'movements of revenue are append-only' using errcode = 'check_violation'",
    },
  ],
});
export class MrrMovement extends MrrMovementSchema.class {}
MrrMovementSchema.setClass(MrrMovement);
