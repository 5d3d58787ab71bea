import { defineEntity, p } from '@mikro-orm/core';
import type { Presented } from '../../billing/json.ts';
import type { ReasonCode } from '../../billing/wait.ts';
import { longId } from './columns.ts';
import type { EventReason, UsedCredential } from './event.ts';

/** Not a table: a row of `timelineOf`, an event, a wake-up or a mailed notice in the timeline of an object. */
const TimelineEntrySchema = defineEntity({
  name: 'TimelineEntry',
  expression: 'select null where false',
  properties: {
    accountId: p.integer(),
    /** Id of the object whose timeline it is in. */
    scopeId: p.integer(),
    /** `event-0000000000004711`, `wakeup-invoice-0000000077-attempt`: padded with zeros, so that ids sort in order of time. */
    id: p.string(),
    /** Customer's time at which it happened or will happen. */
    at: p.datetime(),
    upcoming: p.boolean(),
    /** Type of the event, or rule of the wake-up or the notice. */
    rule: p.string(),
    subjectType: p.string(),
    subjectId: p.integer(),
    /** Id of the event; null for a wake-up and a notice. */
    eventId: longId().nullable(),
    userId: p.integer().nullable(),
    credential: p.json().$type<UsedCredential>().nullable(),
    object: p.json().$type<Presented>().nullable(),
    previous: p.json().$type<Presented>().nullable(),
    /** The rule of the wake-up or the notice in words; null for an event. */
    step: p.string().nullable(),
    /** Why the event happened, or why the step is planned. */
    eventReason: p.string().$type<EventReason>().nullable(),
    reason: p.string().$type<ReasonCode>().nullable(),
    reasonDetail: p.string().nullable(),
  },
});
export class TimelineEntry extends TimelineEntrySchema.class {}
TimelineEntrySchema.setClass(TimelineEntry);
