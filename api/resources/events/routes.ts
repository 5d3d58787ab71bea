import { Refusal } from '../../../billing/refusal.ts';
import { positionOf, readFeed } from '../../../db/queries/events.ts';
import { Event } from '../../../db/schema/event.ts';
import { presentEvent } from '../../../present/event.ts';
import * as fields from '../../fields.ts';
import { list } from '../../list.ts';
import { conditionsOn, type Listing, readParameter } from '../../listing.ts';
import { pageHeaders, readPage } from '../../pages.ts';
import { readText, unfit } from '../../readers.ts';
import { type ApiRequest, found, pathId, type Reply, type Route, reply } from '../../route.ts';

const where = conditionsOn<Event>();

/** `invoice,77`: object type and id. */
const related = fields.field((value) => {
  const parts = /^([a-z_]{1,32}),([A-Za-z0-9_-]{1,64})$/.exec(readText(value, 255));
  return parts
    ? { type: parts[1] ?? '', id: parts[2] ?? '' }
    : unfit('must be <object type>,<object id>, such as invoice,77');
});

const events: Listing<Event> = {
  row: Event,
  scope: ({ caller }) => ({ accountId: caller.account.id }),
  sort: { id: (to) => ({ id: to }) },
  filter: {
    id: where(fields.id, (id) => ({ id })),
    type: where(fields.text(), (type) => ({ type })),
  },
  parameters: {
    type: where(fields.text(), (type) => ({ type })),
    related_to: where(related, ({ type, id }) => ({ subjectType: type, subjectId: id })),
    start_date: where(fields.timestamp, (at) => ({ occurredAt: { $gte: at } })),
    end_date: where(fields.timestamp, (at) => ({ occurredAt: { $lte: at } })),
  },
  byId: (to) => ({ id: to }),
  newestFirst: true,
  find: (em, conditions, slice) => em.find(Event, conditions, slice),
  present: presentEvent,
};

/** What came after an event, oldest first, without gaps: `after_id=0` is the beginning. */
async function feed(request: ApiRequest, afterId: string): Promise<Reply> {
  const { em, query, caller } = request;
  const accountId = caller.account.id;
  const page = readPage(query);
  const position = await positionAfter(request, afterId);
  if (position === null) return { ...reply(200, []), headers: pageHeaders(request, page, 0) };
  const read = <Value>(name: string, field: fields.Field<Value>) => {
    const text = query.get(name) ?? '';
    return text === '' ? null : readParameter(field, text, name);
  };
  const { events: rows, total } = await readFeed(em, {
    ...{ accountId, position, limit: page.size, offset: (page.number - 1) * page.size },
    ...{ type: read('type', fields.text()), related: read('related_to', related) },
  });
  return { ...reply(200, rows.map(presentEvent)), headers: pageHeaders(request, page, total) };
}

/** Null: the event is so new that nothing has come after it yet. */
async function positionAfter({ em, caller }: ApiRequest, afterId: string): Promise<string | null> {
  if (afterId === '0') return '0';
  const id = readParameter(fields.id, afterId, 'after_id');
  const position = await positionOf(em, { accountId: caller.account.id, id });
  if (position === undefined) throw new Refusal(`Event was not found: ${id}`, 'after_id');
  return position;
}

export const eventRoutes: Route[] = [
  {
    method: 'GET',
    path: '/events',
    summary: 'List events, newest first; after_id follows them in order; type, related_to, start_date, end_date',
    handle: (request) => {
      const afterId = request.query.get('after_id') ?? '';
      return afterId === '' ? list(request, events) : feed(request, afterId);
    },
  },
  {
    method: 'GET',
    path: '/events/:id',
    summary: 'Read an event',
    handle: async (request) => {
      const id = pathId(request, 'Event');
      const event = await request.em.findOne(Event, { accountId: request.caller.account.id, id });
      return reply(200, presentEvent(found(event, 'Event', id)));
    },
  },
];
