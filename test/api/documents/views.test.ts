import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basic, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
});
afterAll(() => api.close());

const items = [{ name: 'Support hour', quantity: 2, unit_cost: 120 }];
const invoice = (more: object = {}) => api.sandbox.make('/invoices', { customer, items, ...more });

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const look = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url.replace('https://billing.example', api.origin), { method, headers: { 'User-Agent': BROWSER, ...headers } });
const read = async (id: number) => (await api.sandbox.get(`/invoices/${id}`)).body;
const eventsOf = async (id: number) => (await api.sandbox.get(`/events?related_to=invoice,${id}`)).body;
const viewsOf = async (id: number) =>
  (await eventsOf(id)).filter(({ type }: { type: string }) => type === 'invoice.viewed');

test('the first view by a reader is recorded once, as an event with the changed fields', async () => {
  const { id, url } = await invoice();
  const pokes = api.pokes();
  expect((await look(url)).status).toBe(200);
  expect(api.pokes()).toBeGreaterThan(pokes);
  expect((await read(id)).status).toBe('viewed');
  const [event] = await viewsOf(id);
  expect(event).toMatchObject({
    type: 'invoice.viewed',
    user: { id: -1 },
    data: { object: { id, status: 'viewed', customer: { id: customer } }, previous: { status: 'not_sent' } },
  });
  await Promise.all([look(url), look(url), look(url)]);
  expect(await viewsOf(id)).toHaveLength(1);
});

test('simultaneous views are recorded once', async () => {
  const { id, url } = await invoice();
  const answers = await Promise.all(Array.from({ length: 6 }, () => look(url)));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(await viewsOf(id)).toHaveLength(1);
});

test.each([
  ['a HEAD request', {}, 'HEAD'],
  ['a prefetched page', { 'Sec-Purpose': 'prefetch;prerender' }, 'GET'],
  ['a page prefetched by an old browser', { Purpose: 'prefetch' }, 'GET'],
  ['a page in a frame', { 'Sec-Fetch-Dest': 'iframe' }, 'GET'],
  ['a search engine', { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }, 'GET'],
  ['a chat preview', { 'User-Agent': 'Slackbot-LinkExpanding 1.0' }, 'GET'],
  ['an HTTP library', { 'User-Agent': 'python-requests/2.32' }, 'GET'],
])('%s does not count as a view', async (_, headers, method) => {
  const { id, url } = await invoice();
  expect((await look(url, headers, method)).status).toBe(200);
  expect((await read(id)).status).toBe('not_sent');
  expect(await eventsOf(id)).toHaveLength(1);
});

test('fetching the PDF is no view, and a view does not change the status of a paid invoice', async () => {
  const fetched = await invoice();
  await look(fetched.pdf_url);
  expect((await read(fetched.id)).status).toBe('not_sent');
  const { id, url } = await invoice();
  const applied_to = [{ type: 'invoice', invoice: id, amount: 240 }];
  await api.sandbox.post('/payments', { customer, amount: 240, applied_to });
  await look(url, { 'Sec-Fetch-Dest': 'document' });
  expect((await read(id)).status).toBe('paid');
  const [event] = await viewsOf(id);
  expect(event.data.previous).toEqual({});
});

test.each([
  ['invoices', 'invoice'],
  ['estimates', 'estimate'],
  ['credit_notes', 'credit_note'],
])('only an issued document has a public page and a PDF: %s', async (path, type) => {
  const own = (await api.sandbox.make('/customers', { name: 'Own' })).id;
  const { id, url, pdf_url } = (await api.sandbox.post(`/${path}`, { customer: own, items, draft: true })).body;
  expect([url, pdf_url]).toEqual([null, null]);
  const [row] = await api.em.execute<{ token: string }[]>(`select token from ${type} where id = ?`, [id]);
  const address = `${api.origin}/documents/${api.sandbox.account.id}/${type}/${id}/${row?.token}`;
  const statuses = async () => [(await look(address)).status, (await look(`${address}/pdf`)).status];
  expect(await statuses()).toEqual([404, 404]);
  expect((await api.sandbox.get(`/${path}/${id}`)).body.status).toBe('draft');
  const headers = { ...basic(api.sandbox.key), Accept: 'application/pdf' };
  expect((await fetch(`${api.sandbox.url}/${path}/${id}`, { headers })).headers.get('Content-Type')).toBe(
    'application/pdf',
  );
  const issued = (await api.sandbox.patch(`/${path}/${id}`, { draft: false })).body;
  expect(issued).toMatchObject({ url: expect.any(String), pdf_url: `${issued.url}/pdf` });
  expect(await statuses()).toEqual([200, 200]);
});

test('the page is shown even when the view cannot be recorded', async () => {
  const { id, url } = await invoice();
  // Another transaction locks the customer for longer than the lock timeout.
  await api.em.fork().transactional(async (em) => {
    await em.execute('select 1 from customer where id = ? for update', [customer]);
    expect((await look(url)).status).toBe(200);
  });
  expect(api.faults).toHaveLength(1);
  expect((await read(id)).status).toBe('not_sent');
  expect((await look(url)).status).toBe(200);
  expect((await read(id)).status).toBe('viewed');
});
