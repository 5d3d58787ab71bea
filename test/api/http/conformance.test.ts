import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OpenApi } from '../../../api/openapi/types.ts';
import { routes } from '../../../api/resources/routes.ts';
import { connect } from '../../../workers/connection.ts';
import { type Answer, type Client, refused, send, startApi, type TestApi } from '../../support/api.ts';
import { withFreshObjects } from '../../support/freshObjects.ts';
import { FIRST_LONG_ID, raiseLongIds } from '../../support/longIds.ts';
import {
  type ConformanceCheck,
  conformanceCheckOf,
  isOfPerson,
  type LocatedOperation,
  operationsOf,
  parametersIn,
  successOf,
  takesKey,
} from '../../support/openapi.ts';
import { ownedTables } from '../../support/owned.ts';
import { newPerson, type PageRequest, sessionCookie } from '../../support/ownPage.ts';
import { replaceSingle, requestIn, seedWorld, type World } from '../../support/world.ts';

let api: TestApi;
let client: Client;
let document: OpenApi;
let violationsOf: ConformanceCheck;
let world: World;
let operations: LocatedOperation[];
let long: string[];
/** Sends what is only for persons. */
let asPerson: PageRequest;
const called = new Map<string, Set<string>>();
/** Requests with an idempotency key: a function that repeats each, and its first answer. */
const keyed: { again: () => Promise<Answer>; first: Answer }[] = [];

beforeAll(async () => {
  api = await startApi();
  long = await raiseLongIds(api.databaseUrl); // answers below have ids beyond 32 bits wherever possible
  client = api.sandbox;
  document = (await send(`${client.url}/openapi.json`, { method: 'GET' })).body;
  violationsOf = conformanceCheckOf(document);
  operations = operationsOf(document);
  world = await seedWorld(api, client);
  const person = await newPerson(api, client, 'person@example.com');
  asPerson = person.request;
  await sessionCookie(api, person.credentials); // a second session, which is ended
  const sessions: { id: number; current: boolean }[] = (await asPerson('GET', '/sessions')).body;
  world.sessions = sessions.find(({ current }) => !current)?.id ?? 0;
});
afterAll(() => api.close());

test('rows of which a renewal writes several have ids of 64 bits, which are numbers', async () => {
  const own = ['event', 'ledger_entry', 'line_item', 'test_clock_step', 'webhook_attempt', 'webhook_delivery'];
  const used = ['gateway_event', 'job_row', 'mail_event', 'sms_event', 'usage_record', 'usage_total'];
  expect(long.toSorted()).toEqual(['audit_log', 'event_log', 'outbox', 'queue_progress', ...used, ...own].toSorted());
  const invoice = await client.get(`/invoices/${world.invoices}`);
  const attempt = await client.get('/webhook_attempts?per_page=1');
  const ids = [world.events, invoice.body.items[0].id, attempt.body[0].id, attempt.body[0].event];
  expect(ids.filter((id) => typeof id === 'number' && id >= FIRST_LONG_ID)).toEqual(ids);
  const feed = await client.get(`/webhook_attempts?filter[event]=${attempt.body[0].event}`);
  expect(feed.body).toEqual(attempt.body);
  expect((await client.get('/events/9007199254740992')).status).toBe(404);
});

/** Ids of all operations. They are known before the API starts. */
const names = routes.map(({ operationId }) => operationId);
const later = routes.filter(({ method }) => method === 'DELETE').map(({ operationId }) => operationId);
/** Deletions come last, in reverse order of the routes. */
const inOrder = [...names.filter((name) => !later.includes(name)), ...later.toReversed()];

function named(id: string): LocatedOperation {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
}

async function call(
  one: LocatedOperation,
  path: string,
  rest: { body?: unknown; headers?: Record<string, string> } = {},
) {
  const request = isOfPerson(one) ? asPerson : client.request;
  const answer = await request(one.method, path, rest.body, rest.headers);
  const outcome = answer.status < 400 ? 'success' : 'error';
  called.set(one.id, (called.get(one.id) ?? new Set()).add(outcome));
  expect({ operation: one.id, problems: violationsOf(one.operation, answer), body: answer.body }).toMatchObject({
    problems: [],
  });
  return answer;
}

test.each(names)('an error of %s conforms to the document', async (id) => {
  const one = named(id);
  const { path, body } = requestIn(world, one);
  if (one.path.includes('{')) {
    const missing = one.path.replaceAll(/\{\w+\}/g, '999999999');
    expect(await call(one, missing, { body })).toMatchObject(refused({ code: 'resource_missing' }, 404));
  } else if (one.operation.requestBody) {
    const answer = await call(one, path, { body: { no_such_field: 1 } });
    expect(answer).toMatchObject(
      refused({ type: 'invalid_request', code: 'parameter_unknown', param: 'no_such_field' }),
    );
  } else {
    const answer = await call(one, path, { headers: { 'Api-Version': '1999-01-01' } });
    expect(answer).toMatchObject(refused({ code: 'parameter_invalid', param: 'Api-Version' }));
  }
});

/** All values of `expand` and `include`. */
function moreOf({ operation }: LocatedOperation): { expand: string[]; query: string } {
  const asked = parametersIn(document, operation, 'query').filter(
    ({ name }) => name === 'expand' || name === 'include',
  );
  const pairs = asked.map(({ name, schema }) => [name, (schema.examples as string[])[0] ?? '']);
  const expand = pairs.flatMap(([name, paths = '']) => (name === 'expand' ? paths.split(',') : []));
  return { expand, query: pairs.map(([name, paths]) => `${name}=${paths}`).join('&') };
}

/** Paths that have an id in place of an expanded object. */
function unexpanded(body: unknown, paths: string[]): string[] {
  const isBare = (value: unknown, [name, ...rest]: string[]): boolean => {
    if (Array.isArray(value)) return value.some((element) => isBare(element, [name ?? '', ...rest]));
    if (typeof value !== 'object' || value === null) return value !== null && value !== undefined;
    return name !== undefined && isBare(Reflect.get(value, name), rest);
  };
  return paths.filter((path) => isBare(body, path.split('.')));
}

/** Calls a list with each sort column, each filter and each other parameter of the document. */
async function callWithParameters(one: LocatedOperation, path: string): Promise<void> {
  for (const { name, schema } of parametersIn(document, one.operation, 'query')) {
    const columns = name === 'sort' ? (schema['x-columns'] as string[]) : Object.keys(schema.properties ?? {});
    for (const column of columns) {
      const value = sampleOf(schema, column);
      if (name !== 'sort' && value === null) continue; // only operators
      const query = name === 'sort' ? `sort=${column} desc` : `filter[${column}]=${value}`;
      expect((await call(one, `${path}?${encodeURI(query)}`)).status).toBe(200);
    }
    if (['page', 'per_page'].includes(name)) expect((await call(one, `${path}?${name}=1`)).status).toBe(200);
    if ('minimum' in schema || schema.type === 'boolean') {
      const value = name === 'after_id' ? world.events : 1;
      expect((await call(one, `${path}?${name}=${value}`)).status).toBe(200);
    }
  }
}

interface Filter {
  type: string;
  enum?: string[];
}

function sampleOf(schema: object, column: string): string | null {
  const filters = (schema as { properties?: Record<string, Filter & { anyOf?: Filter[] }> }).properties ?? {};
  const { type, enum: words } = filters[column]?.anyOf?.[0] ?? filters[column] ?? { type: 'string' };
  if (type === 'object') return null;
  if (words) return words[0] ?? '';
  return { integer: '1', number: '1', boolean: 'true' }[type] ?? (column === 'country' ? 'US' : 'usd');
}

/** Sends a request twice at the same time with one key. Both get the answer of the one that has the effect. */
async function callTwice(one: LocatedOperation, path: string, body: unknown): Promise<Answer[]> {
  const headers = { 'Idempotency-Key': `twins of ${one.id}` };
  const { request } = client;
  const twins = await Promise.all([call(one, path, { body, headers }), call(one, path, { body, headers })]);
  keyed.push({ again: () => request(one.method, path, body, headers), first: twins[0] });
  expect(twins[0]?.body).toEqual(twins[1]?.body);
  const replays = twins.map((twin) => twin.headers.get('Idempotent-Replayed'));
  expect(replays.filter((replay) => replay === 'true')).toHaveLength(1);
  return twins;
}

test.each(inOrder)('a success of %s conforms to the document', async (id) => {
  const one = named(id);
  await replaceSingle(client, world, id);
  const here = one.method === 'GET' ? world : await withFreshObjects({ api, client, world }, one);
  const { path, body } = requestIn(here, one);
  const { expand, query } = moreOf(one);
  const inFull = query === '' ? path : `${path}?${query}`;
  const isRead = one.method === 'GET';
  const isKeyed = takesKey(document, one.operation);
  const answers = isKeyed ? await callTwice(one, inFull, body) : [await call(one, path, { body })];
  if (isRead && query !== '') answers.push(await call(one, inFull, { body }));
  for (const { status } of answers) expect(status).toBe(successOf(one.operation));
  expect(unexpanded(answers.at(-1)?.body, expand)).toEqual([]);
  if (Array.isArray(answers[0]?.body) && isRead) await callWithParameters(one, path);
});

test('every operation of the document has been called with success and with an error', () => {
  expect(operations.filter(({ id }) => called.get(id)?.size !== 2).map(({ id }) => id)).toEqual([]);
});

test('no answer has a number as text, a list that is null, or metadata that is not an object', () => {
  const wrong = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
    name.endsWith('Body')
      ? []
      : Object.entries(properties as Record<string, { type?: unknown }>).flatMap(([field, { type }]) => {
          const isMaybeList = Array.isArray(type) && type.includes('array') && `${name}.${field}` !== 'Plan.tiers';
          const isOtherMetadata = field === 'metadata' && type !== 'object';
          const isMixed = Array.isArray(type) && type.includes('string') && type.includes('number');
          return isMaybeList || isOtherMetadata || isMixed ? [`${name}.${field}`] : [];
        }),
  );
  expect(wrong).toEqual([]);
});

/** The links of an answer, by `rel`. */
function linksOf(answer: Answer): Map<string, string> {
  const text = answer.headers.get('Link') ?? '';
  const parts = text.split(', ').map((part) => /^<([^<>,; ]+)>; rel="(self|first|previous|next|last)"$/.exec(part));
  expect({ text, parts }).toMatchObject({ parts: parts.map(() => expect.anything()) });
  return new Map(parts.map((part) => [part?.[2] ?? '', part?.[1] ?? '']));
}

test('every list, also an empty one, has both headers, and links without raw commas and semicolons', async () => {
  const rival = (await api.open('Empty')).sandbox;
  for (const one of operations.filter(({ id }) => id.startsWith('list'))) {
    const isNested = one.path.includes('{'); // an empty business has no parent object
    const { path } = requestIn(world, one);
    const answer = await (isNested ? client : rival).get(`${path}?filter[id]=2147483647&expand=a,b;c`);
    expect({ path, status: answer.status, body: answer.body }).toEqual({ path, status: 200, body: [] });
    expect(answer.headers.get('X-Total-Count')).toBe('0');
    expect([...linksOf(answer).keys()]).toEqual(['self', 'first', 'last']);
  }
});

test('a list links to a next page only if there is one', async () => {
  await client.post('/customers', { name: 'Second' });
  const first = await client.get('/customers?per_page=1');
  expect([...linksOf(first).keys()]).toEqual(['self', 'first', 'next', 'last']);
  const last = await client.get(`/customers?per_page=1&page=${first.headers.get('X-Total-Count')}`);
  expect([...linksOf(last).keys()]).toEqual(['self', 'first', 'previous', 'last']);
});

test('voided and canceled objects are answered, deleted ones are not', async () => {
  const payment = (await client.make('/payments', { amount: 1 })).id;
  expect(await client.delete(`/payments/${payment}`)).toMatchObject({
    status: 200,
    body: { id: payment, voided: true },
  });
  await client.post('/plans', { id: 'short', name: 'Short', amount: 1, interval: 'month' });
  const started = { customer: world.customers, plan: 'short', start_date: 4_000_000_000 };
  const subscription = (await client.make('/subscriptions', started)).id;
  const canceled = await client.delete(`/subscriptions/${subscription}`);
  expect(canceled).toMatchObject({ status: 200, body: { id: subscription, status: 'canceled' } });
  expect(await client.delete('/plans/short')).toMatchObject({ status: 204, body: null });
});

const nameIn = ({ $ref }: object & { $ref?: unknown }) => String($ref).split('/').at(-1) ?? '';

const bodies: [string, string | undefined][] = [
  ['no body', undefined],
  ['null', 'null'],
  ['{}', '{}'],
  ['""', '""'],
];

describe('in a second business', () => {
  beforeAll(async () => {
    client = (await api.open('Second')).sandbox;
    world = await seedWorld(api, client);
  });

  test.each(bodies)('an action accepts %s', async (_, body) => {
    const actions = operations.filter(({ method, path, operation }) => {
      const schema = operation.requestBody?.content['application/json']?.schema;
      const { required } = (schema && '$ref' in schema ? document.components.schemas[nameIn(schema)] : schema) ?? {};
      return method === 'POST' && required === undefined && path.includes('}/');
    });
    expect(actions.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['voidInvoice', 'payInvoice', 'retryProblem', 'sendInvoice', 'replayWebhook']),
    );
    for (const one of actions) {
      const { path } = requestIn(await withFreshObjects({ api, client, world }, one), one);
      const answer = await call(one, path, { body, headers: { 'Content-Type': 'application/json' } });
      expect(answer.status).toBe(successOf(one.operation));
    }
  });
});

test('a GET can have a JSON content type', async () => {
  const headers = { 'Content-Type': 'application/json' };
  for (const one of operations.filter(({ method, path }) => method === 'GET' && !path.includes('{')))
    expect((await call(one, one.path, { headers })).status).toBe(200);
});

test('a repeated request gets its first answer, whatever has been deleted since', async () => {
  const more = ['coupon', 'file', 'item', 'oauth_application', 'plan', 'tax_rate', 'tax_rule', 'test_clock', 'webhook'];
  const tables = ownedTables(api.em).filter((table) => table !== 'idempotency');
  const sql = await connect(api.databaseUrl);
  await sql.query('set session_replication_role = replica'); // turns foreign keys off
  for (const table of [...tables, ...more]) await sql.query(`delete from "${table}"`);
  await sql.close();
  expect(keyed.length).toBeGreaterThan(80);
  for (const { again, first } of keyed) {
    const { status, body } = await again();
    expect({ status, body }).toEqual({ status: first.status, body: first.body });
  }
});
