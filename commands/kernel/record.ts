import type { EventType } from '../../billing/eventTypes.ts';
import type { Json, Presented } from '../../billing/json.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Event, type EventReason } from '../../db/schema/event.ts';
import { currentCause } from '../../db/tracing.ts';
import { presentWholeCustomer } from '../../present/customers/customer.ts';
import type { Moment } from './caller.ts';
import type { LockedCustomer } from './lockedCustomer.ts';

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

/** An event that its object counts already. */
export interface CountedEvent {
  type: EventType;
  sequence: number;
}

/** Counts an event of an object before it is written, so that recording it later in the transaction needs no update of the object. */
export function countEvent(type: EventType, row: { eventCount: number }): CountedEvent {
  row.eventCount += 1;
  return { type, sequence: row.eventCount };
}

/** Records an event in the transaction of its change. A database trigger writes the outbox row. */
export function record(em: EntityManager, moment: Moment, { type, ...rest }: NewEvent): void {
  recordCounted(em, moment, { ...rest, event: countEvent(type, rest.subject.row) });
}

/** The same for an event that was counted before. */
export function recordCounted(
  em: EntityManager,
  moment: Moment,
  counted: Pick<NewEvent, 'object' | 'before' | 'reason'> & {
    event: CountedEvent;
    subject: Omit<NewEvent['subject'], 'row'>;
  },
): void {
  const { caller, now, systemNow } = moment;
  const { event, subject, object, before, reason = caller.isOnPage ? 'on_page' : null } = counted;
  em.append(Event, {
    accountId: caller.account.id,
    type: event.type,
    subjectType: subject.type,
    subjectId: String(subject.id),
    sequence: event.sequence,
    object,
    previous: before ? changed(before, object) : null,
    userId: caller.userId,
    credential: caller.credential,
    reason,
    ...currentCause(),
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

/** An event of an object of a customer. `shown`: the object presented after the change. `before`: the same before it. */
export interface CustomerEvent {
  type: EventType;
  row: { id: number; eventCount: number };
  shown: Presented;
  before?: Presented;
  reason?: EventReason | undefined;
}

/** Records an event of an object of a locked customer, whom its change does not affect. The event carries the whole customer. */
export function recordOfCustomer(
  em: EntityManager,
  locked: LockedCustomer,
  { type, row, shown, before, reason }: CustomerEvent,
): void {
  const customer = presentWholeCustomer(locked.customer);
  const [noun = type] = type.split('.');
  record(em, locked.moment, {
    type,
    subject: { type: noun, id: row.id, row },
    object: { ...shown, customer },
    before: before && { ...before, customer },
    reason,
  });
}
