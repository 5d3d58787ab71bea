import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  const emails = ['c@x.io', null, 'a@x.io', 'b@x.io', null, 'a@x.io', 'd@x.io'];
  for (const [n, email] of emails.entries()) await api.sandbox.post('/customers', { name: `Customer ${n + 1}`, email });
});
afterAll(() => api.close());

const ORIGIN = 'https://billing.example/sandbox/api';

function link(answer: Answer, rel: string): string | undefined {
  const header = answer.headers.get('Link') ?? '';
  const links = [...header.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(
    (match) => [match[2] ?? '', match[1] ?? ''] as const,
  );
  return new Map(links).get(rel)?.replace(ORIGIN, '');
}

const ids = (answer: Answer): number[] => answer.body.map((row: { id: number }) => row.id);

/** Follows links from a first page. Returns the ids on each page. `between` runs after each page. */
async function follow(path: string, rel: 'next' | 'previous', between = async () => {}): Promise<number[][]> {
  const pages: number[][] = [];
  for (let at: string | undefined = path; at; ) {
    const page: Answer = await api.sandbox.get(at);
    expect(page.status).toBe(200);
    pages.push(ids(page));
    await between();
    at = link(page, rel);
  }
  return pages;
}

// Emails by id: 1 c, 2 none, 3 a, 4 b, 5 none, 6 a, 7 d. PostgreSQL sorts nulls last in ascending order and first in descending order.
test.each([
  ['email', [3, 6, 4, 1, 7, 2, 5]],
  ['email desc', [2, 5, 7, 1, 4, 3, 6]],
  ['email,id desc', [6, 3, 4, 1, 7, 5, 2]],
  ['email desc,name desc', [5, 2, 7, 1, 4, 6, 3]],
  ['', [1, 2, 3, 4, 5, 6, 7]],
])(
  'following links of a list sorted by "%s" visits all objects in order, forwards and backwards',
  async (sort, expected) => {
    const query = `/customers?per_page=2&sort=${encodeURIComponent(sort)}`;
    const forwards = await follow(query, 'next');
    expect(forwards).toEqual([expected.slice(0, 2), expected.slice(2, 4), expected.slice(4, 6), expected.slice(6)]);
    const last = link(await api.sandbox.get(query), 'last') ?? '';
    expect(await follow(last, 'previous')).toEqual(forwards.toReversed());
  },
);

test('rows added or removed on earlier pages do not shift later pages', async () => {
  const made = await Promise.all(
    ['m1', 'm2', 'm3', 'm4', 'm5'].map((name) => api.sandbox.post('/items', { id: name, name })),
  );
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  const churn = ['m1', 'm2'];
  const seen = await follow('/items?per_page=2&sort=name', 'next', async () => {
    const gone = churn.shift();
    if (gone) await api.sandbox.delete(`/items/${gone}`);
    await api.sandbox.post('/items', { name: `a${churn.length}` });
  });
  expect(seen.flat()).toEqual(['m1', 'm2', 'm3', 'm4', 'm5']);
});

test('a page number works without a cursor', async () => {
  expect(ids(await api.sandbox.get('/customers?per_page=2&page=2'))).toEqual([3, 4]);
});

test('a cursor of another order, a truncated one and a forged one are refused', async () => {
  const next = link(await api.sandbox.get('/customers?per_page=2'), 'next') ?? '';
  const cursor = new URLSearchParams(next.split('?')[1]).get('cursor') ?? '';
  const forged = (place: object) => Buffer.from(JSON.stringify({ order: 'id asc', ...place })).toString('base64url');
  const wrong = [
    `sort=name&cursor=${cursor}`,
    `cursor=${cursor.slice(0, -5)}`,
    `cursor=${forged({ after: ['x'] })}`,
    `cursor=${forged({ after: ['1', '2'] })}`,
    `cursor=${forged({ before: ['99999999999999'] })}`,
    `cursor=${forged({ after: [{}] })}`,
    `cursor=${forged({ fromEnd: 1e9 })}`,
  ];
  for (const query of wrong) {
    expect(await api.sandbox.get(`/customers?${query}`)).toMatchObject(refused({ param: 'cursor' }));
  }
});

test.each([
  ['expand', 'x'.repeat(8000)],
  ['metadata[a]', '語'.repeat(255)], // 9 characters each, percent-encoded
  ['filter[name]', '語'.repeat(250)],
])('a query whose links would be too long for clients and proxies is refused: %s', async (name, value) => {
  const long = `${name}=${value}&filter[email]=${'y'.repeat(200)}`;
  const answer = await api.sandbox.get(`/customers?${long}`);
  const message = 'The query of a list may have at most 2400 characters, percent-encoded';
  expect(answer).toMatchObject(refused({ type: 'invalid_request', message }));
});

test('lists whose cursors are too long for links are paged by number', async () => {
  const { sandbox } = await api.open('Long');
  const made: number[] = [];
  for (const n of ['1', '2', '3', '4'])
    made.push((await sandbox.make('/customers', { name: `${n}${'語'.repeat(254)}` })).id);
  const seen: number[] = [];
  const query = `sort=name&per_page=1&expand=${'x'.repeat(2300)}`;
  for (let at: string | undefined = `/customers?${query}`; at; ) {
    const page: Answer = await sandbox.get(at); // throws when the headers exceed 16 KiB
    expect(page.headers.get('Link')?.length).toBeLessThanOrEqual(14_000);
    seen.push(...ids(page));
    at = link(page, 'next');
  }
  expect(seen).toEqual(made);
  expect(link(await sandbox.get('/customers?sort=name&per_page=1'), 'next')).toContain('cursor=');
});

test('a short list needs no count, and a longer one needs one', async () => {
  const counts = async (path: string) =>
    (await api.statements(() => api.sandbox.get(path))).filter((text) => text.includes('count('));
  expect(await counts('/customers')).toHaveLength(0);
  expect(await counts('/customers?per_page=3&page=3')).toHaveLength(0);
  expect(await counts('/customers?per_page=3')).toHaveLength(1);
});
