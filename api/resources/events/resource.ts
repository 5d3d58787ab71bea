import { condition } from '../../../db/queries/kernel/condition.ts';
import { Event } from '../../../db/schema/event.ts';
import { presentEvent } from '../../../present/webhooks/event.ts';
import * as fields from '../../body/fields.ts';
import { LARGEST_LONG_ID, readText, unfit } from '../../body/readers.ts';
import { between, column, equals, type Resource, where } from '../../framework/resource.ts';
import { event } from './shape.ts';
import { eventType } from './type.ts';

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
  present: async (_reading, rows) => rows.map(presentEvent),
};

const log = `(select e.*, l.position from event_log l join event e on e.account_id = l.account_id and e.id = l.event_id)`;

/** Events after a position in the log, oldest first, without gaps. */
export function feedAfter(position: string): Resource<Event> {
  return {
    ...events,
    from: log,
    listed: () => condition('position > ?', position),
    columns: { ...events.columns, id: { sort: null, filter: events.columns.id?.filter ?? null } },
    order: [{ column: 'position', direction: 'asc' }],
  };
}
