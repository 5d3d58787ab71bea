import type { Json } from '../../../billing/json.ts';
import type { JsonSchema } from '../../body/documented.ts';
import type { OpenApi, Operation, Parameter, Response } from '../../openapi/types.ts';
import { type Html, html } from '../kit/html.ts';
import { objectOf, type Row, refHtml, rowsOf, table } from './fields.ts';
import { codeBlock, jsonHtml, sentence } from './html.ts';

/** An operation with its method and path in the OpenAPI document. */
export interface Placed {
  operation: Operation;
  method: string;
  path: string;
}

/** The parameters, body and responses of an operation, with examples. */
export function operationHtml(api: OpenApi, placed: Placed): Html {
  const { operation, method, path } = placed;
  const parameters = operation.parameters.flatMap((one) => ('$ref' in one ? [] : [one]));
  const body = bodySchema(api, operation);
  const said = [
    table('Path parameters', rowsIn(parameters, 'path')),
    table('Query parameters', rowsIn(parameters, 'query')),
    table('Body', body ? rowsOf(body) : []),
    ignoredHtml(body),
    answersHtml(placed),
  ];
  return html`<article id="${operation.operationId}"><div class="said"><h3>${sentence(operation.summary)}</h3>
<p class="address">${methodHtml(method)} <code>${pathHtml(path)}</code></p>${said.map((part) => html`${part}`)}</div>
<div class="shown">${codeBlock('Request', curlHtml(api, placed))}${answerExample(api, operation)}</div></article>`;
}

export function methodHtml(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

/** A path with break opportunities at its slashes. */
function pathHtml(path: string): Html {
  const parts = path.split('/').map((part) => (part.startsWith('{') ? html`<var>${part}</var>` : html`${part}`));
  return html`${parts.map((part, index) => (index === 0 ? part : html`<wbr>/${part}`))}`;
}

function rowsIn(parameters: readonly Parameter[], place: Parameter['in']): Row[] {
  return parameters
    .filter((parameter) => parameter.in === place)
    .flatMap(({ name, schema, description, required: isRequired, style }): Row[] => {
      if (style !== 'deepObject' || !schema.properties) return [{ name, schema, description, isRequired }];
      return rowsOf(schema).map((row) => ({ ...row, name: `${name}[${row.name}]` }));
    });
}

function bodySchema({ components }: OpenApi, { requestBody }: Operation): JsonSchema | null {
  const ref = requestBody?.content['application/json']?.schema.$ref;
  return typeof ref === 'string' ? (components.schemas[nameOf(ref)] ?? null) : null;
}

function nameOf(ref: string): string {
  return ref.split('/').at(-1) ?? '';
}

function ignoredHtml(body: JsonSchema | null): Html | null {
  const later = body?.['x-not-supported-yet'];
  if (!Array.isArray(later)) return null;
  const names = later.map((name) => `\`${name}\``).join(', ');
  return html`<p class="note">${sentence(`Not supported yet; only the default value is accepted: ${names}.`)}</p>`;
}

function answersHtml({ operation, method }: Placed): Html {
  const successes = successesOf(operation).map(([status, answer]) => html`<b>${status}</b> ${contentHtml(answer)}. `);
  const failures = Object.keys(operation.responses).filter((status) => !isSuccess(status));
  const scope = method === 'get' ? 'read' : 'read_write';
  const held = operation['x-permission'];
  const permission = held === null ? null : html`, permission <code>${held}</code>`;
  return html`<p class="note">${successes}Fails with <a href="#errors">${failures.join(', ')}</a>. Scope <code>${scope}</code>${permission}.</p>`;
}

const isSuccess = (status: string) => status.startsWith('2');

/** The responses of success. The usual one comes last: before it, a creation has that to a dry run. */
function successesOf({ responses }: Operation): [status: string, answer: Response | undefined][] {
  const successes = Object.entries(responses).filter(([status]) => isSuccess(status));
  return successes.map(([status, answer]) => [status, 'content' in answer ? answer : undefined]);
}

/** Links to the objects of a response. */
function contentHtml(answer: Response | undefined): Html {
  const schema = answer?.content?.['application/json']?.schema;
  if (!schema) return html`nothing`;
  if (schema.type === 'array') return html`a list of ${refHtml(refIn(schema.items))}`;
  const options = Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
  return html`${options.map((option, index) => html`${index === 0 ? null : ' or '}${refHtml(refIn(option))}`)}`;
}

function refIn(schema: unknown): string {
  return String(objectOf(schema).$ref);
}

function curlHtml(api: OpenApi, { operation, method, path }: Placed): Html {
  const { parameters, requestBody } = operation;
  const filled = parameters.reduce((text, parameter) => {
    if ('$ref' in parameter || parameter.in !== 'path') return text;
    const [example = 1] = Array.isArray(parameter.schema.examples) ? parameter.schema.examples : [];
    return text.replace(`{${parameter.name}}`, String(example));
  }, path);
  const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  const lines = [
    `curl${method === 'get' || (method === 'post' && example) ? '' : ` -X ${method.toUpperCase()}`} ${api.servers[1]?.url}${filled}`,
    '-u "$KEY:"',
    ...(hasKey(operation) ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
  ];
  const head = lines.join(' \\\n  ');
  if (!example) return html`${head}`;
  return html`${head} \\\n  -H "Content-Type: application/json" \\\n  -d '${jsonHtml(example.value)}'`;
}

function hasKey({ parameters }: Operation): boolean {
  return parameters.some((parameter) => '$ref' in parameter && nameOf(parameter.$ref) === 'IdempotencyKey');
}

function answerExample(api: OpenApi, operation: Operation): Html {
  const [status = '', answer] = successesOf(operation).at(-1) ?? [];
  const media = answer?.content?.['application/json'];
  const schema = media?.schema;
  if (!schema) return codeBlock(`Answer: ${status}`, '');
  const isList = schema.type === 'array';
  const own = Object.values(media?.examples ?? {})[0]?.value;
  const [either = schema] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const example = own ?? exampleOfRef(api, refIn(isList ? schema.items : either));
  return codeBlock(`Answer: ${status}`, jsonHtml(isList ? [example] : example));
}

/** The example of a component schema. For a union: that of its first member. */
function exampleOfRef(api: OpenApi, ref: string): Json {
  const schema = api.components.schemas[nameOf(ref)] ?? {};
  if (Array.isArray(schema.examples)) return schema.examples[0] ?? null;
  const [first] = Array.isArray(schema.oneOf) ? schema.oneOf : [];
  return first === undefined ? null : exampleOfRef(api, String(objectOf(first).$ref));
}
