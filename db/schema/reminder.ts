import { defineEntity, p } from '@mikro-orm/core';
import { type ChaseAction, chaseActions } from '../../billing/cadence.ts';
import { tenantPolicies } from '../tenant.ts';
import { oneOf, tenantKey } from './columns.ts';
import { Customer } from './customer.ts';

const ReminderSchema = defineEntity({
  name: 'Reminder',
  policies: tenantPolicies,
  comment: 'A step of a cadence that was taken; at most one a day by the same channel',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    /** Local day. */
    day: p.date(),
    channel: p.string().length(8).$type<ChaseAction>(),
    cadenceId: p.integer(),
    stepId: p.integer(),
    /** The task that asks a member to do it; null: a mail was sent. */
    taskId: p.integer().nullable(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'reminder_once', properties: ['accountId', 'customer', 'day', 'channel'] }],
  checks: [oneOf('reminder', 'channel', chaseActions)],
});
export class Reminder extends ReminderSchema.class {}
ReminderSchema.setClass(Reminder);
