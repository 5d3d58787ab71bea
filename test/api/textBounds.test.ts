import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openApiOf } from '../../api/openapi/document.ts';
import { routeGroups } from '../../api/routes.ts';
import { type Client, startApi, type TestApi } from '../support/api.ts';
import { operationsOf, propertiesOf } from '../support/openapi.ts';
import { requestIn, seedWorld, type World } from '../support/world.ts';

/** Every text and number of every body: what the OpenAPI document gives as its bound is its bound. */

let api: TestApi;
let client: Client;
let world: World;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  world = await seedWorld(api, client);
});
afterAll(() => api.close());

const document = openApiOf(routeGroups, 'https://billing.example');

/** One more than fits, by the schema of a field; null: it has no such bound. */
function tooMuch(schema: Record<string, unknown>): unknown {
  const bound = [schema, ...(Array.isArray(schema.anyOf) ? schema.anyOf : [])].find(
    (one) => 'maxLength' in one || 'maxItems' in one || 'maximum' in one || 'exclusiveMaximum' in one,
  );
  if (!bound) return null;
  if (bound.maxLength) return 'x'.repeat(bound.maxLength + 1);
  if (bound.maxItems) return Array.from({ length: bound.maxItems + 1 }, () => ({}));
  return bound.exclusiveMaximum ?? bound.maximum + 1;
}

const cases = operationsOf(document).flatMap((one) =>
  Object.entries(propertiesOf(document, one.operation)).flatMap(([name, schema]) => {
    const value = tooMuch(schema);
    return value === null || schema.readOnly || schema['x-ignored'] || schema['x-not-supported-yet']
      ? []
      : [{ id: one.id, name, value, one }];
  }),
);

test('there are bounds to hold', () => {
  expect(new Set(cases.map(({ id }) => id)).size).toBeGreaterThan(30);
});

test.each(cases)('$id $name', async ({ name, value, one }) => {
  const { path, body = {} } = requestIn(world, one);
  const answer = await client.request(one.method, path, { ...(body as object), [name]: value });
  expect(answer).toMatchObject({ status: 400, body: { param: expect.stringMatching(new RegExp(`^${name}(\\[|$)`)) } });
});
