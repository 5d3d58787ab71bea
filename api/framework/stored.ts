import { type Condition, condition, all as every } from '../../db/queries/kernel/sql.ts';
import type { Stored } from '../../db/queries/kernel/tags.ts';
import type { ApiRequest } from './apiRequest.ts';
import type { Kind } from './kind.ts';
import type { Owner, Resource } from './resource.ts';
import { methodsOf, pathId, pathKey, type Route } from './route.ts';

/** SQL condition for the rows that belong to the object in the path. */
export function belowOwner(request: ApiRequest, owner: Owner): Condition {
  return condition(`${owner.column} = ?`, pathId(request, owner.to().name, owner.param));
}

export function isResource(kind: Kind | null): kind is Resource<object> {
  return kind !== null && 'row' in kind && 'present' in kind;
}

/** The row of the object in the path. Throws Missing for a text that cannot be its id. */
export function storedInPath<Row extends object>(request: ApiRequest, resource: Resource<Row>): Stored {
  const below = resource.owner ? [belowOwner(request, resource.owner)] : [];
  return storedWith(
    request,
    resource,
    every([condition(`${resource.idColumn} = ?`, pathKey(request, resource)), ...below]),
  );
}

/** The row of an object that a response shows. Null: its kind has no rows. */
export function storedShown(request: ApiRequest, id: unknown): Stored | null {
  const kind = 'kind' in request.answer ? request.answer.kind : null;
  if (!isResource(kind) || (typeof id !== 'number' && typeof id !== 'string')) return null;
  return storedWith(request, kind, condition(`${kind.idColumn} = ?`, id));
}

function storedWith<Row extends object>(
  { caller }: ApiRequest,
  { row, from, exists, locked }: Resource<Row>,
  which: Condition,
): Stored {
  const lock = locked && { lock: locked(caller) };
  return { accountId: caller.account.id, row, from, where: every(exists ? [which, exists] : [which]), ...lock };
}

/**
 * Adds to the routes that write the route that reads the object of their path: `GET /invoices/:id` to `PATCH /invoices/:id` and to
 * `POST /invoices/:id/void`. Their requests may then have If-Match. `all`: the routes among which it looks.
 */
export function withReads(routes: readonly Route[], all = routes): Route[] {
  const reads = new Map(
    all.flatMap((route) => (methodsOf(route).includes('GET') && route.stored ? [[route.path, route] as const] : [])),
  );
  return routes.map((route) => {
    if (methodsOf(route).includes('GET') || route.storesNothing) return route;
    const reader = reads.get(route.path) ?? readerOfAction(route, reads);
    if (!reader?.stored) return route;
    return { ...route, reader, stored: route.stored ?? reader.stored };
  });
}

/** The route that reads what an action answers with. */
function readerOfAction(route: Route, reads: ReadonlyMap<string, Route>): Route | undefined {
  const reader = reads.get(route.path.replace(/\/[^/:]+$/, ''));
  const [own, read] = [route.answer, reader?.answer];
  if (!read || !('kind' in own) || !('kind' in read) || own.isArray || own.isList) return undefined;
  return own.kind === read.kind ? reader : undefined;
}
