import { type JsonSchema, schemaOf } from '../body/documented.ts';
import { type Method, mediaTypes } from '../framework/apiRequest.ts';
import { methodsOf, type Route } from '../framework/route.ts';
import { refTo, type Shape } from '../framework/shape.ts';
import { isResource } from '../framework/stored.ts';
import { errorResponses } from './errors.ts';
import { successHeaders } from './headers.ts';
import { isList, parametersOf } from './parameters.ts';
import type { Operation } from './types.ts';

/** The OpenAPI operation of a route under one of its methods. */
export function operationOf(route: Route, method: Method, tag: string): Operation {
  const [first] = methodsOf(route);
  const isRead = method === 'GET';
  const body = bodyOf(route);
  return {
    operationId: method === first ? route.operationId : `${route.operationId}By${method}`,
    tags: [tag],
    summary: route.summary,
    'x-permission': route.permission,
    parameters: parametersOf(route, method),
    ...(body ? { requestBody: body } : {}),
    responses: { ...success(route, method), ...errorResponses },
    security: securityOf(route, isRead),
  };
}

function securityOf({ ofPerson, keysOnly }: Route, isRead: boolean): Operation['security'] {
  if (ofPerson) return [{ session: [] }];
  return [{ apiKey: [] }, ...(keysOnly ? [] : [{ oauth: [isRead ? 'read' : 'read_write'] }])];
}

/** Name of the component schema of a route's body. */
export function bodyNameOf({ operationId }: Route): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Body`;
}

/** The body's schema. Fields without a description get that of the shape's field with the same name. Null for a body without fields. */
export function bodySchemaOf(route: Route): JsonSchema | null {
  if (!route.body) return null;
  const schema = schemaOf(route.body);
  if (Object.keys(objectIn(schema.properties)).length === 0) return null;
  const shape = route.bodyShape ?? ('kind' in route.answer ? route.answer.kind.shape : undefined);
  return { ...explained(schema, shape), ...(route.example ? { examples: [route.example] } : {}) };
}

/** Adds descriptions from the response to request fields of the same name, also in nested objects and lists. */
function explained(schema: JsonSchema, shape: Shape | undefined): JsonSchema {
  if (!shape || 'oneOf' in shape) return schema;
  if (schema.items) return { ...schema, items: explained(objectIn(schema.items), shape) };
  if (Array.isArray(schema.anyOf))
    return { ...schema, anyOf: schema.anyOf.map((option) => explained(objectIn(option), shape)) };
  if (!schema.properties) return schema;
  const shown = { ...shape.optional, ...shape.properties };
  const properties = Object.entries(objectIn(schema.properties)).map(([name, field]) => {
    const known = shown[name];
    const whole = explained(objectIn(field), known?.shapes?.[0]);
    const description = whole.description ?? known?.schema.description;
    return [name, description ? { ...whole, description } : whole] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

function bodyOf(route: Route): NonNullable<Operation['requestBody']> | null {
  const schema = bodySchemaOf(route);
  if (!schema) return null;
  const media = {
    schema: { $ref: `#/components/schemas/${bodyNameOf(route)}` },
    ...(route.example ? { examples: { [route.operationId]: { value: route.example } } } : {}),
  };
  const deep = Object.entries(objectIn(schema.properties)).filter(([, field]) => isDeep(objectIn(field)));
  const encoding = Object.fromEntries(deep.map(([name]) => [name, { style: 'deepObject', explode: true }]));
  return {
    required: 'required' in schema,
    content: {
      'application/json': media,
      'application/x-www-form-urlencoded': { ...media, ...(deep.length > 0 ? { encoding } : {}) },
      ...(route.takesFile ? { 'multipart/form-data': { schema: formOf(route, schema) } } : {}),
    },
  };
}

/** The form of an upload: the file, with the fields of the body if the route takes them beside it. */
function formOf({ takesFields }: Route, body: JsonSchema): JsonSchema {
  if (!takesFields) return upload;
  return { ...upload, properties: { ...objectIn(body.properties), ...objectIn(upload.properties) } };
}

/** Body of an upload. Parts other than the file are ignored. */
const upload: JsonSchema = {
  type: 'object',
  properties: {
    file: { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file, at most 25 MiB' },
  },
  required: ['file'],
};

function isDeep({ type }: JsonSchema): boolean {
  const types = Array.isArray(type) ? type : [type ?? ''];
  return types.includes('object') || types.includes('array');
}

const FILES = {
  pdf: { type: mediaTypes.pdf, schema: { type: 'string', format: 'binary' } },
  xml: { type: mediaTypes.xml, schema: { type: 'string' } },
  csv: { type: mediaTypes.csv, schema: { type: 'string' } },
  xlsx: { type: mediaTypes.xlsx, schema: { type: 'string', format: 'binary' } },
  file: { type: mediaTypes.file, schema: { type: 'string', format: 'binary' } },
} as const;

function success(route: Route, method: Method): Operation['responses'] {
  const { answer } = route;
  const isWrite = method !== 'GET' && !route.storesNothing;
  const headers = successHeaders({ isList: isList(answer), isWrite, isTagged: isTagged(route, isWrite) });
  if (!('kind' in answer)) return { 204: { description: 'Done', headers } };
  const { shape } = answer.kind;
  const one = isList(answer) || answer.isArray ? { type: 'array', items: refTo(shape) } : refTo(shape);
  const tried = answer.dryRun && { schema: refTo(answer.dryRun.shape) };
  const isEither = tried && answer.statusCode === 200;
  const schema = isEither ? { anyOf: [one, tried.schema] } : one;
  const shown = answer.example ? { examples: { [route.operationId]: { value: answer.example } } } : {};
  const content = {
    ...(route.hasNoJson ? {} : { 'application/json': { schema, ...shown } }),
    ...Object.fromEntries((route.media ?? []).map((medium) => [FILES[medium].type, { schema: FILES[medium].schema }])),
  };
  const usual = { [answer.statusCode]: { description: shape.description, headers, content } };
  if (!tried || isEither) return usual;
  return { 200: { description: 'Answer to a dry run', headers, content: { 'application/json': tried } }, ...usual };
}

/** Whether a response shows one object that has an ETag. */
function isTagged({ answer, stored }: Route, isWrite: boolean): boolean {
  if (!('kind' in answer) || answer.isArray || answer.isList) return false;
  return stored !== undefined || (isWrite && isResource(answer.kind));
}

function objectIn(value: unknown): JsonSchema;
function objectIn(value: unknown): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
