import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { OpenApi } from '../../api/openapi/types.ts';
import { routes } from '../../api/routes.ts';
import { type Answer, basic, type Client, send, startApi, type TestApi } from '../support/api.ts';
import { type Called, operationsOf } from '../support/openapi.ts';
import { requestIn, seedWorld, type World } from '../support/world.ts';

let api: TestApi;
let owner: Client;
/** Another business, with nothing in it. */
let rival: Client;
let world: World;
let operations: Called[];
/** What the owner sees of its own before anybody else asks for it. */
let before: string;
const keys: Record<string, string> = {};

beforeAll(async () => {
  api = await startApi();
  owner = api.sandbox;
  rival = (await api.open('Rival')).sandbox;
  world = await seedWorld(api, owner);
  keys['read-only'] = (await owner.post('/api_keys', { name: 'Reader', scope: 'read' })).body.key;
  const revoked = (await owner.post('/api_keys', { name: 'Revoked' })).body;
  await owner.delete(`/api_keys/${revoked.id}`);
  keys.revoked = revoked.key;
  keys.live = api.live.key;
  const document: OpenApi = (await send(`${owner.url}/openapi.json`, { method: 'GET' })).body;
  operations = operationsOf(document);
  before = await everythingOf(owner);
});
afterAll(() => api.close());

const names = routes.map(({ operationId }) => operationId);

function named(id: string): Called {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
}

/** Every object of a business, as it sees them; when a key was last used is not told at once. */
async function everythingOf(client: Client): Promise<string> {
  const lists = operations.filter(({ id }) => id.startsWith('list'));
  const seen = lists.map(async (one) => (await client.get(requestIn(world, one).path)).body);
  return JSON.stringify(await Promise.all(seen), (name, value) => (name === 'last_used_at' ? undefined : value));
}

function ask(id: string, headers: Record<string, string>): Promise<Answer> {
  const one = named(id);
  const { path, body } = requestIn(world, one);
  return send(`${owner.url}${path}`, { method: one.method, headers, body });
}

/** Its path or its body names something of the owner. */
function namesSomething({ path, operation }: Called): boolean {
  const body = JSON.stringify(operation.requestBody?.content['application/json']?.examples ?? {});
  return path.includes('{id}') || /"(customer|invoice|plan)":/.test(body);
}

test.each(names)('%s does not know what belongs to another account', async (id) => {
  const one = named(id);
  const answer = await ask(id, basic(rival.key));
  if (one.path.includes('{id}')) expect(answer).toMatchObject({ status: 404, body: { type: 'invalid_request' } });
  else if (namesSomething(one)) expect(answer).toMatchObject({ status: 400, body: { param: expect.any(String) } });
  else if (id.startsWith('list')) expect(idsIn(answer.body).filter(isOwned(id))).toEqual([]);
  else expect(answer.status).toBeLessThan(300);
});

function idsIn(list: { id: number | string }[]): (number | string)[] {
  return list.map(({ id }) => id);
}

function isOwned(listId: string): (id: number | string) => boolean {
  const owned = world[named(listId).path.split('/')[1] ?? ''];
  return (id) => id === owned;
}

test('nothing of it was changed by that', async () => {
  expect(await everythingOf(owner)).toBe(before);
});

test.each(names)('%s refuses a key of the other environment', async (id) => {
  const answer = await ask(id, basic(keys.live ?? ''));
  expect(answer).toMatchObject({ status: 401, body: { message: expect.stringContaining('live environment') } });
});

test.each(names)('%s lets a read-only key read and no more', async (id) => {
  const { status, body } = await ask(id, basic(keys['read-only'] ?? ''));
  if (named(id).method === 'GET') expect(status).toBe(200);
  else expect({ status, body }).toMatchObject({ status: 403, body: { object: 'error', type: 'invalid_request' } });
});

test.each(names)('%s refuses a revoked key', async (id) => {
  expect((await ask(id, basic(keys.revoked ?? ''))).status).toBe(401);
});

test.each(names)('%s refuses a request without a key', async (id) => {
  const answer = await ask(id, {});
  expect(answer).toMatchObject({ status: 401, body: { object: 'error', type: 'invalid_request' } });
  expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Basic/);
});

test('refused requests changed nothing either', async () => {
  expect(await everythingOf(owner)).toBe(before);
});

test.each([
  ['/invoices', { items: [{ catalog_item: 'our-item' }] }, 'items[0][catalog_item]'],
  ['/plans', { name: 'x', amount: 1, interval: 'month', catalog_item: 'our-item' }, 'catalog_item'],
  ['/subscriptions', { plan: 'our-plan' }, 'plan'],
  ['/payments', { amount: 1, applied_to: 'invoice' }, 'applied_to[0][invoice]'],
  ['/charges', { amount: 1, applied_to: [], method: 'credit_card', payment_source_type: 'card' }, 'payment_source_id'],
])('%s cannot refer to what belongs to another account from an object of its own', async (path, body, param) => {
  const customer = (await rival.post('/customers', { name: 'Theirs' })).body.id;
  const invoice = { applied_to: [{ type: 'invoice', invoice: world.invoices, amount: 1 }] };
  const whole = {
    ...body,
    ...(path === '/plans' ? {} : { customer }),
    ...(path === '/charges' ? { payment_source_id: world.cards } : {}),
    ...(path === '/payments' ? invoice : {}),
  };
  expect(await rival.post(path, whole)).toMatchObject({ status: 400, body: { param } });
});
