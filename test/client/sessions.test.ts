import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiError, createClient } from '../../client/index.ts';
import { csrfOf } from '../../commands/people/sessions.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newPerson } from '../support/ownPage.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const keyed = () => createClient({ baseUrl: api.sandbox.url, apiKey: api.sandbox.key });

test('a session reads and writes as its person, with a token that is renewed', async () => {
  const { cookie } = await newPerson(api, api.live, 'page@example.com');
  const seen: RequestInit[] = [];
  const asBrowser: typeof fetch = (input, init) => {
    seen.push(init ?? {});
    const headers = new Headers(init?.headers);
    headers.set('cookie', `__Host-perennial_person=${cookie}`);
    headers.set('Sec-Fetch-Site', 'same-origin');
    headers.set('Origin', api.deps.publicUrl);
    return fetch(input, { ...init, headers });
  };
  const tokens = [csrfOf(cookie), 'wrong'];
  const csrfToken = async () => tokens.shift() ?? '';
  const session = { account: api.live.account.id, csrfToken };
  const client = createClient({ baseUrl: api.live.url, session, fetch: asBrowser });
  const { id } = await client.post('/customers', { name: 'Of the page' });
  expect(await client.get('/customers/{id}', { id })).toMatchObject({ name: 'Of the page' });
  await expect(client.post('/customers', { name: 'Again' })).rejects.toMatchObject({ status: 403 });
  expect(seen.every(({ credentials }) => credentials === 'same-origin')).toBe(true);
  expect(seen.some(({ headers }) => new Headers(headers).has('Authorization'))).toBe(false);
});

test('a stale save is refused with the object as it is, and saved with its tag', async () => {
  const client = keyed();
  const { id } = await client.post('/customers', { name: 'Shared' });
  const read = await client.full('get', '/customers/{id}', { id });
  expect(read).toMatchObject({ data: { id, name: 'Shared' }, total: null, etag: expect.stringMatching(/^"/) });
  await client.patch('/customers/{id}', { notes: 'theirs' }, { id });
  const mine = client.with({ ifMatch: read.etag ?? '' });
  const error: unknown = await mine.patch('/customers/{id}', { notes: 'mine' }, { id }).catch((reason) => reason);
  if (!(error instanceof ApiError)) throw error;
  expect(error).toMatchObject({ status: 400, code: 'stale', body: { object: 'error', current: { notes: 'theirs' } } });
  const again = client.with({ ifMatch: String(error.body?.etag) });
  const saved = await again.full('patch', '/customers/{id}', { notes: 'both' }, { id });
  expect(saved.data.notes).toBe('both');
  expect(saved.etag).toBe((await client.full('get', '/customers/{id}', { id })).etag);
  expect((await client.full('get', '/customers')).total).toBeGreaterThan(0);
});

test('bytes of papers, lists and files come with their type and name', async () => {
  const client = keyed();
  const { id: customer } = await client.post('/customers', { name: 'Papers' });
  const { id } = await client.post('/invoices', { customer, items: [{ name: 'Hour', unit_cost: 80 }] });
  const pdf = await client.bytes('/invoices/{id}', 'application/pdf', { id });
  expect(pdf).toMatchObject({ type: 'application/pdf', name: expect.stringMatching(/\.pdf$/) });
  expect(await pdf.bytes.slice(0, 5).text()).toBe('%PDF-');
  const csv = await client.bytes('/customers', 'text/csv', { search: 'Papers' });
  expect(csv).toMatchObject({ type: expect.stringContaining('text/csv'), name: expect.stringMatching(/\.csv$/) });
  expect(await csv.bytes.text()).toContain('Papers');
  const missing = client.bytes('/invoices/{id}', 'application/pdf', { id: 4711 });
  await expect(missing).rejects.toMatchObject({
    status: 404,
    code: 'resource_missing',
    body: { type: 'invalid_request' },
  });
});
