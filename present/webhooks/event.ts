import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Event } from '../../db/schema/event.ts';
import { type Json, type Presented, unix } from '../kernel/values.ts';

/** The actor: the API (-2), the product itself (-1), or a user by id. */
function presentUser(userId: number): Presented {
  const system = userId === -1;
  return {
    id: userId,
    object: 'user',
    email: null,
    first_name: system ? 'Perennial' : 'API',
    last_name: null,
    registered: false,
    two_factor_enabled: false,
    created_at: null,
    updated_at: null,
  };
}

type EventFacts = Pick<Event, 'id' | 'type' | 'object' | 'userId' | 'occurredAt'> & {
  previous?: Presented | null;
  requestId?: string | null | undefined;
};

export function presentEvent(event: Plain<Event>): Presented {
  return eventBody({ ...event, previous: event.previous ?? null });
}

/** An event, presented from its fields. */
export function eventBody(event: EventFacts): Presented {
  const data: { [key: string]: Json } = { object: event.object };
  if (event.previous) data.previous = event.previous;
  return {
    id: event.id,
    object: 'event',
    type: event.type,
    timestamp: unix(event.occurredAt),
    data,
    user: presentUser(event.userId),
    request_id: event.requestId ?? null,
  };
}
