import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CURRENT_VERSION, VERSIONS } from '../../../commands/kernel/caller.ts';
import { Account } from '../../../db/schema/account.ts';
import { emptyMetadata, presentAs } from '../../../present/versions/versions.ts';
import { basic, type Client, refused, send, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const [oldest = ''] = VERSIONS;
const old = { 'Api-Version': oldest };
const getAsOld = (client: Client, path: string) => client.request('GET', path, undefined, old);

test('an older version shows empty metadata as an array, in objects, lists, events and previous values', async () => {
  const { sandbox } = api;
  const made = await sandbox.post('/customers', { name: 'Old' }, old);
  expect([made.status, made.headers.get('Api-Version')]).toEqual([201, oldest]);
  expect(made.body.metadata).toEqual([]);
  const { id } = made.body;
  const kept = await sandbox.patch(`/customers/${id}`, { metadata: { a: 'b' } }, old);
  expect(kept.body.metadata).toEqual({ a: 'b' });
  expect((await sandbox.patch(`/customers/${id}`, { metadata: [] }, old)).body.metadata).toEqual([]);
  expect((await getAsOld(sandbox, '/customers')).body).toEqual([expect.objectContaining({ id, metadata: [] })]);
  const events = (await getAsOld(sandbox, `/events?related_to=customer,${id}`)).body;
  const shown = events.map(({ data }: { data: { object: object; previous?: object } }) => [
    Reflect.get(data.object, 'metadata'),
    Reflect.get(data.previous ?? {}, 'metadata'),
  ]);
  expect(shown).toEqual(
    expect.arrayContaining([
      [[], undefined],
      [{ a: 'b' }, []],
      [[], { a: 'b' }],
    ]),
  );
});

test('the current version shows and accepts only objects, for the same rows', async () => {
  const { sandbox } = api;
  const made = await sandbox.post('/customers', { name: 'New', metadata: {} });
  expect(made.body.metadata).toEqual({});
  expect((await getAsOld(sandbox, `/customers/${made.body.id}`)).body).toEqual({ ...made.body, metadata: [] });
});

test("bodies are read by the sender's version, as JSON and as a form", async () => {
  const { sandbox } = api;
  const endpoint = { url: 'http://127.0.0.1:9/', events: ['*'] };
  const made = await sandbox.post('/webhooks', endpoint, old);
  expect([made.status, made.body.events]).toEqual([201, ['*']]);
  expect((await sandbox.get(`/webhooks/${made.body.id}`)).body.events).toBe('*');
  const form = { ...old, 'Content-Type': 'application/x-www-form-urlencoded' };
  const formed = await sandbox.post('/webhooks', 'url=http://127.0.0.1:9/&events[]=*', form);
  expect([formed.status, formed.body.events]).toEqual([201, ['*']]);
  const some = await sandbox.patch(`/webhooks/${made.body.id}`, { events: ['invoice.paid'] }, old);
  expect(some.body.events).toEqual(['invoice.paid']);
  expect(await sandbox.post('/webhooks', endpoint)).toMatchObject(refused({ param: 'events[0]' }));
});

test('a replay is shown in the version of the repeated request', async () => {
  const { sandbox } = api;
  const key = { 'Idempotency-Key': 'versions' };
  const first = await sandbox.post('/customers', { name: 'Twice' }, { ...key, ...old });
  const again = await sandbox.post('/customers', { name: 'Twice' }, key);
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  expect([first.body.metadata, again.body]).toEqual([[], { ...first.body, metadata: {} }]);
});

test('an account uses its pinned version unless a request names another', async () => {
  const { sandbox } = await api.open('Pinned');
  await api.em.fork().nativeUpdate(Account, { id: sandbox.account.id }, { apiVersion: oldest });
  const made = await sandbox.post('/customers', { name: 'Pinned' });
  expect([made.headers.get('Api-Version'), made.body.metadata]).toEqual([oldest, []]);
  const current = await sandbox.request('GET', '/customers', undefined, { 'Api-Version': CURRENT_VERSION });
  expect(current.body[0].metadata).toEqual({});
  const refusal = await sandbox.post('/customers', { name: '' });
  expect(refusal).toMatchObject({ status: 400, headers: expect.anything(), body: { object: 'error' } });
  const webhook = await sandbox.post('/webhooks', { url: 'http://127.0.0.1:9/' });
  expect(webhook.body.api_version).toBe(oldest);
});

test('a change of a version applies to every earlier version and to no later one', () => {
  const shown = { object: 'invoice', metadata: {}, items: [{ object: 'line_item', metadata: {} }], other: { a: {} } };
  const before = { object: 'invoice', metadata: [], items: [{ object: 'line_item', metadata: [] }], other: { a: {} } };
  expect(presentAs('2026-10-31', shown)).toEqual(before);
  for (const version of ['2026-11-01', '2027-01-01', null]) expect(presentAs(version, shown)).toEqual(shown);
});

test('metadata with any keys stays unchanged, and so do previous values of unknown kinds', async () => {
  const metadata = { object: 'webhook', events: '*' };
  const made = await api.sandbox.post('/customers', { name: 'Keys', metadata }, old);
  expect(made.body.metadata).toEqual(metadata);
  expect((await getAsOld(api.sandbox, `/customers/${made.body.id}`)).body.metadata).toEqual(metadata);
  const other = { object: 'charge', metadata: {}, events: '*' };
  expect(presentAs(oldest, other)).toEqual(other);
});

test('refusals of a known key name their version', async () => {
  const { sandbox } = await api.open('Refused');
  await api.em.fork().nativeUpdate(Account, { id: sandbox.account.id }, { apiVersion: oldest });
  const reader = (await sandbox.make('/api_keys', { name: 'Reader', scope: 'read' })).key;
  const forbidden = await sandbox.request('POST', '/customers', { name: 'x' }, basic(reader));
  const unknown = await sandbox.request('GET', '/account', undefined, { 'Api-Version': '1999-01-01' });
  const missing = [await sandbox.get('/nothing'), await sandbox.get('/customers/4711')];
  await api.em
    .fork()
    .nativeUpdate(Account, { id: sandbox.account.id }, { settings: { rate_limit: 1, rate_limit_burst: 1 } });
  const spent = (await sandbox.make('/api_keys', { name: 'Spent' }))?.key ?? sandbox.key;
  let last = await sandbox.request('GET', '/account', undefined, basic(spent));
  for (let tries = 0; last.status !== 429 && tries < 20; tries++) {
    last = await sandbox.request('GET', '/account', undefined, basic(spent));
  }
  const answers = [forbidden, unknown, ...missing, last];
  expect(answers.map(({ status }) => status)).toEqual([403, 400, 404, 404, 429]);
  expect(answers.map(({ headers }) => headers.get('Api-Version'))).toEqual(Array(5).fill(oldest));
  const asked = await sandbox.request('GET', '/nothing', undefined, { 'Api-Version': CURRENT_VERSION });
  expect(asked.headers.get('Api-Version')).toBe(CURRENT_VERSION);
  const stranger = await sandbox.request('GET', '/account', undefined, basic('sk_test_x'));
  expect([stranger.status, stranger.headers.get('Api-Version')]).toEqual([401, null]);
});

test('every object with metadata is in the version change for metadata', async () => {
  const { components } = (await api.sandbox.get('/openapi.json')).body;
  const kinds: string[] = Object.values<{ properties?: Record<string, { const?: string; enum?: string[] }> }>(
    components.schemas,
  ).flatMap(({ properties }) =>
    properties?.metadata && properties.object ? (properties.object.const ?? properties.object.enum?.[0] ?? []) : [],
  );
  expect(kinds.length).toBeGreaterThan(8);
  expect([...new Set(kinds)].toSorted()).toEqual([...emptyMetadata.kinds].toSorted());
});

test('a refusal of an invalid key uses and repeats the requested known version', async () => {
  const ask = (version: string) =>
    send(`${api.sandbox.url}/account`, {
      method: 'GET',
      headers: { ...basic('sk_test_wrong'), 'Api-Version': version },
    });
  for (const version of VERSIONS) {
    const answer = await ask(version);
    expect([answer.status, answer.headers.get('Api-Version')]).toEqual([401, version]);
  }
  const unknown = await ask('1999-01-01');
  expect([unknown.status, unknown.headers.get('Api-Version')]).toEqual([401, null]);
});
