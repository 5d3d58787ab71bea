import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { builtInRoles } from '../../../billing/people/permissions.ts';
import { type Answer, basic, type Client, refused, send, startApi, type TestApi } from '../../support/api.ts';
import { addMember, authorize, oauthClient, register } from '../../support/oauth.ts';
import { type LocatedOperation, operationsOfKeys as operations } from '../../support/openapi.ts';
import { requestIn, seedWorld, type World } from '../../support/world.ts';

let api: TestApi;
let owner: Client;
/** Another business, with nothing in it. */
let rival: Client;
/** Another business, which creates nothing. */
let stranger: Client;
let world: World;
/** The owner's objects before other businesses send requests. */
let before: string;
const keys: Record<string, string> = {};
/** Access tokens. */
const tokens: Record<string, string> = {};

beforeAll(async () => {
  api = await startApi();
  owner = api.sandbox;
  const [first, second] = [await api.open('Rival'), await api.open('Other rival')];
  rival = first.sandbox;
  stranger = (await api.open('Stranger')).sandbox;
  world = await seedWorld(api, owner);
  keys['read-only'] = (await owner.post('/api_keys', { name: 'Reader', scope: 'read' })).body.key;
  const revoked = (await owner.post('/api_keys', { name: 'Revoked' })).body;
  await owner.delete(`/api_keys/${revoked.id}`);
  keys.revoked = revoked.key;
  keys.live = api.live.key;
  tokens.read = await tokenOf(api.live, 'read');
  tokens.read_write = await tokenOf(api.live, 'read_write');
  tokens.rival = await tokenOf(second.live, 'read_write');
  before = await everythingOf(owner);
});
afterAll(() => api.close());

/** An access token for an application of the owner, granted by a new member of a business. */
async function tokenOf(live: Client, scope: string): Promise<string> {
  const credentials = await addMember(api, live.account, `${scope}.${live.account.id}@example.com`);
  const given = await authorize(api, oauthClient(api, await register(api, owner)), { credentials, scope });
  return given.access_token;
}

const bearer = (token = '') => ({ Authorization: `Bearer ${token}` });

const names = operations.map(({ id }) => id);
const keysOnly = operations.filter(({ operation }) => operation.security.every((way) => !('oauth' in way)));
const lists = operations.filter(({ id, path }) => id.startsWith('list') && !path.includes('{'));

function named(id: string): LocatedOperation {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
}

/** All objects of a business, as it reads them. `last_used_at` of keys is left out because it is updated late. */
async function everythingOf(client: Client): Promise<string> {
  const seen = operations
    .filter(({ id }) => id.startsWith('list') && id !== 'listAuditLog') // refusals are logged
    .map(async (one) => (await client.get(requestIn(world, one).path)).body);
  return JSON.stringify(await Promise.all(seen), (name, value) => (name === 'last_used_at' ? undefined : value));
}

/** Sends an operation. Each operation has its own client address, because the number of invalid keys per address is limited. */
function ask(id: string, credentials: Record<string, string>): Promise<Answer> {
  const one = named(id);
  const { path, body } = requestIn(world, one);
  const headers = { ...credentials, 'X-Forwarded-For': `198.18.0.${names.indexOf(id)}` };
  return send(`${owner.url}${path}`, { method: one.method, headers, body });
}

/** Whether the path or the body refers to an object of the owner. */
function namesSomething({ path, operation }: LocatedOperation): boolean {
  const body = JSON.stringify(operation.requestBody?.content['application/json']?.examples ?? {});
  return path.includes('{') || /"(customer|invoice|payment|plans?|tax_rate|recipients)":/.test(body);
}

test.each(names)('%s does not find objects of another account', async (id) => {
  expectUnknown(id, await ask(id, basic(rival.key)));
});

test.each(names)('%s does not find them with an access token of another account either', async (id) => {
  const answer = await ask(id, bearer(tokens.rival));
  if (keysOnly.some((one) => one.id === id)) expect(answer.status).toBe(403);
  else expectUnknown(id, answer);
});

/** Whether every account has the objects, each its own: they are named by words. */
function isOfEveryone({ path }: LocatedOperation): boolean {
  return path.startsWith('/payment_methods');
}

/** Whether an answer shows a wording or a paper of the owner: every account has the templates, each its own changes. */
function changedByOwner(body: Answer['body']): boolean {
  return /First|Second|"paper":"letter"/.test(JSON.stringify(body));
}

const isTemplate = ({ path }: LocatedOperation) => /^\/(email|pdf)_templates\//.test(path);

function expectUnknown(id: string, answer: Answer): void {
  const one = named(id);
  if (isOfEveryone(one)) expect(answer.status).toBe(200);
  else if (isTemplate(one)) expect(changedByOwner(answer.body)).toBe(false);
  else if (one.path.includes('{')) expect(answer).toMatchObject(refused({ type: 'invalid_request' }, 404));
  else if (namesSomething(one)) expect(answer).toMatchObject(refused({ param: expect.any(String) }));
  else if (id.startsWith('list')) expect(idsIn(answer.body).filter(isOwned(id))).toEqual([]);
  else expect(answer.status).toBeLessThan(300);
}

function idsIn(list: { id: number | string }[]): (number | string)[] {
  return list.map(({ id }) => id);
}

function isOwned(listId: string): (id: number | string) => boolean {
  const owned = world[named(listId).path.split('/')[1] ?? ''];
  return (id) => id === owned;
}

test('those requests changed nothing of the other account', async () => {
  expect(await everythingOf(owner)).toBe(before);
});

test.each(names)('%s refuses a key of the other environment', async (id) => {
  const answer = await ask(id, basic(keys.live ?? ''));
  expect(answer).toMatchObject(refused({ message: expect.stringContaining('live environment') }, 401));
});

test.each(names)('%s allows a read-only key only to read', async (id) => {
  const { status, body } = await ask(id, basic(keys['read-only'] ?? ''));
  if (named(id).method === 'GET') expect(status).toBe(200);
  else expect({ status, body }).toMatchObject(refused({ object: 'error', type: 'invalid_request' }, 403));
});

test.each(names)('%s allows a token with the scope "read" only to read', async (id) => {
  const { status } = await ask(id, bearer(tokens.read));
  const isOpen = named(id).method === 'GET' && !keysOnly.some((one) => one.id === id);
  expect(status).toBe(isOpen ? 200 : 403);
});

test('tokens cannot use operations whose effect outlives the access, and can use all others', () => {
  const closed = operations.filter(
    ({ path, method }) =>
      /^\/(api_keys|oauth_\w+)\b/.test(path) ||
      (/^\/(webhooks|merchant_accounts|mail_providers|mail_senders|message_providers|members|roles)\b/.test(path) &&
        method !== 'GET'),
  );
  expect(closed.length).toBeGreaterThan(10);
  expect(keysOnly.map(({ id }) => id)).toEqual(closed.map(({ id }) => id));
});

test.each(keysOnly.map(({ id }) => id))('%s refuses every access token', async (id) => {
  const answer = await ask(id, bearer(tokens.read_write));
  expect(answer).toMatchObject(refused({ object: 'error', message: expect.stringContaining('API key') }, 403));
});

test.each(names)('%s is 404 with an upper-case path', async (id) => {
  const one = named(id);
  const { path, body } = requestIn(world, one);
  const shouted = path.replace(/^\/\w+/, (first) => first.toUpperCase());
  for (const headers of [basic(owner.key), bearer(tokens.read_write)]) {
    const answer = await send(`${owner.url}${shouted}`, { method: one.method, headers, body });
    expect(answer).toMatchObject(refused({ message: expect.stringContaining('There is nothing at') }, 404));
  }
});

test.each(names)('%s refuses a revoked key', async (id) => {
  expect((await ask(id, basic(keys.revoked ?? ''))).status).toBe(401);
});

test.each(names)('%s refuses a request without a key', async (id) => {
  const answer = await ask(id, {});
  expect(answer).toMatchObject(refused({ object: 'error', type: 'invalid_request' }, 401));
  expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Basic/);
});

test('refused requests changed nothing', async () => {
  expect(await everythingOf(owner)).toBe(before);
});

test.each([
  ['/invoices', { items: [{ catalog_item: 'our-item' }] }, 'items[0][catalog_item]'],
  ['/plans', { name: 'x', amount: 1, interval: 'month', catalog_item: 'our-item' }, 'catalog_item'],
  ['/subscriptions', { plan: 'our-plan' }, 'plan'],
  ['/payments', { amount: 1, applied_to: 'invoice' }, 'applied_to[0][invoice]'],
  ['/charges', { amount: 1, applied_to: [], method: 'credit_card', payment_source_type: 'card' }, 'payment_source_id'],
])('a new object of %s cannot refer to objects of another account', async (path, body, param) => {
  const customer = (await rival.make('/customers', { name: 'Theirs' })).id;
  const invoice = { applied_to: [{ type: 'invoice', invoice: world.invoices, amount: 1 }] };
  const whole = {
    ...body,
    ...(path === '/plans' ? {} : { customer }),
    ...(path === '/charges' ? { payment_source_id: world.cards } : {}),
    ...(path === '/payments' ? invoice : {}),
  };
  expect(await rival.post(path, whole)).toMatchObject(refused({ param }));
});

/** The owner's objects in an answer, without the roles of every account. Empty for a refusal. */
async function ownedIn(path: string, answer: Answer): Promise<unknown[]> {
  if (answer.status === 400) return [];
  expect(answer.status).toBe(200);
  const owned = new Set(idsIn((await owner.get(path)).body));
  return idsIn(answer.body).filter((id) => owned.has(id) && !builtInRoles.has(String(id)));
}

test.each(lists.map(({ id }) => id))("%s finds nothing by values of another account's rows", async (id) => {
  const { path, operation } = named(id);
  const [row] = (await owner.get(path)).body;
  const filter = operation.parameters.find((one) => 'name' in one && one.name === 'filter');
  const filters = filter && 'schema' in filter ? Object.entries(Object(filter.schema.properties)) : [];
  for (const [column, schema] of filters.filter(([name]) => (row[name] ?? null) !== null)) {
    const [operator] = Object.keys(Object(Object(schema).properties)); // of a column without a filter by one value
    const name = operator ? `filter[${column}][${operator}]` : `filter[${column}]`;
    const query = new URLSearchParams({ [name]: String(row[column]) });
    expect((await owner.get(`${path}?${query}`)).status).toBe(200);
    expect(await ownedIn(path, await stranger.get(`${path}?${query}`))).toEqual([]);
  }
});

test("cursors of another account's lists lead to nothing", async () => {
  const followed: string[] = [];
  for (const { id, path } of lists) {
    const page = await owner.get(`${path}?per_page=1`);
    const [, next] = /<([^>]*)>; rel="next"/.exec(page.headers.get('Link') ?? '') ?? [];
    if (!next) continue;
    const { search } = new URL(next);
    expect((await owner.get(`${path}${search}`)).body).toHaveLength(1);
    expect(await ownedIn(path, await stranger.get(`${path}${search}`))).toEqual([]);
    followed.push(id);
  }
  expect(followed).toEqual(expect.arrayContaining(['listEvents', 'listPayments', 'listApiKeys']));
});

test("events cannot be found by another account's subject, and no log position depends on its events", async () => {
  const related = `/events?related_to=customer,${world.customers}`;
  expect((await owner.get(related)).body.length).toBeGreaterThan(0);
  expect(await stranger.get(related)).toMatchObject({ status: 200, body: [] });
  const after = `/events?after_id=${world.events}`;
  expect((await owner.get(after)).status).toBe(200);
  expect(await stranger.get(after)).toMatchObject(refused({ param: 'after_id' }));
});
