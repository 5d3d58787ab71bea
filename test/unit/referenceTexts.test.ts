import { expect, test } from '@jest/globals';
import type { JsonSchema } from '../../api/body/documented.ts';
import { operators } from '../../api/framework/operators.ts';
import type { OpenApi } from '../../api/openapi/types.ts';
import { apiDocument, operationsOf } from '../support/openapi.ts';

/** A parameter or field with its place in the document. */
interface Described {
  place: string;
  name: string;
  schema: JsonSchema;
  description: string;
}

const schemaIn = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

/** The fields of a schema, also of nested objects, lists and alternatives. */
function fieldsOf(schema: JsonSchema, place: string): Described[] {
  const options = Array.isArray(schema.anyOf) ? schema.anyOf.map(schemaIn) : [];
  const items = schema.items ? [schemaIn(schema.items)] : [];
  const inner = [...items, ...options].flatMap((part) => fieldsOf(part, place));
  const own = Object.entries(schemaIn(schema.properties)).flatMap(([name, value]) => {
    const field = schemaIn(value);
    const at = `${place}.${name}`;
    return [{ place: at, name, schema: field, description: String(field.description ?? '') }, ...fieldsOf(field, at)];
  });
  return [...own, ...inner];
}

/** Every parameter and field of the document. */
function textsOf(document: OpenApi): Described[] {
  const parameters = operationsOf(document).flatMap(({ id, operation }) =>
    operation.parameters.flatMap((one) => ('$ref' in one ? [] : [{ ...one, place: `${id} ${one.name}` }])),
  );
  const shared = Object.values(document.components.parameters).map((one) => {
    return { ...one, place: one.name };
  });
  return [
    ...[...shared, ...parameters].flatMap((one) => [one, ...fieldsOf(one.schema, one.place)]),
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => fieldsOf(schema, name)),
  ];
}

/** The type of a field, also where it may be null. */
function isOfType({ schema }: Described, type: string): boolean {
  const options = Array.isArray(schema.anyOf) ? schema.anyOf.map(schemaIn) : [schema];
  return options.some((option) => [option.type].flat().includes(type));
}

/** An operator of filters. All are described once, at the parameter, and have the value of their column. */
const isOperator = ({ place, name }: Described) =>
  / filter\.[^ ]+\./.test(place) && operators.some((one) => one === name);

const all = textsOf(apiDocument).filter((one) => !isOperator(one));

test('every parameter and field of the reference has a description of at least two words', () => {
  expect(all.length).toBeGreaterThan(1000);
  expect(all.filter(({ description }) => !/\S \S/.test(description)).map(({ place }) => place)).toEqual([]);
});

test('every parameter of the reference has an example, or a list of its values', () => {
  const hasValues = (one: Described) =>
    one.schema.examples || one.schema.enum || isOfType(one, 'boolean') || isOfType(one, 'object');
  const isParameter = ({ place }: Described) =>
    !Object.hasOwn(apiDocument.components.schemas, place.split('.')[0] ?? '');
  const without = all.filter((one) => isParameter(one) && !hasValues(one));
  expect(without.map(({ place }) => place)).toEqual([]);
});

test('no text of the reference begins with a question word', () => {
  const summaries = operationsOf(apiDocument).map(({ id, operation }) => ({
    place: id,
    description: operation.summary,
  }));
  const chapters = apiDocument.tags.map(({ name, description }) => ({ place: name, description }));
  const objects = Object.entries(apiDocument.components.schemas).map(([name, { description }]) => ({
    place: name,
    description: String(description ?? ''),
  }));
  const riddles = [...all, ...summaries, ...chapters, ...objects].filter(({ description }) =>
    /^(what|of|that|who|whom|whose|how|why|where|its?)\b/i.test(description),
  );
  expect(riddles.map(({ place, description }) => `${place}: ${description}`)).toEqual([]);
});

const isTime = (name: string) =>
  /(_at|_date|_time|_since|_after|_before)$|^(date|since|at|timestamp|expires|period_(start|end))$/.test(name);

/** Units by name of an integer: the first that fits. */
const units: readonly [name: (name: string) => boolean, unit: RegExp][] = [
  [isTime, /UNIX time in seconds/],
  [(name) => /_days$/.test(name), /\bdays\b/i],
  [(name) => /_ms$/.test(name), /\bmilliseconds\b/],
  [(name) => /_delay$/.test(name), /\bseconds\b/],
  [(name) => name === 'size', /\bbytes\b/],
  [(name) => /^(duration|cycles)$/.test(name), /\bperiods\b/],
];

test('amounts, times and durations of the reference name their unit', () => {
  const amounts = all.filter((one) => isOfType(one, 'number'));
  const integers = all.filter((one) => isOfType(one, 'integer'));
  expect([amounts.length > 50, integers.filter(({ name }) => isTime(name)).length > 100]).toEqual([true, true]);
  const missing = [
    ...amounts.filter(({ description }) => !/major currency units|\bquantity\b|\bin percent\b/i.test(description)),
    ...integers.filter(({ name, description }) => {
      const [, unit] = units.find(([fits]) => fits(name)) ?? [];
      return unit !== undefined && !unit.test(description);
    }),
  ];
  expect(missing.map(({ place, description }) => `${place}: ${description}`)).toEqual([]);
});
