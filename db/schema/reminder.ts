import { defineEntity, p } from '@mikro-orm/core';
import { type ChaseAction, chaseActions } from '../../billing/collection/cadence.ts';
import { policiesThrough } from '../tenant.ts';
import { oneOf, tenantKey, timestamps } from './columns.ts';
import { Customer } from './customer.ts';

const ReminderSchema = defineEntity({
  name: 'Reminder',
  policies: policiesThrough('reminder', 'customer'),
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

const ReminderAddressSchema = defineEntity({
  name: 'ReminderAddress',
  policies: policiesThrough('reminder_address', 'customer'),
  comment:
    'An address that got reminders about a customer, with the link that stops them. A merged customer may have an address twice',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('cascade'),
    address: p.string().length(255),
    /** Secret last part of the link. */
    token: p.string().length(32),
    /** The customer's time at which reminders were last stopped; null: never. */
    stoppedAt: p.datetime().nullable(),
    /** The customer's time at which they were resumed since then; null: they are stopped, or never were. */
    resumedAt: p.datetime().nullable(),
    ...timestamps,
  },
  indexes: [{ name: 'reminder_address_by_customer', properties: ['accountId', 'customer', 'id'] }],
  checks: [{ name: 'reminder_address_resumed', expression: 'resumed_at is null or stopped_at is not null' }],
});
export class ReminderAddress extends ReminderAddressSchema.class {}
ReminderAddressSchema.setClass(ReminderAddress);
