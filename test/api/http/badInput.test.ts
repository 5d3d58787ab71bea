import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { paramOf } from '../../../api/body/request.ts';
import { type ErrorCode, errorCodeNames } from '../../../billing/errorCodes.ts';
import type { Client, TestApi } from '../../support/api.ts';
import { bodies, keywordsOf, type Path, placesIn, type Schema, sampleOf, withValue } from '../../support/bodies.ts';
import { apiDocument, operationsOfKeys as operations, parametersIn } from '../../support/openapi.ts';
import { requestIn, startWorld, type World } from '../../support/world.ts';

/** Sends every operation values that violate the OpenAPI document, at every place of its body. Each is refused with the name of the place and has no effect. */

let api: TestApi;
let client: Client;
let world: World;
let events: number;
beforeAll(async () => {
  ({ api, client, world } = await startWorld());
  events = await countEvents();
});
afterAll(() => api.close());

async function countEvents(): Promise<number> {
  const [row] = await api.em.fork().execute<{ count: number }[]>('select count(*)::int as count from event');
  return row?.count ?? 0;
}

/** An invalid value for a place. `at`: the place that the refusal names. */
interface Misfit {
  path: Path;
  value: unknown;
  at?: Path;
}

const SIDE_BY_SIDE = 8;

/** Sends each misfit in an otherwise valid body. Returns those that were not refused with the name of their place and one of the codes. */
async function acceptedOf(
  { one, schema }: (typeof bodies)[number],
  misfits: Misfit[],
  codes: readonly ErrorCode[] = errorCodeNames,
): Promise<unknown[]> {
  const { path: url, body = sampleOf(schema) } = requestIn(world, one);
  const accepted: unknown[] = [];
  const send = async ({ path, value, at = path }: Misfit) => {
    const answer = await client.request(one.method, url, withValue(schema, body, { path, value }));
    const wanted = paramOf(at) ?? '';
    const { param = '', type, code } = answer.body ?? {};
    // The refusal of an element may name its list. An object with only an id stands for the object with that id.
    const isInner = at.at(-1) === 0 || at.at(-1) === 'id';
    const isNamed =
      param === wanted || param.startsWith(`${wanted}[`) || (isInner && param === paramOf(at.slice(0, -1)));
    if (answer.status === 400 && type === 'invalid_request' && isNamed && codes.includes(code)) return;
    accepted.push({ sent: { [wanted]: value }, status: answer.status, body: answer.body });
  };
  const left = [...misfits];
  const sender = async () => {
    for (let next = left.pop(); next; next = left.pop()) await send(next);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, sender));
  return accepted;
}

/** A value of each JSON type. None of them is a valid form of another type. */
const ofTypes: Record<string, unknown> = {
  number: 7.5,
  string: 'no value of it',
  boolean: true,
  array: [['nested']],
  object: { no_such_field: 1 },
  null: null,
};

/** The JSON types that a place may have. */
function typesOf(schema: Schema): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(typesOf);
  if (schema.enum || schema.const) return ['string', ...(schema.enum?.includes(null) ? ['null'] : [])];
  return [schema.type ?? []].flat().map((type) => (type === 'integer' ? 'number' : type));
}

function ofOtherTypes(schema: Schema): unknown[] {
  const types = typesOf(schema);
  const others = Object.keys(ofTypes).filter((type) => !types.includes(type));
  // Null, where it is not allowed, and one other type: the rest would test the same.
  return [...others.filter((type) => type === 'null'), ...others.slice(0, 1)].map((type) => ofTypes[type]);
}

const isNever = 'no such word, and of no such pattern!';

/** Values of the right type that are invalid: too long, too many, too large, too small, too many decimals, or not in the enum. */
function ofNoSuchValue(schema: Schema): unknown[] {
  const { maxLength, maxItems, maximum, exclusiveMaximum, minimum, exclusiveMinimum, ...more } = keywordsOf(schema);
  const bounds: [bound: unknown, value: (bound: number) => unknown][] = [
    [maxLength, (most) => 'x'.repeat(most + 1)],
    [maxItems, (most) => Array.from({ length: most + 1 }, () => sampleOf(more.items ?? {}))],
    [maximum, (most) => most + 1],
    [exclusiveMaximum, (most) => most],
    [minimum, (least) => least - 1],
    [exclusiveMinimum, (least) => least],
    [more['x-decimals'], (most) => Number(`1e-${most + 1}`)],
    [more.maxProperties, (most) => Object.fromEntries(Array.from({ length: most + 1 }, (_, n) => [`key ${n}`, 'x']))],
    [Object(more.propertyNames).maxLength, (most) => ({ ['k'.repeat(most + 1)]: 'x' })],
    [Object(more.additionalProperties).maxLength, (most) => ({ key: 'x'.repeat(most + 1) })],
  ];
  return [
    ...bounds.flatMap(([bound, value]) => (typeof bound === 'number' ? [value(bound)] : [])),
    ...(more.enum || more.pattern ? [isNever] : []),
    ...([more.type].flat().includes('string') ? ['null character \0'] : []),
  ];
}

test.each(bodies)('$id refuses values of another type everywhere in its body', async (body) => {
  const [, ...places] = placesIn(body.schema);
  const misfits = places.flatMap(({ path, schema }) => ofOtherTypes(schema).map((value) => ({ path, value })));
  expect(misfits.length).toBeGreaterThan(0);
  expect(await acceptedOf(body, misfits)).toEqual([]);
});

test.each(bodies)('$id refuses values outside the bounds of the document', async (body) => {
  const misfits = placesIn(body.schema).flatMap(({ path, schema }) =>
    ofNoSuchValue(schema).map((value) => ({ path, value })),
  );
  expect(await acceptedOf(body, misfits)).toEqual([]);
});

test.each(bodies)('$id refuses an unknown field, and a body without a required field', async (body) => {
  const places = placesIn(body.schema).flatMap(({ path, schema }) =>
    [schema, ...(schema.anyOf ?? [])].flatMap(({ additionalProperties, required = [] }) =>
      additionalProperties === false ? [{ path, required }] : [],
    ),
  );
  const unknown = places.map(({ path }) => ({ path: [...path, 'no_such_field'], value: 1 }));
  const absent = places.flatMap(({ path, required }) =>
    required.flatMap((name) => [undefined, ''].map((value) => ({ path: [...path, name], value }))),
  );
  expect(unknown.length).toBeGreaterThan(0);
  expect(await acceptedOf(body, unknown, ['parameter_unknown'])).toEqual([]);
  expect(await acceptedOf(body, absent, ['parameter_missing'])).toEqual([]);
});

test.each(bodies)('$id accepts only an object as body', async (body) => {
  const needs = (body.schema.required ?? []).length > 0 || body.one.method !== 'POST';
  for (const value of [[], [{}], 7, true, ...(needs ? [null, ''] : [])]) {
    const { path } = requestIn(world, body.one);
    const text = JSON.stringify(value);
    const { status } = await client.request(body.one.method, path, text, { 'Content-Type': 'application/json' });
    expect({ text, status }).toEqual({ text, status: 400 });
  }
});

test('every operation refuses unknown parameters, and values that are not numbers or words of the list', async () => {
  const misfits = operations.flatMap((one) => [
    { one, name: 'no_such_parameter', value: '1' },
    ...parametersIn(apiDocument, one.operation, 'query').flatMap(({ name, schema }) => {
      const isClamped = ['page', 'per_page'].includes(name);
      const isStrict = ['integer', 'number', 'boolean'].includes(String(schema.type)) && !isClamped;
      return isStrict || name === 'sort' || schema.enum ? [{ one, name, value: 'nonsense' }] : [];
    }),
  ]);
  const accepted: unknown[] = [];
  for (const { one, name, value } of misfits) {
    const { path, body } = requestIn(world, one);
    const { status, body: answer } = await client.request(one.method, `${path}?${name}=${value}`, body);
    const code = name === 'no_such_parameter' ? 'parameter_unknown' : 'parameter_invalid';
    if (status !== 400 || answer.param !== name || answer.code !== code)
      accepted.push({ operation: one.id, name, status, answer });
  }
  expect(misfits.length).toBeGreaterThan(operations.length);
  expect(accepted).toEqual([]);
});

test('none of these requests had an effect or failed with a server error', async () => {
  expect(await countEvents()).toBe(events);
  expect(api.faults).toEqual([]);
});
