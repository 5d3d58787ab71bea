import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { documented, schemaOf } from '../../../api/body/documented.ts';
import { openApiOf } from '../../../api/openapi/document.ts';
import type { OpenApi } from '../../../api/openapi/types.ts';
import { routes } from '../../../api/resources/routes.ts';
import { send, startApi, type TestApi } from '../../support/api.ts';
import { apiFields } from '../../support/apiFields.ts';
import { apiDocument, invalidExamples, operationsOf } from '../../support/openapi.ts';

let api: TestApi;
let document: OpenApi;
beforeAll(async () => {
  api = await startApi();
  document = (await send(`${api.origin}/api/openapi.json`, { method: 'GET' })).body;
});
afterAll(() => api.close());

test('the document is served without a key below both base URLs, with the same bytes each time', async () => {
  const answer = await send(`${api.origin}/sandbox/api/openapi.json`, { method: 'GET' });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(document);
  expect(JSON.stringify(apiDocument)).toBe(JSON.stringify(document));
});

test('it is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  const broken = structuredClone(document);
  Reflect.deleteProperty(broken.info, 'title');
  expect((await new Validator().validate(broken)).valid).toBe(false);
});

test('every route is an operation with its own name', () => {
  const operations = operationsOf(document);
  expect(operations).toHaveLength(routes.length);
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
});

test('the document names no statuses except the ten', () => {
  const statuses = new Set(operationsOf(document).flatMap(({ operation }) => Object.keys(operation.responses)));
  expect([...statuses].sort()).toEqual(['200', '201', '204', '400', '401', '403', '404', '429', '500', '503']);
});

test('one operation may be declared under two methods', () => {
  const answer = { statusCode: 204 } as const;
  const route = { path: '/x/:id', operationId: 'saveX', permission: 'catalog.write', summary: 'Save', answer } as const;
  const handle = async () => ({ statusCode: 204, json: null });
  const group = { name: 'X', description: '', routes: [{ ...route, method: ['PUT', 'POST'] as const, handle }] };
  const { paths } = openApiOf([group], '');
  expect(Object.values(paths['/x/{id}'] ?? {}).map(({ operationId }) => operationId)).toEqual(['saveX', 'saveXByPOST']);
});

const components: Record<string, keyof typeof apiFields> = {
  Item: 'item',
  Plan: 'plan',
  Customer: 'customer',
  LineItem: 'line_item',
  Invoice: 'invoice',
  Subscription: 'subscription',
  Payment: 'payment',
  Charge: 'charge',
  PaymentApplication: 'application',
  Coupon: 'coupon',
  TaxRate: 'tax_rate',
  TaxRule: 'tax_rule',
  Card: 'card',
  BankAccount: 'bank_account',
  Event: 'event',
  User: 'user',
};

test.each(Object.entries(components))(
  '%s has every field of the contract, and each in every response',
  (name, kind) => {
    const { required, additionalProperties } = document.components.schemas[name] ?? {};
    expect(required).toEqual(expect.arrayContaining([...apiFields[kind]]));
    expect(additionalProperties).toBe(false);
  },
);

test('value objects have exactly the fields of the contract', () => {
  const address = ['address1', 'address2', 'city', 'state', 'postal_code', 'country'];
  const exactly: Record<string, string[]> = {
    ShipTo: ['name', 'attention_to', ...address, 'updated_at'],
    PlanTier: ['min_qty', 'max_qty', 'unit_cost'],
    Balance: [
      'available_credits',
      'currency',
      'due_now',
      'past_due',
      'total_outstanding',
      'currencies',
      'unapplied_payments',
      'history',
    ],
    BalanceChange: ['balance', 'currency', 'timestamp'],
    Opening: ['timestamp', 'ip', 'user_agent'],
  };
  for (const [name, fields] of Object.entries(exactly)) {
    const { properties = {}, additionalProperties } = document.components.schemas[name] ?? {};
    expect([name, Object.keys(properties as object).sort()]).toEqual([name, fields.sort()]);
    expect(additionalProperties).toBe(false);
  }
});

test('every field of requests and responses has a description', () => {
  const silent = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    Object.entries(schema.properties ?? {}).flatMap(([field, property]) =>
      property.description ? [] : [`${name}.${field}`],
    ),
  );
  expect(silent).toEqual([]);
});

test('every object with a type has an id, except errors and suggestions', () => {
  const without = Object.entries(document.components.schemas).filter(([, { properties = {} }]) => {
    const { id, object } = properties as Record<string, object>;
    return object !== undefined && 'const' in object && id === undefined;
  });
  expect(without.map(([name]) => name).toSorted()).toEqual(['Error', 'PaymentMatch']);
});

test('every example is valid for its schema', () => {
  expect(invalidExamples(document)).toEqual([]);
  const broken = structuredClone(document);
  Object.assign(broken.components.schemas.Item ?? {}, { examples: [{ id: 1 }] });
  expect(invalidExamples(broken)).toHaveLength(1);
});

test('building the API fails on an undocumented field', () => {
  expect(() => schemaOf({})).toThrow('no documentation');
  expect(schemaOf(documented({}, { schema: { type: 'string' } }))).toEqual({ type: 'string' });
});

test('the reference has every operation, object and chapter, and loads nothing from elsewhere', async () => {
  const page: string = (await send(`${api.origin}/docs`, { method: 'GET' })).body;
  const anchors = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(anchors).size).toBe(anchors.length);
  expect(anchors).toEqual(expect.arrayContaining(operationsOf(document).map(({ id }) => id)));
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((id) => !anchors.includes(id))).toEqual([]);
  expect(page).not.toMatch(/<script|<link|<img|url\(|@import/);
  expect(anchors).toEqual(expect.arrayContaining(['authentication', 'errors', 'idempotency', 'webhook-signatures']));
});
