import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiOf } from '../../api/openapi/document.ts';
import type { OpenApi, Operation, Parameter } from '../../api/openapi/types.ts';
import { routeGroups } from '../../api/resources/routes.ts';
import type { Answer } from './api.ts';

/** The OpenAPI document of the API that `startApi` starts. */
export const apiDocument = openApiOf(routeGroups, 'https://billing.example');

/** An operation of the document, with its method and path. */
export interface LocatedOperation {
  id: string;
  method: string;
  path: string;
  operation: Operation;
}

export function operationsOf(document: OpenApi): LocatedOperation[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      return { id: operation.operationId, method: method.toUpperCase(), path, operation };
    }),
  );
}

/** Whether an operation is only for the session of a person. */
export const isOfPerson = ({ operation }: Pick<LocatedOperation, 'operation'>): boolean =>
  operation.security.every((one) => 'session' in one);

/** The operations that keys may use. `test/api/people/ownSessions.test.ts` tests those of persons. */
export const operationsOfKeys = operationsOf(apiDocument).filter((one) => !isOfPerson(one));

/** Custom keywords of the document. */
const keywords = ['x-ignored', 'x-fixed', 'x-not-supported-yet', 'x-empty-means', 'x-columns', 'x-paths', 'x-decimals'];

/** The violations of the document in an answer, one line each. Empty: the answer conforms. */
export type ConformanceCheck = (operation: Operation, answer: Answer) => string[];

/** Compiles schemas of the document in strict mode. */
function compilerOf(document: OpenApi): (schema: object) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  ajv.addVocabulary(keywords);
  formats.default(ajv, ['date']);
  const local = (schema: object) => JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'));
  for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(local(schema), name);
  return (schema) => ajv.compile(local(schema));
}

/** Components and answers whose examples do not match their schema. */
export function invalidExamples(document: OpenApi): string[] {
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

export function conformanceCheckOf(document: OpenApi): ConformanceCheck {
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
    const response = '$ref' in found ? resolve(document.components.responses, found.$ref) : found;
    const missing = Object.entries(response.headers).flatMap(([name, { $ref }]) => {
      const { required } = resolve(document.components.headers, $ref) as { required: boolean };
      return required && !answer.headers.has(name) ? [`header ${name} is missing`] : [];
    });
    const schema = response.content?.['application/json']?.schema;
    const hasBody = response.content !== undefined;
    if (!schema) return [...missing, ...(answer.body === null || hasBody ? [] : ['there is a body'])];
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

/** Parameters of an operation in one place (path, query or header), including shared ones. */
export function parametersIn(document: OpenApi, operation: Operation, place: Parameter['in']): Parameter[] {
  return operation.parameters
    .map((one) => ('$ref' in one ? resolve(document.components.parameters, one.$ref) : one))
    .filter((parameter) => parameter.in === place);
}

/** The status of success. The status of a dry run, 200, comes before that of a creation. */
export function successOf({ responses }: Operation): number {
  const statuses = Object.keys(responses).map(Number);
  return Math.max(...statuses.filter((status) => status < 300));
}

/** Whether an operation takes an Idempotency-Key. */
export function takesKey(document: OpenApi, operation: Operation): boolean {
  return parametersIn(document, operation, 'header').some(({ name }) => name === 'Idempotency-Key');
}

/** Fields of an operation's body by name. Empty: the operation has no body. */
export function propertiesOf(document: OpenApi, operation: Operation): Record<string, Record<string, unknown>> {
  const schema = operation.requestBody?.content['application/json']?.schema ?? {};
  const body = '$ref' in schema ? resolve(document.components.schemas, String(schema.$ref)) : schema;
  return ('properties' in body ? body.properties : {}) as Record<string, Record<string, unknown>>;
}

function resolve<Value>(components: Record<string, Value>, ref: string): Value {
  const found = components[ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`the document does not have ${ref}`);
  return found;
}
