import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basic, refused, startApi, type TestApi } from '../../support/api.ts';
import { withLongestBlockBelow } from '../../support/eventLoop.ts';

/** The most expensive bodies. None may block the event loop for more than 100 ms. */

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Warm' })).id;
});
afterAll(() => api.close());

const MOST_MILLISECONDS = 100;
const MOST_BYTES = 4 * 1024 * 1024;
const TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/** A body of maximum size: `start`, `part` repeated, `end`. */
function filled(start: string, part: string, end: string): string {
  return start + part.repeat(Math.floor((MOST_BYTES - start.length - end.length) / part.length)) + end;
}

const times = (count: number, part: (index: number) => string) => Array.from({ length: count }, (_, n) => part(n));
const tooMany = expect.stringMatching(/at most (100000 values|1000 fields|32 levels)/);
const tooManyFields = expect.stringContaining('at most 1000 fields');

const bodies: [name: string, body: () => string, answer: object][] = [
  ['numbers in an unknown field', () => filled('{"nothing":[', '1,', '1]}'), { message: tooMany }],
  ['numbers in an ignored field', () => filled('{"name":"A","updated_at":[', '1,', '1]}'), { message: tooMany }],
  ['texts', () => filled('{"name":"A","taxes":[', '"a",', '"a"]}'), { message: tooMany }],
  ['objects', () => filled('{"a":[', '{},', '{}]}'), { message: tooMany }],
  ['names', () => `{${times(350_000, (n) => `"k${n}":1`).join()}}`, { message: tooMany }],
  [
    'names, fewer than values may be,',
    () => `{${times(99_000, (n) => `"k${n}":1`).join()}}`,
    { message: tooManyFields },
  ],
  ['keys of metadata', () => `{"metadata":{${times(350_000, (n) => `"k${n}":1`).join()}}}`, { message: tooMany }],
  ['the same name', () => filled('{', '"name":"A",', '"name":"B"}'), { message: tooMany }],
  ['prototypes', () => filled('{', '"__proto__":{},', '"name":"B"}'), { message: tooMany }],
  ['open brackets', () => '['.repeat(MOST_BYTES), { message: tooMany }],
  ['brackets', () => '['.repeat(MOST_BYTES / 2) + ']'.repeat(MOST_BYTES / 2), { message: tooMany }],
  ['digits', () => filled('{"name":"A","credit_limit":', '7', '}'), { param: 'credit_limit' }],
  ['decimals', () => filled('{"name":"A","credit_limit":1.', '7', '}'), { param: 'credit_limit' }],
  ['an exponent', () => filled('{"name":"A","credit_limit":1e', '9', '}'), { param: 'credit_limit' }],
  ['escapes', () => filled('{"name":"', '\\u0041', '"}'), { param: 'name' }],
  ['escaped quotes', () => filled('{"name":"', '\\"', '"}'), { param: 'name' }],
  ['backslashes without end', () => filled('{"name":"', '\\', ''), { message: 'The request body is not valid JSON' }],
  ['a long text', () => filled('{"name":"', 'a', '"}'), { param: 'name' }],
  ['a long name of a field', () => filled('{"', 'a', '":1}'), { param: 'a'.repeat(100) }],
  ['a long value of metadata', () => filled('{"name":"A","metadata":{"a":"', 'a', '"}}'), { param: 'metadata' }],
  ['a long key of metadata', () => filled('{"name":"A","metadata":{"', 'a', '":"a"}}'), { param: 'metadata' }],
  ['an email', () => filled('{"name":"A","email":"', 'a@', '"}'), { param: 'email' }],
  ['space', () => filled('', ' ', '{}'), { param: 'name' }],
];

const tooLarge = expect.stringMatching(/at most (50000 fields|2000 fields or elements|8 names)/);

const forms: typeof bodies = [
  ['ampersands', () => filled('', '&', ''), { message: tooLarge }],
  ['fields', () => times(49_000, (n) => `k${n}=1`).join('&'), { message: tooLarge }],
  ['one name', () => Array(49_000).fill('name=1').join('&'), { message: tooLarge }],
  ['elements', () => Array(49_000).fill('taxes[]=1').join('&'), { message: tooLarge }],
  ['a late element', () => times(49_000, (n) => `taxes[1999][k${n}]=1`).join('&'), { message: tooLarge }],
  ['elements of elements', () => times(49_000, (n) => `a[${n % 2000}][${n % 25}]=1`).join('&'), { param: 'a' }],
  ['brackets', () => filled('a', '[a]', '=1'), { message: tooLarge }],
  [
    'open brackets',
    () => filled('a', '[', '=1'),
    { message: expect.stringContaining('Field names must have the form') },
  ],
  ['plus signs', () => filled('name=', '+', ''), { param: 'name' }],
  ['percent signs', () => filled('name=', '%41', ''), { param: 'name' }],
  ['a long name', () => filled('', 'a', '=1'), { param: 'a'.repeat(100) }],
];

test.each([
  ...bodies.map((one) => ['json' as const, ...one] as const),
  ...forms.map((one) => ['form' as const, ...one] as const),
])('a %s body with many or long %s is refused before it blocks other requests', async (type, _, body, answer) => {
  const text = body();
  const headers = { 'Content-Type': TYPES[type], 'Idempotency-Key': 'worst' };
  const { result, milliseconds } = await withLongestBlockBelow(MOST_MILLISECONDS, () =>
    api.sandbox.post('/customers', text, headers),
  );
  expect(result).toMatchObject(refused(answer));
  expect(milliseconds).toBeLessThan(MOST_MILLISECONDS);
});

test('comparing the largest ignored values does not block the event loop', async () => {
  const ignored = { digits: '7'.repeat(MOST_BYTES - 100), values: `[${Array(99_000).fill('12.50').join()}]` };
  for (const value of Object.values(ignored)) {
    const body = `{"name":"A","updated_at":${value}}`;
    const postTwice = async () => {
      const headers = { 'Idempotency-Key': randomUUID() };
      return [await api.sandbox.post('/customers', body, headers), await api.sandbox.post('/customers', body, headers)];
    };
    const { result, milliseconds } = await withLongestBlockBelow(MOST_MILLISECONDS, postTwice);
    const [first, again] = result;
    expect([first?.status, again?.body]).toEqual([201, first?.body]);
    expect(milliseconds).toBeLessThan(MOST_MILLISECONDS);
  }
});

test('reading, pricing and showing a thousand full lines does not block the event loop', async () => {
  for (const id of ['one', 'two', 'three']) await api.sandbox.post('/tax_rates', { id, name: id, value: 7 });
  const coupon = (await api.sandbox.make('/coupons', { id: 'off', name: 'Off', value: 10 })).id;
  const metadata = Object.fromEntries(times(10, (n) => `key ${n}`).map((key) => [key, 'value']));
  const line = { name: 'Line', description: 'What was done', quantity: 1.25, unit_cost: 19.99, metadata };
  const items = Array(1000).fill({ ...line, taxes: ['one', 'two', 'three'], discounts: [coupon] });
  const issue = () => api.sandbox.post('/invoices', { customer, items });
  const { result, milliseconds } = await withLongestBlockBelow(MOST_MILLISECONDS, issue);
  expect([result.status, result.body.items.length]).toEqual([201, 1000]);
  expect(milliseconds).toBeLessThan(MOST_MILLISECONDS);
});

test('the page and the first PDF of the largest document do not block the event loop', async () => {
  const description = 'What was done '.repeat(14).slice(0, 190);
  const items = times(1000, (n) => `Line ${n}`).map((name) => ({ name, description, unit_cost: 1 }));
  // Each try issues another invoice, because its PDF is stored after the first request.
  const print = async () => {
    const { body } = await api.sandbox.post('/invoices', { customer, items });
    const sizes = [];
    for (const url of [body.url, body.pdf_url]) {
      const answer = await fetch(`${api.origin}${new URL(url).pathname}`);
      sizes.push(answer.status, (await answer.arrayBuffer()).byteLength > 50_000);
    }
    return sizes;
  };
  const { result, milliseconds } = await withLongestBlockBelow(MOST_MILLISECONDS, print);
  expect(result).toEqual([200, true, 200, true]);
  expect(milliseconds).toBeLessThan(MOST_MILLISECONDS);
});

test('answering a page of large invoices, or of their events, does not block the event loop', async () => {
  const { sandbox } = await api.open('Large');
  const { id } = await sandbox.make('/customers', { name: 'Large' });
  await sandbox.post('/items', { id: 'hour', name: 'Hour', unit_cost: 1 });
  const items = Array(1000).fill({
    catalog_item: 'hour',
    name: 'Line',
    description: 'What was done',
    quantity: 1.25,
    unit_cost: 19.99,
  });
  for (let n = 0; n < 100; n++) await sandbox.post('/invoices', { customer: id, items });
  const old = { 'Api-Version': '2026-09-01' };
  for (const [path, more] of [
    ['/invoices', {}],
    ['/events', {}],
    ['/invoices', old],
    ['/invoices?expand=items.catalog_item,items.plan', {}],
  ] as const) {
    const read = async () => {
      const query = `${path.includes('?') ? '&' : '?'}per_page=100`;
      const { status, body } = await fetch(`${sandbox.url}${path}${query}`, {
        headers: { ...basic(sandbox.key), ...more },
      });
      let bytes = 0;
      for await (const chunk of body ?? []) bytes += chunk.length;
      return { status, bytes };
    };
    const { result, milliseconds } = await withLongestBlockBelow(MOST_MILLISECONDS, read);
    expect(result.status).toBe(200);
    expect(result.bytes).toBeGreaterThan(5_000_000);
    expect(milliseconds).toBeLessThan(MOST_MILLISECONDS);
  }
});
