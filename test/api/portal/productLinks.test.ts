import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { createPerson } from '../../support/person.ts';
import { seen } from '../../support/portal.ts';

let api: TestApi;
let accountId: number;
const time = { now: Date.parse('2027-03-01T10:00:00Z') };
const RETURN = 'https://app.example/account';
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(time.now) });
  accountId = api.sandbox.account.id;
  await api.sandbox.patch('/account', { portal_return_urls: [RETURN] });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const root = () => `/portal/${accountId}`;
const customer = async (name: string) => (await api.sandbox.make('/customers', { name, email: 'a@example.com' })).id;
const linkTo = (id: number, more: object = {}) =>
  api.sandbox.make(`/customers/${id}/portal_sessions`, { return_url: `${RETURN}?user=5`, ...more });
async function enter(id: number, more: object = {}) {
  const { url } = await linkTo(id, more);
  const person = createPerson(api);
  const page = await person.open(url);
  return { url, person, page, home: await person.send(page, new URL(url).pathname) };
}

test('a link names the customer, opens its portal once by a form, and leads back', async () => {
  const id = await customer('Linked Ltd');
  await api.sandbox.make('/invoices', { customer: id, items: [{ unit_cost: 33 }] });
  const { url, person, page, home } = await enter(id);
  expect(seen(page)).toContain('Continue as Linked Ltd');
  expect(seen(home)).toMatch(/Back to app\.example.*\$33\.00/);
  expect(home.text).toContain(`href="${RETURN}?user=5"`);
  expect((await createPerson(api).open(url)).status).toBe(404); // once
  const out = await person.send(home, '/sign_out');
  expect(out.left?.href).toBe(`${RETURN}?user=5`);
});

test('a link ends after five minutes and its session after an hour', async () => {
  const id = await customer('Late Ltd');
  const { url } = await linkTo(id);
  const { person } = await enter(id);
  time.now += 5 * 60_000;
  expect((await createPerson(api).open(url)).status).toBe(404);
  expect((await person.open(root())).status).toBe(200);
  time.now += 55 * 60_000;
  expect((await person.open(root())).url.pathname).toMatch(/sign_in$/);
});

test('it leads back to the dashboard of this site', async () => {
  const id = await customer('Dash Ltd');
  const back = `${api.deps.publicUrl}/dashboard/${accountId}/sandbox/customers/${id}`;
  const { home } = await enter(id, { return_url: back, read_only: true });
  expect(home.text).toContain(`href="${back}"`);
  for (const return_url of [`${api.deps.publicUrl}/sign_in`, `${back}#a`, `${back}/../../../sign_in`, `${back}/%2e%2e`])
    expect((await api.sandbox.post(`/customers/${id}/portal_sessions`, { return_url })).status).toBe(400);
});

test('it leads back to registered addresses only, and a disabled portal or a foreign customer has none', async () => {
  const id = await customer('Careful Ltd');
  for (const return_url of [
    'https://evil.example/account',
    'https://app.example/other',
    'https://app.example.evil.example/account',
    'https://app.example@evil.example/account',
    'http://app.example/account',
    `${RETURN}#x`,
    'javascript:alert(1)',
    'x',
  ])
    expect(await api.sandbox.post(`/customers/${id}/portal_sessions`, { return_url })).toMatchObject(
      refused({ param: 'return_url' }),
    );
  for (const portal_return_urls of [['ftp://x.example'], ['https://x.example/a?b'], ['http://x.example'], ['nothing']])
    expect(await api.sandbox.patch('/account', { portal_return_urls })).toMatchObject(
      refused({ param: 'portal_return_urls' }),
    );
  const other = (await api.open('Other')).sandbox;
  expect((await other.post(`/customers/${id}/portal_sessions`, { return_url: RETURN })).status).toBe(404);
  const { url } = await linkTo(id);
  const elsewhere = url.replace(`/portal/${accountId}/`, `/portal/${other.account.id}/`);
  expect((await createPerson(api).open(elsewhere)).status).toBe(404);
});

test('such a session cannot change addresses, and one that only reads changes nothing, which the audit log tells', async () => {
  const id = await customer('Watched Ltd');
  const { person } = await enter(id);
  const details = await person.open(`${root()}/details`);
  expect(details.text).not.toContain('/details/email');
  const token = /name="form_token" value="([^"]+)"/.exec(details.text)?.[1] ?? '';
  expect((await person.post(`${root()}/details/email`, { form_token: token, email: 'e@example.com' })).status).toBe(
    400,
  );
  expect((await person.send(details, '/details', { name: 'Renamed Ltd' })).status).toBe(200);

  const reader = await enter(id, { read_only: true });
  expect(seen(reader.home)).toContain('Nothing can be changed here');
  const own = /name="form_token" value="([^"]+)"/.exec(reader.home.text)?.[1] ?? '';
  for (const path of ['details', 'pay', 'pay/review', 'sources', 'details/email'])
    expect([path, (await reader.person.post(`${root()}/${path}`, { form_token: own, name: 'x' })).status]).toEqual([
      path,
      403,
    ]);
  expect((await api.sandbox.get(`/customers/${id}`)).body.name).toBe('Renamed Ltd');
  const log = await api.em.fork().execute<{ kind: string; operation: string }[]>(
    `select kind, operation from audit_log where account_id = ? and object_type = 'customer' and object_id = ?
     and (operation like '%ortal%') order by id`,
    [accountId, String(id)],
  );
  expect(log).toEqual(
    expect.arrayContaining([
      { kind: 'sign_in', operation: 'openPortal' },
      { kind: 'change', operation: 'changeDetailsInPortal' },
      { kind: 'sign_in', operation: 'openPortalReadOnly' },
      { kind: 'refusal', operation: 'portal:details' },
    ]),
  );
});

test('a session ends with its key, and a link of a revoked key opens nothing', async () => {
  const id = await customer('Keyed Ltd');
  const { id: keyId, key } = await api.sandbox.make('/api_keys', { name: 'Product' });
  const headers = { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` };
  const ask = () => api.sandbox.request('POST', `/customers/${id}/portal_sessions`, { return_url: RETURN }, headers);
  const [used, waiting] = [(await ask()).body.url, (await ask()).body.url];
  const person = createPerson(api);
  await person.send(await person.open(used), new URL(used).pathname);
  expect((await person.open(root())).status).toBe(200);
  await api.sandbox.delete(`/api_keys/${keyId}`);
  expect((await person.open(root())).url.pathname).toMatch(/sign_in$/);
  const other = createPerson(api);
  expect((await other.send(await other.open(waiting), new URL(waiting).pathname)).status).toBe(404);
});
