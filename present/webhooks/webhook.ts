import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Head } from '../../db/queries/webhooks/deliveries.ts';
import type { Event } from '../../db/schema/event.ts';
import type { Member } from '../../db/schema/member.ts';
import type { Webhook } from '../../db/schema/webhook.ts';
import type { WebhookAttempt } from '../../db/schema/webhookDelivery.ts';
import { type Json, orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';

/** A webhook endpoint without its secret, which only the response that created the secret shows. */
export function presentWebhook(webhook: Plain<Webhook>): Presented {
  return {
    id: webhook.id,
    object: 'webhook',
    url: webhook.url,
    events: webhook.events ?? '*',
    enabled: webhook.enabled,
    description: orNull(webhook.description),
    api_version: webhook.apiVersion,
    failing_since: unixOrNull(webhook.failingSince),
    disabled_reason: orNull(webhook.disabledReason),
    created_at: unix(webhook.createdAt),
    updated_at: unix(webhook.updatedAt),
  };
}

export function presentWebhookAttempt(attempt: Plain<WebhookAttempt>): Presented {
  return {
    id: attempt.id,
    object: 'webhook_attempt',
    webhook: attempt.webhookId,
    event: orNull(attempt.eventId),
    attempt: attempt.attempt,
    status_code: orNull(attempt.statusCode),
    error: orNull(attempt.error),
    answer: attempt.answer,
    latency_ms: attempt.latencyMilliseconds,
    next_attempt_at: unixOrNull(attempt.nextAttemptAt),
    created_at: unix(attempt.createdAt),
  };
}

export function presentWebhookReplay(replay: { id: number; webhookId: number; count: number }): Presented {
  return { id: replay.id, object: 'webhook_replay', webhook: replay.webhookId, events: replay.count };
}

/** A member who acted. */
export type ActingUser = Pick<Member, 'email' | 'name'>;

/** The actor: the API (-2), the product itself (-1), or a member by its id. */
function presentUser(userId: number, member: ActingUser | null): Presented {
  const program = userId === -1 ? 'Perennial' : userId === -2 ? 'API' : null;
  return {
    id: userId,
    object: 'user',
    email: member?.email ?? null,
    first_name: program ?? member?.name ?? null,
    last_name: null,
    registered: userId > 0,
    two_factor_enabled: false,
    created_at: null,
    updated_at: null,
  };
}

type EventFacts = Pick<Event, 'id' | 'type' | 'object' | 'userId' | 'occurredAt'> & {
  previous?: Presented | null;
  requestId?: string | null | undefined;
  /** The member whose id `userId` is; null or absent: it is none. */
  member?: ActingUser | null;
};

/** `members`: those who caused events, by id. */
export function presentEvent(event: Plain<Event>, members: ReadonlyMap<number, ActingUser> = new Map()): Presented {
  return eventBody({ ...event, previous: event.previous ?? null, member: members.get(event.userId) ?? null });
}

/** An event, presented from its fields. */
function eventBody(event: EventFacts): Presented {
  const data: { [key: string]: Json } = { object: event.object };
  if (event.previous) data.previous = event.previous;
  return {
    id: event.id,
    object: 'event',
    type: event.type,
    timestamp: unix(event.occurredAt),
    data,
    user: presentUser(event.userId, event.member ?? null),
    request_id: event.requestId ?? null,
  };
}

/** The event of a delivery, and its place among the events of its object. */
export type Delivered = Pick<
  Head,
  | 'eventId'
  | 'type'
  | 'object'
  | 'previous'
  | 'userId'
  | 'member'
  | 'requestId'
  | 'occurredAt'
  | 'sequence'
  | 'previousSequence'
>;

/**
 * The body of a delivery: the event, its sequence among the events of its object, and the sequence of the previous one that was sent to this
 * endpoint.
 */
export function presentDelivery(head: Delivered): Presented {
  const { eventId: id, type, object, previous, userId, member, requestId } = head;
  const occurredAt = new Date(head.occurredAt);
  const event = eventBody({ id, type, object, previous, userId, member, requestId, occurredAt });
  return { ...event, sequence: head.sequence, previous_sequence: head.previousSequence };
}
