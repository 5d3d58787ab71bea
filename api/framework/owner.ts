import { Missing } from '../../commands/kernel/missing.ts';
import { type Condition, condition } from '../../db/queries/kernel/condition.ts';
import { readingOf } from '../../db/queries/kernel/reading.ts';
import type { ApiRequest } from './apiRequest.ts';
import type { Owner } from './resource.ts';
import { pathId } from './route.ts';

/** SQL condition for the rows that belong to the object in the path. */
export function belowOwner(request: ApiRequest, owner: Owner): Condition {
  return condition(`${owner.column} = ?`, pathId(request, owner.to().name, owner.param));
}

/** Throws Missing unless the object in the path exists. */
export async function findOwner(request: ApiRequest, owner: Owner): Promise<void> {
  const { name, row, exists } = owner.to();
  const id = pathId(request, name, owner.param);
  const where = exists ? condition(`id = ? and ${exists.sql}`, id, ...exists.values) : condition('id = ?', id);
  if ((await readingOf(request.em, request.caller.account.id).count({ row, where }, 1)) === 0)
    throw new Missing(name, id);
}
