import { eventTypes } from '../../../billing/eventTypes.ts';
import * as fields from '../../framework/shape.ts';

const user = fields.shape('User', 'Actor of an event: -2 is a request of the API, -1 is Perennial itself', {
  id: fields.integer('Id of the actor: -2, -1, or the id of a user', -2),
  email: fields.unset(fields.text('Email address of the user', 'ada@example.com')),
  first_name: fields.nullable(fields.text('First name of the user', 'API')),
  last_name: fields.unset(fields.text('Last name of the user', 'Lovelace')),
  registered: fields.flag('True: the user can sign in', false),
  two_factor_enabled: fields.flag('True: the user signs in with two factors', false),
  created_at: fields.unset(fields.createdAt),
  updated_at: fields.unset(fields.updatedAt),
});

const data = fields.sometimes(
  fields.value('EventData', 'Object of an event, with its changes', {
    object: fields.record('The object as it was at that time, with related objects expanded', {
      id: 77,
      object: 'invoice',
      paid: true,
    }),
  }),
  { previous: fields.record('For changes: previous values of the changed fields', { paid: false }) },
);

export const event = fields.shape('Event', 'Event: a change of an object', {
  id: fields.id('Id of the event', 4711),
  type: fields.choice('Type of the event', 'invoice.paid', ...eventTypes.filter((type) => type !== 'invoice.paid')),
  timestamp: fields.timestamp('Time of the event'),
  data: fields.one(data, 'The object, with its previous values'),
  user: fields.one(user, 'Actor of the event'),
  request_id: fields.nullable(
    fields.text(
      '`Request-Id` of the request that caused it; null: no request did',
      '0b2f6c1e-8f0a-4b59-9a43-5d0c1c9f0e77',
    ),
  ),
});

/** An event as it is sent to endpoints. */
export const deliveredEvent = fields.extended(event, 'DeliveredEvent', {
  id: fields.integer('Id of the event; 0 for a test event', 4711),
  type: fields.choice(
    'Type of the event; `webhook.test` for a requested test',
    'invoice.paid',
    ...eventTypes.filter((type) => type !== 'invoice.paid'),
    'webhook.test',
  ),
  sequence: fields.integer('Position among the events of its object: 1, 2, 3, …', 4),
  previous_sequence: fields.nullable(
    fields.integer('`sequence` of the previous event about this object that the endpoint was sent; null: none', 3),
  ),
});
