import { defineEntity, p } from '@mikro-orm/core';
import type { Presented } from '../../billing/json.ts';
import { longId } from './columns.ts';
import type { UsedCredential } from './event.ts';

/** No table: what `timelineOf` answers, an event or a wake-up in the timeline of an object. */
const TimelineEntrySchema = defineEntity({
  name: 'TimelineEntry',
  expression: 'select null where false',
  properties: {
    accountId: p.integer(),
    /** The object whose timeline it is in. */
    scopeId: p.integer(),
    /** `event-0000000000004711`, `wakeup-invoice-0000000077-attempt`: with zeros, so that they sort as they happened. */
    id: p.string(),
    /** When it happened, or will: the customer's time. */
    at: p.datetime(),
    upcoming: p.boolean(),
    /** Type of the event, or rule of the wake-up. */
    rule: p.string(),
    subjectType: p.string(),
    subjectId: p.integer(),
    /** Of an event; null of a wake-up. */
    eventId: longId().nullable(),
    userId: p.integer().nullable(),
    credential: p.json().$type<UsedCredential>().nullable(),
    object: p.json().$type<Presented>().nullable(),
    previous: p.json().$type<Presented>().nullable(),
    /** Of a wake-up: the rule in words; null of an event. */
    step: p.string().nullable(),
  },
});
export class TimelineEntry extends TimelineEntrySchema.class {}
TimelineEntrySchema.setClass(TimelineEntry);
