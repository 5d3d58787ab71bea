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

/**
 * SQL: monthly recurring revenue of the subscription after an event of it. What is paused, in trial, ended or not begun earns nothing. `event`:
 * alias of the event.
 */
export const revenueAfter = (event: string): string =>
  `case when ${event}.object ->> 'status' in ('active', 'past_due') and not (${event}.object ->> 'paused')::boolean
          then (${event}.object ->> 'mrr')::numeric else 0 end`;

/**
 * SQL: writes the movements of events of subscriptions: revenue after each event less revenue after the one before it. `events`: a table or
 * relation with events. Events of earlier versions may name only the id of the plan.
 */
export const writeMovements = (events: string): string =>
  `insert into mrr_movement (account_id, subscription_id, event_id, currency, amount, occurred_at, created_at)
    select account_id, subscription_id, event_id, currency, earns - earned, occurred_at, created_at from (
      select e.account_id, e.subject_id::int as subscription_id, e.id as event_id, e.occurred_at, e.created_at,
        coalesce(e.object -> 'plan' ->> 'currency', (
          select p.currency from subscription s join plan p on p.account_id = s.account_id and p.id = s.plan_id
          where s.account_id = e.account_id and s.id = e.subject_id::int
        )) as currency,
        ${revenueAfter('e')} as earns, ${revenueAfter('f')} as earned
      from ${events} e left join event f on f.account_id = e.account_id and f.subject_type = e.subject_type and f.subject_id = e.subject_id
        and f.sequence = e.sequence - 1
      where e.subject_type = 'subscription'
      order by e.id
    ) change where earns <> earned`;
