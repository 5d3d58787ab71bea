import type { Json, Presented } from '../../billing/json.ts';
import { unknownName } from '../../billing/money/nearest.ts';
import { Refusal } from '../../billing/refusal.ts';
import { currentOwner, withOwner } from '../../db/tenant.ts';
import { csvLine, member } from '../../present/kernel/values.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { CUSTOM_FIELDS, format } from '../framework/parameters.ts';
import { type Resource, readParameter } from '../framework/resource.ts';
import type { Reply } from '../framework/route.ts';
import type { Property } from '../framework/shape.ts';
import { type CustomFields, customField } from './customFields.ts';

/** Whether a request asks for CSV, by its parameter or its Accept header. */
export function wantsCsv({ query, medium }: Pick<ApiRequest, 'query' | 'medium'>): boolean {
  const asked = query.get('format') ?? '';
  return asked === '' ? medium === 'csv' : readParameter(format, asked, 'format') === 'csv';
}

/** Objects that are read at once. */
export const SLICE = 1000;
const MOST_COLUMNS = 100;

type Properties = Readonly<Record<string, Property | undefined>>;

/** A column: the path to a value in the object, such as `metadata.order` or `balances.usd.overdue`. */
export interface Column {
  name: string;
  path: readonly string[];
  isTime: boolean;
}

/** Reads the columns that a request names; by default all fields with a single value. Throws a Refusal for unknown ones. */
export function columnsIn<Row extends object>(
  query: URLSearchParams,
  { shape, includes = {}, csvColumns }: Pick<Resource<Row>, 'shape' | 'includes' | 'csvColumns'>,
  customFields: CustomFields | null,
): Column[] {
  const { properties = {}, optional = {} } = 'oneOf' in shape ? (shape.oneOf[0] ?? {}) : shape;
  const known: Properties = { ...properties, ...optional };
  const isOfCustomField = ([first]: readonly string[]) => customFields !== null && first === CUSTOM_FIELDS;
  const columnOf = (name: string): Column => {
    const path = name.split('.');
    if (isOfCustomField(path)) return { name, path: ['metadata', path[1] ?? ''], isTime: false };
    return { name, path, isTime: propertyAt(known, path)?.isTime === true };
  };
  const text = query.get('columns') ?? '';
  if (text === '' && csvColumns) return csvColumns.map(columnOf);
  if (text === '')
    return Object.keys(properties)
      .filter((name) => isSingle(properties[name]))
      .map(columnOf);
  const names = text.split(',').map((name) => name.trim());
  if (names.length > MOST_COLUMNS)
    throw new Refusal('parameter_invalid', `columns may have at most ${MOST_COLUMNS} names`, 'columns');
  for (const path of names.map((name) => name.split('.')))
    if (customFields && isOfCustomField(path)) customField(customFields, path.slice(1).join('.'), 'columns');
  const all = [...Object.keys(known), ...Object.keys(includes), ...(customFields ? [CUSTOM_FIELDS] : [])];
  const spread = names.find((name) => includes[name.split('.')[0] ?? '']?.entries && name.split('.')[1] === EACH);
  if (spread !== undefined)
    throw new Refusal('parameter_invalid', `${spread}: only lists take ${EACH} here; name an entry`, 'columns');
  const unknown = names.find((name) => !all.includes(name.split('.')[0] ?? ''));
  if (unknown === undefined) return names.map(columnOf);
  throw new Refusal('parameter_invalid', unknownName('column', unknown, all), 'columns');
}

/** Stands in a column for each entry that lists have. */
const EACH = '*';

/** The query with each column such as `balances.*.overdue` replaced by one for each currency. */
export async function withEntries<Row extends object>(
  request: Pick<ApiRequest, 'em' | 'caller' | 'query'>,
  { includes = {} }: Pick<Resource<Row>, 'includes'>,
): Promise<URLSearchParams> {
  const text = request.query.get('columns') ?? '';
  if (!text.includes(EACH)) return request.query;
  const names: string[] = [];
  const found = new Map<string, string[]>(); // read once, however many columns ask for them
  for (const name of text.split(',')) {
    const [first = '', entry, ...path] = name.trim().split('.');
    const read = entry === EACH ? includes[first]?.entries : undefined;
    if (!read) {
      names.push(name);
      continue;
    }
    const entries = found.get(first) ?? (await read(request));
    found.set(first, entries);
    names.push(...entries.map((one) => [first, one, ...path].join('.')));
  }
  const query = new URLSearchParams(request.query);
  query.set('columns', names.join());
  return query;
}

/** The field that a path leads to. */
function propertyAt(known: Properties, [first = '', ...path]: readonly string[]): Property | undefined {
  const property = known[first];
  const [inner] = property?.shapes ?? [];
  if (path.length === 0) return property;
  if (!inner || 'oneOf' in inner) return undefined;
  const [, ...inEntry] = path;
  return propertyAt({ ...inner.properties, ...inner.optional }, property?.schema.type === 'array' ? inEntry : path);
}

/** Whether a field has a text, a number or a flag, and no object or list. */
function isSingle(property: Property | undefined): boolean {
  const { type } = property?.schema ?? {};
  const types = Array.isArray(type) ? type : [type];
  return types.every((one) => ['string', 'number', 'integer', 'boolean', 'null'].includes(String(one)));
}

/** The first line of a CSV. */
export function csvHeading(columns: readonly Column[]): string {
  return csvLine(columns.map((column) => column.name));
}

/** Objects as lines of CSV. */
export function csvLines(columns: readonly Column[], objects: readonly Presented[]): string {
  return objects.map((object) => csvLine(columns.map((column) => cellIn(object, column)))).join('');
}

/** Responds with all objects of a list as CSV. `next` reads the next slice of them; an empty one is the last. */
export function csvReply(name: string, columns: readonly Column[], next: () => Promise<Presented[]>): Reply {
  const lines = async function* () {
    yield csvHeading(columns);
    for (let slice = await next(); slice.length > 0; slice = await next()) yield csvLines(columns, slice);
  };
  return { statusCode: 200, json: null, csv: { name: `${name}.csv`, lines: lines() } };
}

/** Runs work for the account and the owner limit of the present request, also after its answer has begun. */
export function confinedLikeNow(accountId: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const ownerId = currentOwner();
  return (work) => withOwner(accountId, ownerId, work);
}

/** A cell: times in ISO 8601, objects and lists as JSON. */
function cellIn(object: Presented, { path, isTime }: Column): string | number | null {
  let value: Json | undefined = object;
  for (const key of path) value = Array.isArray(value) ? inCurrency(value, key) : member(value, key);
  if (isTime && typeof value === 'number') return new Date(value * 1000).toISOString();
  if (typeof value === 'string' || typeof value === 'number') return value;
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/** The entry of a list for a currency. */
function inCurrency(list: readonly Json[], currency: string): Json | undefined {
  return list.find((one) => member(one, 'currency') === currency);
}
