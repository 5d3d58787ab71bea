import { Missing } from '../../commands/kernel/missing.ts';
import { readingOf } from '../../db/queries/kernel/reading.ts';
import { all, condition } from '../../db/queries/kernel/sql.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import type { Owner, Resource } from '../framework/resource.ts';
import { pathId, pathKey, type Reply, reply } from '../framework/route.ts';
import { belowOwner } from '../framework/stored.ts';
import { presentRows, wantedBy } from './expand.ts';

/** Throws Missing unless the object in the path exists. */
export async function findOwner(request: ApiRequest, owner: Owner): Promise<void> {
  const { name, row, exists } = owner.to();
  const id = pathId(request, name, owner.param);
  const where = exists ? condition(`id = ? and ${exists.sql}`, id, ...exists.values) : condition('id = ?', id);
  if ((await readingOf(request.em, request.caller.account.id).count({ row, where }, 1)) === 0)
    throw new Missing(name, id);
}

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
  const [presented = {}] = await presentRows(reading, resource, { rows, wanted: wantedBy(request.query, request) });
  return reply(200, presented);
}
