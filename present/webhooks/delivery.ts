import type { Head } from '../../db/queries/webhooks/deliveries.ts';
import type { Presented } from '../kernel/values.ts';
import { eventBody } from './event.ts';

/** The event of a delivery, and its place among the events of its object. */
export type Delivered = Pick<
  Head,
  'eventId' | 'type' | 'object' | 'previous' | 'userId' | 'requestId' | 'occurredAt' | 'sequence' | 'previousSequence'
>;

/**
 * The body of a delivery: the event, its sequence among the events of its object, and the sequence of the previous one that was sent to this
 * endpoint.
 */
export function presentDelivery(head: Delivered): Presented {
  const { eventId: id, type, object, previous, userId, requestId } = head;
  const event = eventBody({ id, type, object, previous, userId, requestId, occurredAt: new Date(head.occurredAt) });
  return { ...event, sequence: head.sequence, previous_sequence: head.previousSequence };
}
