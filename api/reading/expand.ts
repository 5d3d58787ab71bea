import type { Json, Presented } from '../../billing/json.ts';
import { type Caller, requirePermission } from '../../commands/kernel/caller.ts';
import { mapBreathing } from '../../db/fairness/breather.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Reading } from '../../db/queries/kernel/reading.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import type { Key, Kind, Part, PresentedKind, Relation, Wanted } from '../framework/kind.ts';
import type { Resource } from '../framework/resource.ts';

/** Parses `expand=customer,subscription.plan&include=applied_to`. Unknown names are ignored. */
export function wantedBy(
  query: URLSearchParams,
  request?: Pick<ApiRequest, 'caller'> & { deps: Pick<ApiRequest['deps'], 'systemNow'> },
): Wanted {
  const paths = namesOf(query, 'expand').map((path) => path.split('.'));
  const at = request ? { at: { now: request.deps.systemNow(), account: request.caller.account } } : {};
  return { expand: tree(paths), include: new Set(namesOf(query, 'include')), ...at };
}

/** Refuses a request for expansions and includes whose objects its caller may not read. */
export function refuseUnreadable({ query, caller, answer }: ApiRequest): void {
  if ('kind' in answer) refuseBelow(caller, answer.kind, wantedBy(query));
}

/** Refuses expansions and includes of a kind of object that the caller may not read. */
export function refuseBelow(caller: Caller, kind: Kind, { expand, include }: Wanted): void {
  const { relations = {}, parts = {}, includes = {} } = kind;
  for (const [name, { area }] of Object.entries(includes)) {
    if (include.has(name)) requirePermission(caller, `${area}.read`, `include=${name}`);
  }
  for (const [name, inner] of expand) {
    const found = [relations, parts].flatMap((all) => (Object.hasOwn(all, name) ? (all[name]?.to() ?? []) : []));
    for (const to of found) {
      if (to.area) requirePermission(caller, `${to.area}.read`, `expand=${name}`);
      refuseBelow(caller, to, inner);
    }
  }
}

/** More paths and deeper paths are ignored. There are fewer relations to follow. */
const MOST_PATHS = 50;
const DEEPEST = 5;

function namesOf(query: URLSearchParams, parameter: string): string[] {
  const names = query
    .getAll(parameter)
    .concat(query.getAll(`${parameter}[]`))
    .join(',')
    .split(',');
  return names
    .slice(0, MOST_PATHS)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function tree(paths: readonly string[][], depth = 1): Map<string, Wanted> {
  const byFirst = Map.groupBy(paths, ([name = '']) => name);
  return new Map(
    [...byFirst].map(([name, members]) => {
      const rest = members.map((path) => path.slice(1)).filter((path) => path.length > 0);
      return [name, { expand: depth < DEEPEST ? tree(rest, depth + 1) : new Map(), include: new Set<string>() }];
    }),
  );
}

/** Presents rows with the requested expansions. The number of statements does not depend on the number of rows. */
export async function presentRows<Row extends object>(
  reading: Reading,
  resource: Resource<Row>,
  { rows, wanted }: { rows: readonly Plain<Row>[]; wanted: Wanted },
): Promise<Presented[]> {
  return expandRows(reading, resource, { rows, objects: await resource.present(reading, rows), wanted });
}

/** Adds expansions and includes to presented rows. `objects` has the presented rows in the order of `rows`. */
export async function expandRows<Row extends object>(
  reading: Reading,
  { includes = {}, relations = {}, parts = {} }: Pick<Resource<Row>, 'includes' | 'relations' | 'parts'>,
  { rows, objects, wanted }: { rows: readonly Plain<Row>[]; objects: readonly Presented[]; wanted: Wanted },
): Promise<Presented[]> {
  let shown = [...objects];
  for (const [name, include] of Object.entries(includes)) {
    if (!wanted.include.has(name) || shown.every((object) => name in object)) continue;
    const values = await include.read(reading, rows, wanted.at);
    shown = shown.map((object, index) => ({ ...object, [name]: values[index] ?? null }));
  }
  shown = await replaceIds(reading, relations, { of: rows, objects: shown, wanted });
  return withParts(reading, parts, { objects: shown, wanted });
}

/** Expands objects that are already presented. Takes the ids from the objects, because their rows are not at hand. */
export async function expandPresented(
  reading: Reading,
  { relations, parts = {} }: PresentedKind,
  { objects, wanted }: { objects: readonly Presented[]; wanted: Wanted },
): Promise<Presented[]> {
  return withParts(reading, parts, {
    objects: await replaceIds(reading, relations, { of: objects, objects, wanted }),
    wanted,
  });
}

/** Replaces the ids that the request expands by their objects. */
async function replaceIds<Of>(
  reading: Reading,
  relations: Readonly<Record<string, Relation<Of>>>,
  { of, objects, wanted }: { of: readonly Of[]; objects: readonly Presented[]; wanted: Wanted },
): Promise<Presented[]> {
  let shown = [...objects];
  for (const [name, relation] of Object.entries(relations)) {
    const inner = wanted.expand.get(name);
    if (inner === undefined) continue;
    const keys = await mapBreathing(of.entries(), ([index, one]) =>
      isObject(shown[index]?.[name]) ? null : relation.keyOf(one),
    );
    const known = keys.filter((key) => key !== null);
    const found = known.length === 0 ? new Map<Key, Presented>() : await relation.load(reading, known, inner);
    shown = await mapBreathing(shown.entries(), ([index, object]) => put(object, name, found.get(keys[index] ?? 0)));
  }
  return shown;
}

function put(object: Presented, name: string, value: Presented | undefined): Presented {
  return value === undefined ? object : { ...object, [name]: value };
}

async function withParts(
  reading: Reading,
  parts: Readonly<Record<string, Part>>,
  { objects, wanted }: { objects: readonly Presented[]; wanted: Wanted },
): Promise<Presented[]> {
  let shown = [...objects];
  for (const [name, part] of Object.entries(parts)) {
    const inner = wanted.expand.get(name);
    if (inner === undefined) continue;
    const within = await mapBreathing(shown, (object) => [object[name] ?? []].flat().filter(isObject));
    const more = await expandPresented(reading, part.to(), { objects: within.flat(), wanted: inner });
    let next = 0;
    shown = await mapBreathing(shown.entries(), ([index, object]) => {
      const from = next;
      next += within[index]?.length ?? 0;
      const members = more.slice(from, next);
      return Array.isArray(object[name]) ? { ...object, [name]: members } : put(object, name, members[0]);
    });
  }
  return shown;
}

function isObject(value: Json | undefined): value is Presented {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A relation to one object of a resource. `to` is a function, because resources refer to one another. */
export function relation<Of, Target extends object>(
  to: () => Resource<Target>,
  keyOf: (of: Of) => Key | null,
): Relation<Of> {
  return {
    to,
    keyOf,
    load: async (reading, keys, wanted) => {
      const { row } = to();
      const byId = await reading.byId(
        row,
        keys.filter((key) => typeof key === 'number'),
      );
      const byCode = await reading.byCode(
        row,
        keys.filter((key) => typeof key === 'string'),
      );
      const found = new Map<Key, Plain<Target>>([...byId, ...byCode]);
      const presented = await presentRows(reading, to(), { rows: [...found.values()], wanted });
      return new Map([...found.keys()].map((key, index) => [key, presented[index] ?? {}]));
    },
  };
}

/** A relation whose id is taken from a field of the presented object. */
export function presentedRelation<Target extends object>(
  to: () => Resource<Target>,
  field: string,
): Relation<Presented> {
  return relation(to, ({ [field]: id }: Presented) => (typeof id === 'number' || typeof id === 'string' ? id : null));
}
