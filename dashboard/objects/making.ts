/** The request that makes an object such as one that exists, by the API's own description of itself (OpenAPI). */

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);

/** Two objects never share a number: a new one gets the next. */
const OWN = 'number';

/** The body of that request, without what is unset or usual. Null: the API makes no object of this list. */
export function bodyThatMakes(document: unknown, list: string, row: Fields): unknown {
  const schema = at(document, 'paths', `/${list}`, 'post', 'requestBody', 'content', 'application/json', 'schema');
  if (schema === undefined) return null;
  const { [OWN]: _, ...rest } = row;
  return taken(document, schema, rest) ?? {};
}

/** What a request takes of a value; undefined: nothing. */
function taken(document: unknown, given: unknown, value: unknown): unknown {
  const { anyOf = [given] } = isObject(given) ? given : {};
  const schemas = (Array.isArray(anyOf) ? anyOf : []).map((one) => resolved(document, one));
  if (value === null || value === undefined || value === at(given, 'default')) return undefined;
  if (Array.isArray(value)) {
    const items = at(
      schemas.find((one) => at(one, 'items') !== undefined),
      'items',
    );
    const entries = value.map((entry) => withoutId(taken(document, items, entry))).filter((one) => one !== undefined);
    return entries.length > 0 ? entries : undefined;
  }
  if (!isObject(value)) return value;
  return schemas.some(isReference) ? value.id : fieldsIn(document, schemas, value);
}

function fieldsIn(document: unknown, schemas: readonly unknown[], value: Fields): Fields | undefined {
  const properties = at(
    schemas.find((one) => at(one, 'properties') !== undefined),
    'properties',
  );
  const entries = isObject(properties)
    ? Object.entries(properties)
        .filter(([name]) => !(name.endsWith('_id') && name.slice(0, -3) in properties)) // an alias
        .map(([name, one]) => [name, taken(document, one, value[name])])
        .filter(([, one]) => one !== undefined)
    : Object.entries(value);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** An object of which a request names the id alone. */
function isReference(schema: unknown): boolean {
  const properties = at(schema, 'properties');
  return isObject(properties) && Object.keys(properties).join() === 'id';
}

/** An entry of a list, such as a line, gets an id of its own. */
function withoutId(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const { id: _, ...rest } = entry;
  return rest;
}

function resolved(document: unknown, schema: unknown): unknown {
  const reference = at(schema, '$ref');
  return typeof reference === 'string' ? at(document, ...reference.replace('#/', '').split('/')) : schema;
}
