import { Missing } from '../../commands/kernel/missing.ts';
import { membersById } from '../../db/queries/accounts/roles.ts';
import { type TimelineScope, timelineOf } from '../../db/queries/events/timeline.ts';
import { readingOf } from '../../db/queries/kernel/reading.ts';
import { all, condition } from '../../db/queries/kernel/sql.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { TimelineEntry } from '../../db/schema/timelineEntry.ts';
import { membersIn, presentTimelineEntry } from '../../present/timelines/timeline.ts';
import * as fields from '../body/fields.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { between, filtered, type Resource, sorted } from '../framework/resource.ts';
import { pathId, type Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { relation } from '../reading/expand.ts';
import { list } from '../reading/list.ts';
import { listRoute } from '../reading/readRoutes.ts';
import { events } from './events.ts';

const subject = shown.value('TimelineSubject', 'Object of a timeline entry', {
  object: shown.text('Type of the object', 'invoice'),
  id: shown.integer('Id of the object; for the look-up of a charge, the id of its attempt', 77),
  number: shown.nullable(shown.text('Number of an invoice; null: a draft, or another object', 'INV-00042')),
});

const timelineEntry = shown.shape('TimelineEntry', 'Past event or planned step of an object', {
  id: shown.text('Id of the entry', 'event-0000000000004711'),
  timestamp: shown.timestamp('Time of the event or of the planned step'),
  upcoming: shown.flag('True: it is planned; false: it has happened', false),
  what: shown.text('Description of the event or step', 'attempt 2 of 4'),
  why: shown.text('Reason of the event or step', 'the charge failed: insufficient funds'),
  rule: shown.text('Type of the event, or the rule of the step', 'attempt'),
  subject: shown.one(subject, 'Object of the entry'),
  event: shown.unset(shown.id('Id of the event; null: the step is planned, or it was a notice by mail', 4711)),
});

/** The past events and planned steps of the object in the path, latest first, as a resource. */
function timeline(
  scope: TimelineScope,
  { name, area }: Pick<Resource<object>, 'name' | 'area'>,
  timeZone: string,
): Resource<TimelineEntry, 'id'> {
  return {
    name: 'Timeline entry',
    area,
    shape: timelineEntry,
    row: TimelineEntry,
    from: timelineOf(scope),
    idColumn: 'id',
    listed: (request) => condition('scope_id = ?', pathId(request, name)),
    columns: {
      id: filtered('id', fields.text()),
      timestamp: sorted('at'),
      upcoming: filtered('upcoming', fields.boolean),
      rule: filtered('rule', fields.text()),
    },
    parameters: {
      ...between('at', fields.timestamp, ['start_date', 'end_date']),
      ...between('at', fields.timestamp, ['updated_after', 'updated_before']),
    },
    order: [
      { column: 'at', direction: 'desc' },
      { column: 'id', direction: 'desc' },
    ],
    present: async (reading, rows) => {
      const ids = rows.flatMap(({ subjectType, subjectId }) => (subjectType === 'invoice' ? [subjectId] : []));
      const invoices = await reading.byId(Invoice, ids);
      const found = await membersById(reading, membersIn(rows));
      const members = new Map([...found].map(([id, { name, email }]) => [id, name ?? email]));
      return rows.map((row) => {
        const number = row.subjectType === 'invoice' ? (invoices.get(row.subjectId)?.number ?? null) : null;
        return presentTimelineEntry({ ...row, number, members }, timeZone);
      });
    },
    relations: {
      event: relation(
        () => events,
        (row) => row.eventId ?? null,
      ),
    },
  };
}

/** A route for the timeline of an object. It is a list like any other. */
export function timelineRoute<Row extends object>(
  scope: TimelineScope,
  { path, resource }: { path: string; resource: Resource<Row, 'id'> },
): Route {
  const entriesIn = (timeZone: string) => timeline(scope, resource, timeZone);
  const summary = `List past events and planned steps of ${/^[aeiou]/.test(scope) ? 'an' : 'a'} ${scope.replace('_', ' ')}, each with its reason, latest first`;
  const handle = async (request: ApiRequest) => {
    await find(request, resource);
    return list(request, entriesIn(request.caller.account.timeZone));
  };
  const route = listRoute({ path: `${path}/:id/timeline`, resource: entriesIn('UTC'), summary, handle });
  return { ...route, operationId: `list${resource.shape.name}Timeline` };
}

/** Checks that the object in the path exists. Throws Missing. */
async function find<Row extends object>(request: ApiRequest, resource: Resource<Row>): Promise<void> {
  const id = pathId(request, resource.name);
  const where = all([condition('id = ?', id), ...(resource.exists ? [resource.exists] : [])]);
  const rows = { row: resource.row, where };
  if ((await readingOf(request.em, request.caller.account.id).count(rows, 1)) === 0)
    throw new Missing(resource.name, id);
}
