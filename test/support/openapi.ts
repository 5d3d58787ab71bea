import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiOf } from '../../api/openapi/document.ts';
import type { OpenApi, Operation, Parameter } from '../../api/openapi/types.ts';
import { routeGroups } from '../../api/resources/routes.ts';
import type { Answer } from './api.ts';

/** The OpenAPI document of the API that `startApi` starts. */
export const apiDocument = openApiOf(routeGroups, 'https://billing.example');

/** An operation of the document, with where it is. */
export interface Called {
  id: string;
  method: string;
  path: string;
  operation: Operation;
}

export function operationsOf(document: OpenApi): Called[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      return { id: operation.operationId, method: method.toUpperCase(), path, operation };
    }),
  );
}

/** Own keywords of the document. */
const keywords = ['x-ignored', 'x-fixed', 'x-not-supported-yet', 'x-empty-means', 'x-columns', 'x-paths', 'x-decimals'];

/** What an answer has that the document does not say, each as a line; nothing when it conforms. */
export type Judge = (operation: Operation, answer: Answer) => string[];

/** Compiles the document's schemas, strictly. */
function compilerOf(document: OpenApi): (schema: object) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  ajv.addVocabulary(keywords);
  const local = (schema: object) => JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'));
  for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(local(schema), name);
  return (schema) => ajv.compile(local(schema));
}

/** Components and answers with an example that is not one of theirs. */
export function misfits(document: OpenApi): string[] {
  const compile = compilerOf(document);
  const components = Object.entries(document.components.schemas).map(([name, schema]) => {
    return { name, schema, examples: Array.isArray(schema.examples) ? schema.examples : [] };
  });
  const media = operationsOf(document).flatMap(({ id, operation }) =>
    Object.values(operation.responses).flatMap((response) => {
      const shown = '$ref' in response ? undefined : response.content?.['application/json'];
      const examples = Object.values(shown?.examples ?? {}).map(({ value }) => value);
      return shown ? [{ name: id, schema: shown.schema, examples }] : [];
    }),
  );
  return [...components, ...media].flatMap(({ name, schema, examples }) => {
    const validate = compile(schema);
    return examples.every((example) => validate(example)) ? [] : [`${name}: ${JSON.stringify(validate.errors)}`];
  });
}

export function judgeOf(document: OpenApi): Judge {
  const compile = compilerOf(document);
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (schema: object): ValidateFunction => {
    const text = JSON.stringify(schema);
    const known = validators.get(text) ?? compile(schema);
    validators.set(text, known);
    return known;
  };
  return (operation, answer) => {
    const found = operation.responses[answer.status];
    if (found === undefined) return [`status ${answer.status} is not documented`];
    const response = '$ref' in found ? resolved(document.components.responses, found.$ref) : found;
    const missing = Object.entries(response.headers).flatMap(([name, { $ref }]) => {
      const { required } = resolved(document.components.headers, $ref) as { required: boolean };
      return required && !answer.headers.has(name) ? [`header ${name} is missing`] : [];
    });
    const schema = response.content?.['application/json']?.schema;
    if (!schema) return [...missing, ...(answer.body === null ? [] : ['there is a body'])];
    const type = answer.headers.get('Content-Type') ?? '';
    const validate = validatorOf(schema);
    const wrong = validate(answer.body) ? [] : (validate.errors ?? []);
    return [
      ...missing,
      ...(type.startsWith('application/json') ? [] : [`Content-Type ${type}`]),
      ...wrong.map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`),
    ];
  };
}

/** Parameters of one place, those of all operations too. */
export function parametersIn(document: OpenApi, operation: Operation, place: Parameter['in']): Parameter[] {
  return operation.parameters
    .map((one) => ('$ref' in one ? resolved(document.components.parameters, one.$ref) : one))
    .filter((parameter) => parameter.in === place);
}

/** Fields of an operation's body, by name; none where it has none. */
export function propertiesOf(document: OpenApi, operation: Operation): Record<string, Record<string, unknown>> {
  const schema = operation.requestBody?.content['application/json']?.schema ?? {};
  const body = '$ref' in schema ? resolved(document.components.schemas, String(schema.$ref)) : schema;
  return ('properties' in body ? body.properties : {}) as Record<string, Record<string, unknown>>;
}

function resolved<Value>(components: Record<string, Value>, ref: string): Value {
  const found = components[ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`the document does not have ${ref}`);
  return found;
}
