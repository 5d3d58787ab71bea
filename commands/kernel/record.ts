import type { EventType } from '../../billing/eventTypes.ts';
import type { Json, Presented } from '../../billing/json.ts';
import { append } from '../../db/appending.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Event, type EventReason } from '../../db/schema/event.ts';
import type { Moment } from './moment.ts';

export interface NewEvent {
  type: EventType;
  /** The object that changed; its count of events becomes the event's sequence. */
  subject: { type: string; id: number | string; row: { eventCount: number } };
  /** `data.object`, presented after the change. */
  object: Presented;
  /** The object presented before the change: the fields that differ become `data.previous`. */
  before?: Presented | undefined;
  reason?: EventReason | undefined;
}

/** Writes an event in the transaction of its change. A database trigger writes the outbox row. */
export function record(em: EntityManager, moment: Moment, event: NewEvent): void {
  const { caller, now, systemNow } = moment;
  const accountId = caller.account.id;
  event.subject.row.eventCount += 1;
  append(em, Event, {
    accountId,
    type: event.type,
    subjectType: event.subject.type,
    subjectId: String(event.subject.id),
    sequence: event.subject.row.eventCount,
    object: event.object,
    previous: event.before ? changed(event.before, event.object) : null,
    userId: caller.userId,
    credential: caller.credential,
    reason: event.reason ?? null,
    occurredAt: now,
    createdAt: systemNow,
  });
}

/** The old values of the fields that differ, without `updated_at`. */
export function changed(before: Presented, after: Presented): Presented {
  const previous: { [key: string]: Json } = {};
  for (const [name, value] of Object.entries(before)) {
    if (name !== 'updated_at' && JSON.stringify(value) !== JSON.stringify(after[name])) previous[name] = value;
  }
  return previous;
}
