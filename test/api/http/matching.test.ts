import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, type TestApi } from '../../support/api.ts';
import { operationsOfKeys } from '../../support/openapi.ts';
import { requestIn, startWorld, type World } from '../../support/world.ts';

let api: TestApi;
let client: Client;
let world: World;
beforeAll(async () => {
  ({ api, client, world } = await startWorld());
});
afterAll(() => api.close());

const matching = operationsOfKeys.filter(({ operation }) =>
  operation.parameters.some((one) => '$ref' in one && one.$ref.endsWith('/IfMatch')),
);
const ifMatch = (tag: string | null) => ({ 'If-Match': tag ?? '' });

async function tagOf(path: string, headers = {}): Promise<string> {
  const answer = await client.request('GET', path, undefined, headers);
  expect(answer).toMatchObject({ status: 200 });
  return answer.headers.get('ETag') ?? '';
}

test('every PATCH takes If-Match', () => {
  const patches = operationsOfKeys.filter(({ method }) => method === 'PATCH').map(({ id }) => id);
  expect(patches.filter((id) => !matching.some((one) => one.id === id))).toEqual([]);
});

test.each(matching.map((one) => [one.id, one] as const))(
  '%s refuses an old tag and changes nothing',
  async (_, one) => {
    const { path, body } = requestIn(world, one);
    const answer = await client.request(one.method, path, body, ifMatch('"old"'));
    expect(answer).toMatchObject(refused({ code: 'stale', param: 'If-Match' }));
    expect(answer.body.etag).toMatch(/^"([0-9a-f]{32}|default)"$/);
    const { current } = answer.body;
    if (current === null) expect(one.path).toMatch(/cards|bank_accounts/);
    else expect(current).toMatchObject({ object: expect.any(String) });
  },
);

test('a tag is the same with expansions, in earlier versions, in the answer of a write and of its repetition', async () => {
  const { id: customer } = await client.make('/customers', { name: 'Tagged' });
  const key = { 'Idempotency-Key': 'tagged-invoice' };
  const body = { customer, items: [{ name: 'Hour', unit_cost: 80 }] };
  const made = await client.request('POST', '/invoices', body, key);
  const path = `/invoices/${made.body.id}`;
  const tag = await tagOf(path);
  expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
  expect(made.headers.get('ETag')).toBe(tag);
  expect((await client.request('POST', '/invoices', body, key)).headers.get('ETag')).toBe(tag);
  expect(await tagOf(`${path}?expand=customer&include=payment_plan`)).toBe(tag);
  expect(await tagOf(path, { 'Api-Version': '2026-10-01' }).catch(() => tag)).toBe(tag);
  await client.post(`${path}/emails`, { to: [{ name: 'A', email: 'a@example.com' }] });
  const changed = await client.request('PATCH', path, { items: [{ name: 'Hour', unit_cost: 80, description: 'x' }] });
  expect(changed.headers.get('ETag')).not.toBe(tag);
  expect(await tagOf(path)).toBe(changed.headers.get('ETag'));
});

test('a current tag, one of several, a weakened one and * are accepted, and the new tag is answered', async () => {
  const path = `/customers/${(await client.make('/customers', { name: 'Lists' })).id}`;
  const forms = [(tag: string) => tag, (tag: string) => `"other", ${tag}`, (tag: string) => `W/${tag}`, () => '*'];
  for (const [index, form] of forms.entries()) {
    const answer = await client.request('PATCH', path, { notes: `n${index}` }, ifMatch(form(await tagOf(path))));
    expect(answer).toMatchObject({ status: 200, body: { notes: `n${index}` } });
    expect(answer.headers.get('ETag')).toBe(await tagOf(path));
  }
  const before = await tagOf(path);
  const again = await client.request('PATCH', path, { notes: 'n3' }, ifMatch(before));
  expect(again.headers.get('ETag')).toBe(before);
  const stale = await client.request('PATCH', path, { notes: 'mine' }, ifMatch('"old"'));
  expect(stale.body).toMatchObject({ etag: before, current: { object: 'customer', notes: 'n3' } });
});

test('an If-Match that is no list of tags, or has no meaning, is refused', async () => {
  const path = `/customers/${world.customers}`;
  for (const wrong of ['x', '"x', '"a" "b"', '*, "a"', Array(200).fill('"a"').join()])
    expect(await client.request('PATCH', path, {}, ifMatch(wrong))).toMatchObject(
      refused({ code: 'parameter_invalid', param: 'If-Match' }),
    );
  expect(await client.request('POST', '/customers', { name: 'New' }, ifMatch('"x"'))).toMatchObject(
    refused({ param: 'If-Match' }),
  );
  expect(await client.request('PATCH', '/customers/4711', {}, ifMatch('"x"'))).toMatchObject({ status: 404 });
});

const twins: [what: string, path: () => Promise<string>, body: (who: string) => object][] = [
  ['customer', async () => `/customers/${(await client.make('/customers', { name: 'T' })).id}`, (notes) => ({ notes })],
  ['item', async () => `/items/${(await client.make('/items', { name: 'T' })).id}`, (description) => ({ description })],
  [
    'draft with lines',
    async () =>
      `/invoices/${(await client.make('/invoices', { customer: world.customers, draft: true, items: [{ unit_cost: 1 }] })).id}`,
    (name) => ({ items: [{ name, unit_cost: 1 }] }),
  ],
  ['payment method', async () => '/payment_methods/check', (instructions) => ({ instructions })],
  [
    'PDF template that is plain',
    async () => '/pdf_templates/receipt',
    (who) => ({ layout: who === 'a0' ? 'modern' : 'compact' }),
  ],
  ['account', async () => '/account', (footer) => ({ footer })],
  ['role', async () => `/roles/${world.roles}`, (name) => ({ name })],
];

test.each(twins)('of four requests for the same %s with one tag, one wins', async (_what, at, body) => {
  const path = await at();
  const tag = await tagOf(path);
  const answers = await Promise.all(
    [0, 1, 2, 3].map((index) => client.request('PATCH', path, body(`a${index}`), ifMatch(tag))),
  );
  expect(answers.map(({ status, body: told }) => told.code ?? status).sort()).toEqual([200, 'stale', 'stale', 'stale']);
});
