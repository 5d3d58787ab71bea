import { Refusal } from '../../../billing/refusal.ts';
import { positionOf } from '../../../db/queries/events/events.ts';
import * as fields from '../../body/fields.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { readParameter } from '../../framework/resource.ts';
import type { Route } from '../../framework/route.ts';
import { list } from '../../reading/list.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { events, feedAfter } from './resource.ts';

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
