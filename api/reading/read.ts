import { Missing } from '../../commands/kernel/missing.ts';
import { all, condition } from '../../db/queries/kernel/condition.ts';
import { readingOf } from '../../db/queries/kernel/reading.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { belowOwner } from '../framework/owner.ts';
import type { Resource } from '../framework/resource.ts';
import { pathKey, type Reply, reply } from '../framework/route.ts';
import { presentRows, wantedBy } from './expand.ts';

/** Responds with the object in the path, with the requested expansions and includes. Throws Missing when there is none. */
export async function read<Row extends object>(request: ApiRequest, resource: Resource<Row>): Promise<Reply> {
  const { row, from, name, idColumn, exists = condition('true') } = resource;
  const id = pathKey(request, resource);
  const reading = readingOf(request.em, request.caller.account.id);
  const below = resource.owner ? [belowOwner(request, resource.owner)] : [];
  const where = all([condition(`${idColumn} = ?`, id), exists, ...below]);
  const found = await reading.slice({ row, from, where, order: [], limit: 1, offset: 0 });
  if (found.length === 0) throw new Missing(name, id);
  const rows = found.map((placed) => placed.row);
  const [presented = {}] = await presentRows(reading, resource, { rows, wanted: wantedBy(request.query) });
  return reply(200, presented);
}
