import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { longId } from './columns.ts';

const EventLogSchema = defineEntity({
  name: 'EventLog',
  policies: tenantPolicies,
  comment: 'Order of committed events: appended by one relay leader, so that a reader of positions misses none',
  properties: {
    position: p.bigint().primary().autoincrement(),
    accountId: p.integer(),
    eventId: longId(),
  },
  uniques: [{ name: 'event_log_event', properties: ['accountId', 'eventId'] }],
  indexes: [{ name: 'event_log_by_account', properties: ['accountId', 'position'] }],
});
export class EventLog extends EventLogSchema.class {}
EventLogSchema.setClass(EventLog);
