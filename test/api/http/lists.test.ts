import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  for (const name of ['Cora', 'Abe', 'Bea', 'Abe', 'Dan']) await api.sandbox.post('/customers', { name });
});
afterAll(() => api.close());

const names = (answer: Answer) => answer.body.map((row: { name: string }) => row.name);

function links(answer: Answer): Record<string, string> {
  const header = answer.headers.get('Link') ?? '';
  return Object.fromEntries([...header.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map((match) => [match[2], match[1]]));
}

test('a list is an array, sorted by id, with links and count', async () => {
  const all = await api.sandbox.get('/customers');
  expect(names(all)).toEqual(['Cora', 'Abe', 'Bea', 'Abe', 'Dan']);
  expect(all.headers.get('X-Total-Count')).toBe('5');
  const url = 'https://billing.example/sandbox/api/customers?page=1&per_page=100';
  expect(links(all)).toEqual({ self: url, first: url, last: url });
});

test('following next visits every page', async () => {
  const origin = 'https://billing.example/sandbox/api';
  const seen: string[] = [];
  let path: string | undefined = '/customers?per_page=2&sort=name DESC';
  let pages = 0;
  while (path) {
    const page: Answer = await api.sandbox.get(path);
    seen.push(...names(page));
    pages += 1;
    expect(Object.keys(links(page))).toEqual(
      ['self', 'first', pages > 1 ? 'previous' : '', pages < 3 ? 'next' : '', 'last'].filter(Boolean),
    );
    path = links(page).next?.replace(origin, '');
  }
  expect(seen).toEqual(['Dan', 'Cora', 'Bea', 'Abe', 'Abe']);
});

test('lists sort by several columns, ignoring case, and by id last', async () => {
  const sorted = await api.sandbox.get('/customers?sort=name asc,created_at DESC');
  const twice = await api.sandbox.get('/customers?sort=NAME');
  expect(names(sorted)).toEqual(['Abe', 'Abe', 'Bea', 'Cora', 'Dan']);
  const ids = twice.body.map((row: { id: number }) => row.id);
  expect(ids[0]).toBeLessThan(ids[1]);
});

test('a page beyond the end is empty, and per_page is brought within its limits', async () => {
  const beyond = await api.sandbox.get('/customers?page=9&per_page=2');
  expect(beyond).toMatchObject({ status: 200, body: [] });
  expect(links(beyond)).toMatchObject({
    last: expect.stringContaining('page=3'),
    previous: expect.stringContaining('page=3'),
  });
  expect((await api.sandbox.get('/customers?per_page=0')).body).toHaveLength(1);
  expect(links(await api.sandbox.get('/customers?per_page=5000')).self).toContain('per_page=100');
  expect((await api.sandbox.get('/customers?page=999999999999')).body).toEqual([]);
});

test('commas and semicolons in links are percent-encoded', async () => {
  const answer = await api.sandbox.get('/customers?sort=name,id&filter[name]=a;b,c');
  expect(links(answer).self).toContain('sort=name%2Cid&filter%5Bname%5D=a%3Bb%2Cc');
});

test('filters and times narrow a list', async () => {
  expect(names(await api.sandbox.get('/customers?filter[name]=Abe&filter[autopay]=False'))).toEqual(['Abe', 'Abe']);
  expect(names(await api.sandbox.get('/customers?filter[autopay]=1'))).toEqual([]);
  expect(names(await api.sandbox.get('/customers?updated_after=7000000000'))).toEqual([]);
  expect(names(await api.sandbox.get('/customers?updated_before=7000000000'))).toHaveLength(5);
});

test.each([
  ['sort=nmae', 'sort', expect.stringContaining('did you mean name?')],
  [`sort=${Array(420).fill('id').join()}`, 'sort', 'sort must not repeat a column: id'],
  ['sort=name,created_at,NAME desc', 'sort', 'sort must not repeat a column: name'],
  ['sort=name up', 'sort', expect.stringContaining('asc or desc')],
  ['filter[nope]=1', 'filter[nope]', expect.stringContaining('Unknown filter column nope')],
  ['filter=x', 'filter', expect.stringContaining('Unknown filter column')],
  ['filter[autopay]=maybe', 'filter[autopay]', 'filter[autopay] must be true or false'],
  ['filter[name]=%00', 'filter[name]', expect.stringContaining('null characters')],
  ['updated_after=now', 'updated_after', expect.stringContaining('must be a UNIX time')],
  ['page=two', 'page', 'page must be a whole number: two'],
])('%s is refused, naming %s', async (query, param, message) => {
  expect(await api.sandbox.get(`/customers?${query}`)).toMatchObject(refused({ param, message }));
});

test('every list can be bounded by the time of change, or of creation where objects never change', async () => {
  const paths = 'customers invoices items plans subscriptions payments charges webhooks webhook_attempts problems';
  for (const path of [...paths.split(' '), 'events', 'api_keys', 'oauth_grants', 'oauth_applications']) {
    const all = Number((await api.sandbox.get(`/${path}`)).headers.get('X-Total-Count'));
    const of = async (query: string) => (await api.sandbox.get(`/${path}?${query}`)).headers.get('X-Total-Count');
    expect([path, await of('updated_after=7000000000')]).toEqual([path, '0']);
    expect([path, await of('updated_before=7000000000')]).toEqual([path, String(all)]);
  }
});

test('every list is an array with its headers, also an empty one', async () => {
  const paths = 'invoices items plans subscriptions payments charges events webhooks webhook_attempts problems';
  for (const path of paths.split(' ')) {
    const answer = await api.live.get(`/${path}`);
    expect(answer).toMatchObject({ status: 200, body: [] });
    expect(answer.headers.get('X-Total-Count')).toBe('0');
    expect(links(answer)).toHaveProperty('last');
  }
});

test('a list can be filtered by metadata, exactly and by every given key', async () => {
  const other = await api.open('Other');
  for (const client of [api.sandbox, other.sandbox]) {
    await client.post('/items', { id: 'm1', name: 'One', metadata: { region: 'eu', tier: 'gold' } });
    await client.post('/items', { id: 'm2', name: 'Two', metadata: { region: 'eu', tier: 2 } });
  }
  await api.sandbox.post('/items', { id: 'm3', name: 'Three' });
  const found = async (query: string) => names(await api.sandbox.get(`/items?${query}`));
  expect(await found('metadata[region]=eu')).toEqual(['One', 'Two']);
  expect(await found('metadata[region]=eu&metadata[tier]=2')).toEqual(['Two']);
  expect(await found('metadata[region]=EU')).toEqual([]);
  expect(await found('metadata[region]=')).toEqual([]);
  expect(await found('metadata[region]=eu&filter[name]=One')).toEqual(['One']);
  expect(await found('metadata[__proto__]=eu')).toEqual([]);
});

test.each(['customers', 'items', 'plans', 'subscriptions', 'invoices', 'payments'])(
  '%s have metadata',
  async (path) => {
    expect(await api.sandbox.get(`/${path}?metadata[no]=thing`)).toMatchObject({ status: 200, body: [] });
  },
);

test.each([
  ['/events?metadata[a]=b', 'metadata[a]', 'Event lists cannot be filtered by metadata: these objects have none'],
  ['/items?metadata=b', 'metadata', expect.stringContaining('metadata[key]=value')],
  ['/items?metadata[]=b', 'metadata[]', expect.stringContaining('metadata[key]=value')],
  ['/items?metadata[a]=%00', 'metadata[a]', expect.stringContaining('null characters')],
  ['/items?metadata[%00]=b', 'metadata[\0]', expect.stringContaining('null characters')],
])('%s is refused, naming its parameter', async (path, param, message) => {
  expect(await api.sandbox.get(path)).toMatchObject(refused({ param, message }));
});

test('a list bounded by a time is sorted by id, and does not skip at the end of a page', async () => {
  const [first] = (await api.sandbox.get('/customers')).body;
  await api.sandbox.patch(`/customers/${first.id}`, { notes: 'changed last' });
  const page: Answer = await api.sandbox.get('/customers?updated_after=0&per_page=4');
  const next = links(page).next?.replace('https://billing.example/sandbox/api', '') ?? '';
  expect([...names(page), ...names(await api.sandbox.get(next))]).toEqual(['Cora', 'Abe', 'Bea', 'Abe', 'Dan']);
});

test.each([
  ['filter[status][]=paid', 'filter[status][]', 'operator []'],
  ['filter[status][x]=paid', 'filter[status][x]', 'operator x'],
  ['filter[status]x=paid', 'filter[status]x', 'did you mean filter[status]?'],
  ['Filter[status]=paid', 'Filter[status]', 'did you mean filter[status]?'],
  ['filter[status=paid', 'filter[status', 'did you mean filter[status]?'],
  ['metadata[k][]=v', 'metadata[k][]', 'with several keys'],
  ['updated_after[]=1', 'updated_after[]', 'did you mean updated_after?'],
  ['sort[]=date', 'sort[]', 'did you mean sort?'],
  ['page[]=2', 'page[]', 'did you mean page?'],
  ['updatedafter=1', 'updatedafter', 'did you mean updated_after?'],
  [`${'x'.repeat(80)}=1`, 'x'.repeat(80), 'Unknown parameter x'],
])('a misspelled filter is refused, naming it: %s', async (query, param, message) => {
  expect(await api.sandbox.get(`/invoices?${query}`)).toMatchObject(
    refused({ param, message: expect.stringContaining(message) }),
  );
});

test('values of expand and include can be repeated, and unknown ones are ignored', async () => {
  const query = 'expand[]=customer&expand[]=nothing&include[]=x&include=y';
  for (const path of ['/invoices', '/events']) expect((await api.sandbox.get(`${path}?${query}`)).status).toBe(200);
});

test('a filter without a value does not filter; an unknown one is refused even so', async () => {
  expect(names(await api.sandbox.get('/customers?filter[name]=&updated_after='))).toHaveLength(5);
  expect(await api.sandbox.get('/customers?filter[nope]=')).toMatchObject({ status: 400 });
});

test('metadata keys with brackets can be filtered', async () => {
  await api.sandbox.post('/items', { id: 'brackets', name: 'Brackets', metadata: { 'a]b': '1', '[c]': '2' } });
  for (const query of ['metadata[a]b]=1', 'metadata[[c]]=2']) {
    expect(names(await api.sandbox.get(`/items?${query}`))).toEqual(['Brackets']);
  }
});

test('a repeated parameter is refused, because one of its values would be ignored', async () => {
  for (const name of ['page', 'sort', 'filter[name]', 'updated_after']) {
    const answer = await api.sandbox.get(`/customers?${name}=1&${name}=2`);
    expect(answer).toMatchObject(refused({ param: name, message: `${name} must not be repeated` }));
  }
});

test.each([
  ['POST', '/customers', 'dry_run=1', 'dry_run', 'Unknown parameter dry_run'],
  ['POST', '/customers', 'filter[name]=x', 'filter[name]', 'Unknown parameter filter[name]'],
  ['PATCH', '/account', 'dryrun=1', 'dryrun', 'Unknown parameter dryrun'],
  ['GET', '/customers/1', 'sort=name', 'sort', 'Unknown parameter sort'],
  ['DELETE', '/customers/1', 'force=1', 'force', 'Unknown parameter force'],
  ['GET', '/account', 'expand=a&x=1&x=2', 'x', 'x must not be repeated'],
])('a parameter without effect is refused: %s %s?%s', async (method, path, query, param, message) => {
  const before = (await api.sandbox.get('/customers')).headers.get('X-Total-Count');
  const answer = await api.sandbox.request(
    method,
    `${path}?${query}`,
    method === 'GET' ? undefined : { name: 'Stray' },
  );
  expect(answer).toMatchObject(refused({ param, message }));
  expect((await api.sandbox.get('/customers')).headers.get('X-Total-Count')).toBe(before);
});

test('the timeline of a deleted object is 404', async () => {
  const customer = (await api.sandbox.make('/customers', { name: 'Timeline' })).id;
  const draft = (await api.sandbox.make('/invoices', { customer, draft: true, items: [{ unit_cost: 1 }] })).id;
  expect((await api.sandbox.get(`/invoices/${draft}/timeline`)).status).toBe(200);
  await api.sandbox.delete(`/invoices/${draft}`);
  expect((await api.sandbox.get(`/invoices/${draft}/timeline`)).status).toBe(404);
});
