import type { Area, Permission } from '../../billing/people/permissions.ts';
import { Missing } from '../../commands/kernel/missing.ts';
import { membersById } from '../../db/queries/accounts/roles.ts';
import { type TimelineScope, timelineOf } from '../../db/queries/events/timeline.ts';
import { readingOf } from '../../db/queries/kernel/reading.ts';
import { all, type Condition, condition, textArray } from '../../db/queries/kernel/sql.ts';
import type { UsedCredential } from '../../db/schema/event.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { TimelineEntry } from '../../db/schema/timelineEntry.ts';
import { membersIn, presentTimelineEntry } from '../../present/timelines/timeline.ts';
import { type Language, spokenLanguages } from '../../words/languages.ts';
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

/** The area of each type of object that entries are about. */
export const areaOfSubject: Readonly<Record<string, Area>> = {
  customer: 'customers',
  contact: 'customers',
  note: 'customers',
  sign_up: 'customers',
  task: 'collections',
  chasing: 'collections',
  invoice: 'documents',
  estimate: 'documents',
  payment_plan: 'documents',
  line_item: 'documents',
  credit_note: 'corrections',
  credit_balance_adjustment: 'corrections',
  payment: 'payments',
  link_payment: 'payments',
  charge: 'payments',
  payment_source: 'payments',
  subscription: 'subscriptions',
};

/** The area of the entries that no event or process makes, by the beginning of their ids: they tell of mails, texts and tasks. */
const areaOfNotice: Readonly<Record<string, Area>> = {
  email: 'documents',
  mail: 'documents',
  chased: 'collections',
  statement: 'collections',
  text: 'collections',
};

/** SQL: the entries that a caller may read, by the areas of what they tell of. A caller who may read all of them has no such condition. */
function readableBy(permissions: readonly Permission[]): Condition[] {
  const isReadable = ([, area]: [string, Area]) => permissions.includes(`${area}.read`);
  const subjects = Object.entries(areaOfSubject);
  const seen = subjects.filter(isReadable).map(([type]) => type);
  const hidden = Object.entries(areaOfNotice).filter((one) => !isReadable(one));
  return [
    ...(seen.length === subjects.length ? [] : [condition('subject_type = any(?::text[])', textArray(seen))]),
    ...(hidden.length === 0
      ? []
      : [condition("split_part(id, '-', 1) <> all(?::text[])", textArray(hidden.map(([kind]) => kind)))]),
  ];
}

/** Who reads a timeline, in which language. */
interface Reader {
  timeZone: string;
  language: Language;
  permissions: readonly Permission[];
}

/** The past events and planned steps of the object in the path, latest first, as a resource: those that the caller may read. */
function timeline(
  scope: TimelineScope,
  { name, area }: Pick<Resource<object>, 'name' | 'area'>,
  { timeZone, language, permissions }: Reader,
): Resource<TimelineEntry, 'id'> {
  const knowsPeople = permissions.includes('people.read');
  return {
    name: 'Timeline entry',
    area,
    shape: timelineEntry,
    row: TimelineEntry,
    from: timelineOf(scope),
    idColumn: 'id',
    listed: (request) => all([condition('scope_id = ?', pathId(request, name)), ...readableBy(permissions)]),
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
      const actors = rows.flatMap(({ userId }) => userId ?? []);
      const found = await membersById(reading, [...membersIn(rows), ...actors]);
      const named = [...found].flatMap(([id, { name, email }]): [number, string][] => {
        const known = name ?? (knowsPeople ? email : null);
        return known === null ? [] : [[id, known]];
      });
      const members = new Map(named);
      return rows.map((row) => {
        const number = row.subjectType === 'invoice' ? (invoices.get(row.subjectId)?.number ?? null) : null;
        const credential = knowsPeople ? row.credential : withoutAddress(row, members);
        return presentTimelineEntry({ ...row, credential, number, members }, { timeZone, language });
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

/** The credential of an event without the address of its member: its name, or none. */
function withoutAddress(
  { credential = null, userId }: Pick<TimelineEntry, 'credential' | 'userId'>,
  members: ReadonlyMap<number, string>,
): UsedCredential | null {
  if (credential?.kind !== 'member') return credential;
  const name = typeof userId === 'number' ? members.get(userId) : undefined;
  return name === undefined ? null : { ...credential, name };
}

/** A route for the timeline of an object. It is a list like any other. */
export function timelineRoute<Row extends object>(
  scope: TimelineScope,
  { path, resource }: { path: string; resource: Resource<Row, 'id'> },
): Route {
  const entriesFor = (reader: Reader) => timeline(scope, resource, reader);
  const summary = `List past events and planned steps of ${/^[aeiou]/.test(scope) ? 'an' : 'a'} ${scope.replace('_', ' ')}, each with its reason, latest first, as far as you may read what they are about; \`what\` and \`why\` are in the first of the languages ${spokenLanguages.join(', ')} that \`Accept-Language\` names, by default English`;
  const handle = async (request: ApiRequest) => {
    await find(request, resource);
    const { language, caller } = request;
    const { account, permissions } = caller;
    const reply = await list(request, entriesFor({ timeZone: account.timeZone, language, permissions }));
    const headers = { ...reply.headers, 'Content-Language': language, Vary: 'Accept-Language' };
    return { ...reply, headers };
  };
  const route = listRoute({
    path: `${path}/:id/timeline`,
    resource: entriesFor({ timeZone: 'UTC', language: 'en', permissions: [] }),
    summary,
    handle,
  });
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
