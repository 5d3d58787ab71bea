import { eventTypes } from '../../../billing/eventTypes.ts';
import * as fields from '../../framework/shape.ts';

const user = fields.shape('User', 'Who did it: -2 is the API, -1 the product itself', {
  id: fields.integer('Its id', -2),
  email: fields.unset(fields.text('Its address', 'ada@example.com')),
  first_name: fields.nullable(fields.text('First name', 'API')),
  last_name: fields.unset(fields.text('Last name', 'Lovelace')),
  registered: fields.flag('Whether it may sign in', false),
  two_factor_enabled: fields.flag('Whether it signs in with two factors', false),
  created_at: fields.unset(fields.createdAt),
  updated_at: fields.unset(fields.updatedAt),
});

const data = fields.sometimes(
  fields.value('EventData', 'What an event is about', {
    object: fields.record('The object as it then was, related objects expanded', {
      id: 77,
      object: 'invoice',
      paid: true,
    }),
  }),
  { previous: fields.record('Of updates: old values of the fields that changed', { paid: false }) },
);

export const event = fields.shape('Event', 'Something that happened', {
  id: fields.id('Its id', 4711),
  type: fields.choice('What happened', 'invoice.paid', ...eventTypes.filter((type) => type !== 'invoice.paid')),
  timestamp: fields.timestamp('When it happened'),
  data: fields.one(data, 'What it is about'),
  user: fields.one(user, 'Who did it'),
});

/** An event as it is sent to endpoints. */
export const deliveredEvent = fields.extended(event, 'DeliveredEvent', {
  id: fields.integer('Its id; 0: a test', 4711),
  type: fields.choice(
    'What happened; webhook.test: nothing, you asked for it',
    'invoice.paid',
    ...eventTypes.filter((type) => type !== 'invoice.paid'),
    'webhook.test',
  ),
  sequence: fields.integer('1, 2, 3, … of the events of its object', 4),
  previous_sequence: fields.nullable(fields.integer('That of the event about the same object sent before', 3)),
});
