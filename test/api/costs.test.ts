import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, basic, send, startApi, type TestApi } from '../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** 50,000 names of 24 characters. */
const NAMES = Array.from({ length: 50_000 }, (_, index) => `no_such_field_${String(index).padStart(10, '0')}`);
const many = Object.fromEntries(NAMES.map((name) => [name, 'x']));

async function costOf(body: object): Promise<{ answer: Answer; milliseconds: number }> {
  const before = process.cpuUsage();
  const answer = await api.sandbox.post('/customers', body);
  const { user, system } = process.cpuUsage(before);
  return { answer, milliseconds: (user + system) / 1000 };
}

test('fields that nobody knows cost what it costs to read them: the first is refused, with what it was to be', async () => {
  await costOf({ name: 'A', metadata: many });
  const read = await costOf({ name: 'A', metadata: many });
  const refused = await costOf({ nmae: 'x', ...many });
  expect(read.answer).toMatchObject({ status: 400, body: { param: 'metadata' } });
  expect(refused.answer).toMatchObject({
    status: 400,
    body: { param: 'nmae', message: 'Unknown field nmae; did you mean name?' },
  });
  // To compare 50,000 names with forty others takes seconds.
  expect(refused.milliseconds).toBeLessThan(500 + 3 * read.milliseconds);
});

const long = 'x'.repeat(3000);

test.each([
  ['a field', () => api.sandbox.post('/customers', { name: 'A', [long]: 1 })],
  ['a field within another', () => api.sandbox.post('/customers', { name: 'A', ship_to: { [long]: 1 } })],
  ['a key of metadata', () => api.sandbox.post('/customers', { name: 'A', metadata: { [long]: 'x' } })],
  ['a field of a form', () => form(`name=A&${long}=%FF`)],
  ['a parameter', () => api.sandbox.get(`/customers?${long}=1`)],
  ['a parameter that comes twice', () => api.sandbox.get(`/customers?${long}=1&${long}=1`)],
  ['a filter', () => api.sandbox.get(`/customers?filter[${long}]=1`)],
  ['a column', () => api.sandbox.get(`/customers?sort=${long}`)],
])('an error repeats a hundred characters of a name at most: %s', async (_, ask) => {
  const { status, body } = await ask();
  expect(status).toBe(400);
  expect(body.message).not.toContain('x'.repeat(101));
  expect(body.param.length).toBeLessThanOrEqual(100);
});

function form(body: string): Promise<Answer> {
  const headers = { ...basic(api.sandbox.key), 'Content-Type': 'application/x-www-form-urlencoded' };
  return send(`${api.sandbox.url}/customers`, { method: 'POST', body, headers });
}
