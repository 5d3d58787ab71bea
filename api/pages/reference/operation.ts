import type { Json } from '../../../billing/json.ts';
import type { JsonSchema } from '../../body/documented.ts';
import type { OpenApi, Operation, Parameter } from '../../openapi/types.ts';
import { objectOf, type Row, rowsOf, table } from './fields.ts';
import { codeBlock, escapeHtml, jsonHtml, sentence } from './html.ts';

/** An operation with its place in the document. */
export interface Placed {
  operation: Operation;
  method: string;
  path: string;
}

/** The parameters, body and answers of an operation, with examples. */
export function operationHtml(api: OpenApi, placed: Placed): string {
  const { operation, method, path } = placed;
  const parameters = operation.parameters.flatMap((one) => ('$ref' in one ? [] : [one]));
  const body = bodySchema(api, operation);
  const said = [
    table('In the path', rowsIn(parameters, 'path')),
    table('In the query', rowsIn(parameters, 'query')),
    table('In the body', body ? rowsOf(body) : []),
    ignoredHtml(body),
    answersHtml(placed),
  ];
  return `<article id="${operation.operationId}"><div class="said"><h3>${sentence(operation.summary)}</h3>
<p class="address">${methodHtml(method)} <code>${pathHtml(path)}</code></p>${said.join('')}</div>
<div class="shown">${codeBlock('Request', curlHtml(api, placed))}${answerExample(api, operation)}</div></article>`;
}

export function methodHtml(method: string): string {
  return `<span class="method ${method}">${method.toUpperCase()}</span>`;
}

/** Lets long paths break at their slashes. */
function pathHtml(path: string): string {
  return escapeHtml(path)
    .replaceAll('/', '<wbr>/')
    .replace(/\{\w+\}/g, '<var>$&</var>');
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

function ignoredHtml(body: JsonSchema | null): string {
  const later = body?.['x-not-supported-yet'];
  if (!Array.isArray(later)) return '';
  const names = later.map((name) => `<code>${escapeHtml(String(name))}</code>`).join(', ');
  return `<p class="note">Not supported yet, and refused unless they have their default: ${names}.</p>`;
}

function answersHtml({ operation, method }: Placed): string {
  const [status = '', answer] = Object.entries(operation.responses)[0] ?? [];
  const schema = answer && 'content' in answer ? answer.content?.['application/json']?.schema : undefined;
  const name = schema ? nameOf(String(schema.$ref ?? objectOf(schema.items).$ref)) : '';
  const link = `<a href="#object-${name}">${name}</a>`;
  const what = schema === undefined ? 'nothing' : schema.type === 'array' ? `a list of ${link}` : link;
  const failures = Object.keys(operation.responses).filter((code) => code !== status);
  const scope = method === 'get' ? 'read' : 'read_write';
  return `<p class="note"><b>${status}</b> ${what}. Fails with <a href="#errors">${failures.join(', ')}</a>. Scope <code>${scope}</code>.</p>`;
}

function curlHtml(api: OpenApi, { operation, method, path }: Placed): string {
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
    ...(method === 'get' ? [] : ['-H "Idempotency-Key: $(uuidgen)"']),
  ];
  const head = lines.map(escapeHtml).join(' \\\n  ');
  if (!example) return head;
  return `${head} \\\n  -H &quot;Content-Type: application/json&quot; \\\n  -d '${jsonHtml(example.value)}'`;
}

function answerExample(api: OpenApi, operation: Operation): string {
  const [status = '', answer] = Object.entries(operation.responses)[0] ?? [];
  const media = answer && 'content' in answer ? answer.content?.['application/json'] : undefined;
  const schema = media?.schema;
  if (!schema) return codeBlock(`Answer: ${status}`, '');
  const isList = schema.type === 'array';
  const own = Object.values(media?.examples ?? {})[0]?.value;
  const example = own ?? exampleOfRef(api, String(isList ? objectOf(schema.items).$ref : schema.$ref));
  return codeBlock(`Answer: ${status}`, jsonHtml(isList ? [example] : example));
}

/** The example of a component; for a union, that of its first member. */
function exampleOfRef(api: OpenApi, ref: string): Json {
  const schema = api.components.schemas[nameOf(ref)] ?? {};
  if (Array.isArray(schema.examples)) return schema.examples[0] ?? null;
  const [first] = Array.isArray(schema.oneOf) ? schema.oneOf : [];
  return first === undefined ? null : exampleOfRef(api, String(objectOf(first).$ref));
}
