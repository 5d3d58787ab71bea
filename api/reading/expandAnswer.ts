import type { Presented } from '../../billing/json.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import { type Reading, readingOf } from '../../db/queries/kernel/reading.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import type { Kind, PresentedKind, Wanted } from '../framework/kind.ts';
import type { Resource } from '../framework/resource.ts';
import { isResource } from '../framework/stored.ts';
import { expandPresented, expandRows, wantedBy } from './expand.ts';

type Body = Presented | Presented[] | null;

/** Adds the requested expansions and includes to a response body. For writes, and for reads whose object has no list. */
export async function expandAnswer(em: EntityManager, request: ApiRequest, body: Body): Promise<Body> {
  const { query, answer, caller } = request;
  const wanted = wantedBy(query, request);
  if (body === null || !('kind' in answer) || (wanted.expand.size === 0 && wanted.include.size === 0)) return body;
  const objects = Array.isArray(body) ? body : [body];
  const shown = await withAll(readingOf(em, caller.account.id), answer.kind, { objects, wanted });
  return Array.isArray(body) ? shown : (shown[0] ?? null);
}

async function withAll(
  reading: Reading,
  kind: Kind,
  asked: { objects: Presented[]; wanted: Wanted },
): Promise<Presented[]> {
  if (!kind.relations && !kind.parts && !kind.includes) return asked.objects;
  if (!isResource(kind)) return isShown(kind) ? expandPresented(reading, kind, asked) : asked.objects;
  const rows = await rowsOf(reading, kind, asked.objects);
  const there = asked.objects.filter((object) => rows.has(object));
  const shown = await expandRows(reading, kind, { ...asked, objects: there, rows: [...rows.values()] });
  return asked.objects.map((object) => shown[there.indexOf(object)] ?? object);
}

function isShown(kind: Kind): kind is PresentedKind {
  return kind.relations !== undefined;
}

/** The rows of presented objects. Objects whose rows have been deleted are missing. For a text id: the row that is not archived. */
async function rowsOf<Row extends object>(
  reading: Reading,
  { row, idColumn }: Resource<Row>,
  objects: readonly Presented[],
): Promise<Map<Presented, Plain<Row>>> {
  const ids = objects.map(({ id }) => String(id));
  const byCode = idColumn === 'code' ? await reading.byCode(row, ids) : new Map<string, Plain<Row>>();
  const byId = idColumn === 'id' ? await reading.byId(row, ids.map(Number)) : new Map<number, Plain<Row>>();
  const pairs = objects.flatMap((object, index) => {
    const found = byCode.get(ids[index] ?? '') ?? byId.get(Number(ids[index]));
    return found ? [[object, found] as const] : [];
  });
  return new Map(pairs);
}
