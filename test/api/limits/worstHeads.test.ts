import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basic, startApi, type TestApi } from '../../support/api.ts';
import { withLongestBlockBelow } from '../../support/eventLoop.ts';

/** Paths, queries and headers of maximum length. None may block the event loop for more than 100 ms. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  for (let n = 0; n < 20; n++) await api.sandbox.post('/customers', { name: `Customer ${n}`, metadata: { k: 'v' } });
});
afterAll(() => api.close());

const MOST_MILLISECONDS = 100;
/** Node accepts up to 16 KiB of request line and headers. */
const MOST_CHARACTERS = 15_500;

/** A text of maximum length: `start`, `part` repeated, `end`. Leaves room for the base URL and other headers. */
function filled(start: string, part: string, end = ''): string {
  return start + part.repeat(Math.floor((MOST_CHARACTERS - start.length - end.length) / part.length)) + end;
}

/** Joins parts up to the maximum length. */
function counted(part: (index: number) => string, separator: string): string {
  let text = '';
  for (let n = 0; text.length < MOST_CHARACTERS - 60; n++) text += (n === 0 ? '' : separator) + part(n);
  return text;
}

const accepts = 'text/*;q=0.1,';
const headers: [name: string, value: string][] = [
  ['Accept', filled('', accepts, 'application/json')],
  ['Accept', filled('', ',')],
  ['Accept', filled('a/a', ';a=b')],
  ['Accept', filled('a/a;q="', '\\"', '"')],
  ['Accept', filled('application/json', ' ', ';')],
  ['Accept-Language', counted((n) => `de-${n};q=0.${n % 10}`, ',')],
  ['Accept-Language', filled('a', '-a')],
  ['Accept-Encoding', counted((n) => `gzip${n};q=0.5`, ',')],
  ['X-Forwarded-For', filled('', '1.2.3.4,', '1.2.3.4')],
  ['X-Forwarded-For', filled('', ',')],
  ['X-Forwarded-Proto', filled('', 'https,', 'https')],
  ['X-Forwarded-Host', filled('', 'a')],
  ['Forwarded', filled('', 'for=1.2.3.4;', 'by=a')],
  ['Cookie', counted((n) => `name${n}=value`, '; ')],
  ['Cookie', filled('', '=;')],
  ['Cookie', filled('_session="', '%41', '"')],
  ['Range', filled('bytes=', '0-1,', '0-1')],
  ['If-None-Match', filled('', '"a",', '"a"')],
  ['If-None-Match', filled('', 'W/', '"')],
  ['If-Modified-Since', filled('', '1')],
  ['Authorization', filled('Basic ', 'QUFB')],
  ['Authorization', filled('Basic ', 'Ojo6')],
  ['Authorization', filled('Bearer ', 'a')],
  ['Authorization', filled('Basic', ' ', 'a')],
  ['Authorization', filled('', 'a ')],
  ['Origin', filled('https://', 'a.', 'com')],
  ['Host', filled('', 'a.', 'com')],
  ['Content-Type', filled('application/json', ';a=b')],
  ['Content-Type', filled('application/json;a="', '\\"', '"')],
  ['Idempotency-Key', filled('', 'a')],
  ['Api-Version', filled('', '2026-11-01')],
];

const paths: [name: string, path: string][] = [
  ['filters by metadata', `/customers?${counted((n) => `metadata[k${n}]=v`, '&')}`],
  ['filters by metadata, percent-encoded', `/customers?${counted((n) => `metadata%5Bk${n}%5D=%76`, '&')}`],
  [
    'filters by metadata that links can repeat',
    `/customers?${Array.from({ length: 120 }, (_, n) => `metadata[${n}]=v`).join('&')}`,
  ],
  ['the same filter', `/customers?${filled('', 'metadata[a]=v&')}`],
  ['unknown parameters', `/customers?${counted((n) => `p${n}`, '&')}`],
  ['an unknown parameter', `/customers?${filled('', 'a')}`],
  ['an unknown parameter of an object', `/customers/1?${filled('', 'a')}`],
  ['an unknown filter', `/customers?filter[${filled('', 'a', ']=1')}`],
  ['brackets', `/customers?${filled('metadata', '[')}`],
  ['expand', `/invoices?expand=${filled('', 'customer.')}`],
  ['expand of a list', `/invoices?${filled('', 'expand=customer&').slice(0, 2300)}`],
  ['expand in parts', `/customers/1?${filled('', 'expand[]=parent_customer&')}`],
  ['expand of many names', `/customers/1?expand=${counted((n) => `n${n}`, ',')}`],
  ['include', `/customers/1?include=${filled('', ',')}`],
  ['sort', `/customers?sort=${counted((n) => `name${n}`, ',')}`],
  ['sort by space', `/customers?sort=${filled('name', '%20', 'desc')}`],
  ['sort by little', `/customers?sort=${'name%20'.repeat(300)}`],
  ['sort by nothing', `/customers?sort=${filled('', ',')}`],
  ['a filter value', `/customers?filter[number]=${filled('', 'a')}`],
  ['a number as a filter', `/customers?filter[id]=${filled('', '9')}`],
  ['a time as a filter', `/customers?updated_after=${filled('', '2')}`],
  ['a page', `/customers?page=${filled('', '9')}`],
  ['a cursor', `/customers?cursor=${filled('', 'a')}`],
  ['a cursor of brackets', `/customers?cursor=${Buffer.from('['.repeat(11_000)).toString('base64url')}`],
  [
    'a cursor of a place',
    `/customers?cursor=${Buffer.from(JSON.stringify({ order: 'id asc', after: Array(2700).fill('1') })).toString('base64url')}`,
  ],
  [
    'a cursor of a long id',
    `/customers?cursor=${Buffer.from(JSON.stringify({ order: 'id asc', after: ['1'.repeat(11_000)] })).toString('base64url')}`,
  ],
  ['a segment', `/customers/${filled('', 'a')}`],
  ['a segment of digits', `/customers/${filled('', '1')}`],
  ['segments', `/customers${filled('', '/a')}`],
  ['slashes', filled('', '/')],
  ['dashes', `/customers/${filled('', '-')}`],
  ['percent-encoded letters', `/customers/${filled('', '%41')}`],
  ['percent-encoded slashes', `/customers/${filled('', '%2F')}`],
  ['broken percent-encoding', `/customers/${filled('', '%')}`],
  ['bytes that are no UTF-8', `/customers/${filled('', '%ff')}`],
  ['broken percent-encoding of a query', `/customers?name=${filled('', '%f')}`],
  ['colons', `/customers/${filled('', ':')}`],
  ['NUL', `/customers?name=${filled('', '%00')}`],
];

const send = async (url: string, given: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers: { ...basic(api.sandbox.key), ...given } });
  return { status: answer.status, text: await answer.text() };
};

async function measured(work: () => Promise<{ status: number; text: string }>): Promise<void> {
  const { result, milliseconds } = await withLongestBlockBelow(MOST_MILLISECONDS, work);
  expect(milliseconds).toBeLessThan(MOST_MILLISECONDS);
  expect(result.status).toBeLessThan(500);
}

test.each(headers)('%# reading a header %s of 15,000 characters does not block other requests', async (name, value) => {
  const given = { [name]: value };
  await measured(() => send(`${api.sandbox.url}/customers/1?include=x`, given));
  await measured(() => send(`${api.origin}/oauth/authorize`, given));
});

test.each(paths)('a path or query of maximum length does not block other requests: %s', async (_, path) => {
  await measured(() => send(`${api.sandbox.url}${path}`));
  await measured(() => send(`${api.origin}${path}`));
  expect(api.faults).toEqual([]);
});
