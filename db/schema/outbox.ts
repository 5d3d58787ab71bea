import { defineEntity, p } from '@mikro-orm/core';
import type { ProcessName } from '../../billing/processes.ts';
import { tenantPolicies } from '../tenant.ts';
import { longId } from './columns.ts';

/** `event`: the relay leader appends it to the log; the others name the process to wake. */
export type OutboxTopic = 'event' | ProcessName;

const OutboxSchema = defineEntity({
  name: 'Outbox',
  policies: tenantPolicies,
  comment: 'Work to do after the commit of a transaction; the relay does it and deletes the row',
  properties: {
    id: p.bigint().primary().autoincrement(),
    accountId: p.integer(),
    topic: p.string().length(16).$type<OutboxTopic>(),
    /** The event to append to the log. */
    eventId: longId().nullable(),
    /** Id of the object whose process to wake; for a pump, its endpoint or account. */
    subjectId: p.integer(),
    /** For pumps: the shard. */
    shard: p.integer().default(0),
    /** Real time before which the relay does not take it. */
    dueAt: p.datetime(),
    /** Real time at which the process is first due; null: now. */
    startAt: p.datetime().nullable(),
    clockId: p.integer().nullable(),
    leasedUntil: p.datetime().nullable(),
    /** Its place in the trace of the request that caused it. */
    traceparent: p.string().length(55).nullable(),
    /** Enqueued by the sweep, by a rebuild, or for a process with a reserved place. The limits of its account do not apply. */
    recovered: p.boolean().default(false),
  },
  indexes: [
    {
      name: 'outbox_event',
      expression: 'create index "outbox_event" on "outbox" ("id") where topic = \'event\'',
    },
    {
      name: 'outbox_process',
      expression:
        'create index "outbox_process" on "outbox" ("account_id", "due_at") where topic <> \'event\' and not recovered',
    },
    {
      name: 'outbox_recovered',
      expression: 'create index "outbox_recovered" on "outbox" (coalesce(start_at, due_at)) where recovered',
    },
    {
      name: 'outbox_clock',
      expression: 'create index "outbox_clock" on "outbox" ("account_id", "clock_id") where clock_id is not null',
    },
    {
      name: 'outbox_subject',
      expression: 'create index "outbox_subject" on "outbox" ("account_id", "subject_id") where topic <> \'event\'',
    },
  ],
});
export class Outbox extends OutboxSchema.class {}
OutboxSchema.setClass(Outbox);
