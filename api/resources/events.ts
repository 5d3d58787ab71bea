import { eventTypes } from '../../billing/eventTypes.ts';
import { nearest } from '../../billing/money/nearest.ts';
import { Refusal } from '../../billing/refusal.ts';
import { membersById } from '../../db/queries/accounts/roles.ts';
import { positionOf } from '../../db/queries/events/eventLog.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { Event } from '../../db/schema/event.ts';
import { presentEvent } from '../../present/webhooks/webhook.ts';
import * as fields from '../body/fields.ts';
import { LARGEST_LONG_ID, readText, unfit } from '../body/readers.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { between, column, equals, type Resource, readParameter, where } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { list } from '../reading/list.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';

const readEventType = (value: unknown) => {
  const given = readText(value, 255);
  if (eventTypes.includes(given)) return given;
  const meant = nearest(given, eventTypes);
  return unfit(`is not a type of event: ${given}${meant ? `; did you mean ${meant}?` : ''}`);
};

/** A request field for one type of event. */
export const eventType = fields.field(readEventType, { type: 'string', enum: [...eventTypes] });

const user = shown.shape('User', 'Actor of an event: -2 is a request of the API, -1 is Perennial itself', {
  id: shown.integer('Id of the actor: -2, -1, or the id of the member who acted in a browser', -2),
  email: shown.unset(shown.text('Email address of the member', 'ada@example.com')),
  first_name: shown.nullable(shown.text('Name of the member, or of the program', 'API')),
  last_name: shown.unset(shown.text('Last name of the user', 'Lovelace')),
  registered: shown.flag('True: the user can sign in', false),
  two_factor_enabled: shown.flag('True: the user signs in with two factors', false),
  created_at: shown.unset(shown.createdAt),
  updated_at: shown.unset(shown.updatedAt),
});

const data = shown.sometimes(
  shown.value('EventData', 'Object of an event, with its changes', {
    object: shown.record('The object as it was at that time, with related objects expanded', {
      id: 77,
      object: 'invoice',
      paid: true,
    }),
  }),
  { previous: shown.record('For changes: previous values of the changed fields', { paid: false }) },
);

const event = shown.shape('Event', 'Event: a change of an object', {
  id: shown.id('Id of the event', 4711),
  type: shown.choice('Type of the event', 'invoice.paid', ...eventTypes.filter((type) => type !== 'invoice.paid')),
  timestamp: shown.timestamp('Time of the event'),
  data: shown.one(data, 'The object, with its previous values'),
  user: shown.one(user, 'Actor of the event'),
  request_id: shown.nullable(
    shown.text(
      '`Request-Id` of the request that caused it; null: no request did',
      '0b2f6c1e-8f0a-4b59-9a43-5d0c1c9f0e77',
    ),
  ),
});

/** An event as it is sent to endpoints. */
export const deliveredEvent = shown.extended(event, 'DeliveredEvent', {
  id: shown.integer('Id of the event; 0 for a test event', 4711),
  type: shown.choice(
    'Type of the event; `webhook.test` for a requested test',
    'invoice.paid',
    ...eventTypes.filter((type) => type !== 'invoice.paid'),
    'webhook.test',
  ),
  sequence: shown.integer('Position among the events of its object: 1, 2, 3, …', 4),
  previous_sequence: shown.nullable(
    shown.integer('`sequence` of the previous event about this object that the endpoint was sent; null: none', 3),
  ),
});

/** Parses an object's type and id, such as `invoice,77`, into an SQL condition. */
const readSubject = (value: unknown) => {
  const parts = /^([a-z_]{1,32}),([A-Za-z0-9_-]{1,64})$/.exec(readText(value, 255));
  return parts
    ? condition('subject_type = ? and subject_id = ?', parts[1] ?? '', parts[2] ?? '')
    : unfit('must be <object type>,<object id>, such as invoice,77');
};
const related = fields.field(readSubject, {
  type: 'string',
  pattern: '^[a-z_]{1,32},[A-Za-z0-9_-]{1,64}$',
  examples: ['invoice,77'],
  description: 'Only events of one object: its type and id, comma-separated, such as `invoice,77`',
});

const afterId = fields.described(
  fields.wholeNumber(0, LARGEST_LONG_ID),
  'Id of an event: list the events after it, oldest first; 0: from the first event',
  4711,
);

/** Events, newest first. */
export const events: Resource<Event, 'id'> = {
  name: 'Event',
  area: 'developers',
  shape: event,
  row: Event,
  idColumn: 'id',
  hasLongIds: true,
  columns: {
    id: column('id', fields.longId),
    type: { sort: null, filter: equals('type', eventType) },
  },
  parameters: {
    type: equals('type', eventType),
    related_to: where(related, (subject) => subject),
    ...between('occurred_at', fields.timestamp, ['start_date', 'end_date']),
    ...between('occurred_at', fields.timestamp, ['updated_after', 'updated_before']),
  },
  extraParameters: { after_id: afterId },
  order: [{ column: 'id', direction: 'desc' }],
  present: async (reading, rows) => {
    const users = rows.map(({ userId }) => userId);
    const members = await membersById(reading, users);
    return rows.map((row) => presentEvent(row, members));
  },
};

const log = `(select e.*, l.position from event_log l join event e on e.account_id = l.account_id and e.id = l.event_id)`;

/** Events after a position in the log, oldest first, without gaps. */
function feedAfter(position: string): Resource<Event> {
  return {
    ...events,
    from: log,
    listed: () => condition('position > ?', position),
    columns: { ...events.columns, id: { sort: null, filter: events.columns.id?.filter ?? null } },
    order: [{ column: 'position', direction: 'asc' }],
  };
}

/** Larger than any event's position. */
const END_OF_LOG = '9223372036854775807';

/**
 * Position in the log after which a feed begins: 0 for `after_id=0`, else that of the event. An event without a position yet: the end of
 * the log. Refuses an unknown event.
 */
async function positionAfter({ em, caller }: ApiRequest, afterId: string): Promise<string> {
  if (afterId === '0') return '0';
  const id = readParameter(fields.longId, afterId, 'after_id');
  const position = await positionOf(em, { accountId: caller.account.id, id });
  if (position === undefined) throw new Refusal('resource_missing', `Event was not found: ${id}`, 'after_id');
  return position ?? END_OF_LOG;
}

const path = '/events';

export const eventRoutes: Route[] = [
  listRoute({
    path,
    resource: events,
    summary: 'List events, newest first; with `after_id`, oldest first',
    handle: async (request) => {
      const afterId = request.query.get('after_id') ?? '';
      const listed = afterId === '' ? events : feedAfter(await positionAfter(request, afterId));
      return list(request, listed);
    },
  }),
  readRoute({ path, resource: events, summary: 'Read an event' }),
];
