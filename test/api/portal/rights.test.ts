import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, send, startApi, type TestApi } from '../../support/api.ts';
import { addMember, authorize, oauthClient, register } from '../../support/oauth.ts';
import { colleague } from '../../support/people.ts';
import { createPerson, type Person } from '../../support/person.ts';
import { mailedLinks, portalLink, seen, signInToPortal } from '../../support/portal.ts';

/** What a session may do is asked again at each request, and what it did is in the audit log. */

let api: TestApi;
let accountId: number;
let customer: number;
const time = { now: Date.parse('2027-03-01T10:00:00Z') };
const RETURN = 'https://app.example/account';
const AGENT = { 'User-Agent': 'Mozilla/5.0' };
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(time.now) });
  accountId = api.sandbox.account.id;
  await api.sandbox.patch('/account', { portal_return_urls: [RETURN] });
  customer = (await api.sandbox.make('/customers', { name: 'Watched Ltd', email: 'watched@example.com' })).id;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const root = () => `/portal/${accountId}`;
const isIn = async (person: Person) => (await person.open(root())).url.pathname === root();
const enter = async (url: string) => {
  const person = createPerson(api);
  const { pathname } = new URL(url, api.deps.publicUrl);
  await person.send(await person.open(pathname), pathname);
  expect(await isIn(person)).toBe(true);
  return person;
};
async function enterBy(client: Client, more: object = {}): Promise<Person> {
  const made = await client.post(`/customers/${customer}/portal_sessions`, { return_url: RETURN, ...more });
  expect(made.status).toBe(201);
  return enter(made.body.url);
}

test('the session of a key ends when its member is deactivated, and when its role or its customers no longer suffice', async () => {
  const { sandbox } = api;
  const { id, client } = await colleague(api, sandbox, { role: 'employee' });
  const change = (body: object) => sandbox.patch(`/members/${id}`, body);
  const person = await enterBy(client);
  const reader = await enterBy(client, { read_only: true });
  const both = async () => [await isIn(person), await isIn(reader)];
  expect((await change({ role: 'read_only' })).status).toBe(200);
  expect(await both()).toEqual([false, true]); // who only reads may still look
  await sandbox.make('/roles', { id: 'few', name: 'Few', permissions: ['customers.write', 'documents.read'] });
  await change({ role: 'few' });
  expect(await both()).toEqual([false, false]);
  await change({ role: 'employee', owner_limited: true });
  expect(await both()).toEqual([false, false]); // it owns other customers
  await sandbox.patch(`/customers/${customer}`, { owner: id });
  expect(await both()).toEqual([true, true]);
  await sandbox.patch(`/customers/${customer}`, { owner: null });
  expect(await both()).toEqual([false, false]);
  await change({ owner_limited: false });
  expect(await both()).toEqual([true, true]);
  await change({ status: 'deactivated' });
  expect(await both()).toEqual([false, false]);
});

test('the session of an application ends with its grant, and with the member who gave it', async () => {
  const credentials = await addMember(api, api.live.account, 'ann@acme.example');
  const application = await register(api, api.sandbox);
  const enterByToken = async () => {
    const { access_token } = await authorize(api, oauthClient(api, application), { credentials });
    const headers = { Authorization: `Bearer ${access_token}` };
    const body = { return_url: RETURN };
    return enter(
      (await send(`${api.sandbox.url}/customers/${customer}/portal_sessions`, { method: 'POST', headers, body })).body
        .url,
    );
  };
  const first = await enterByToken();
  const [grant] = (await api.sandbox.get('/oauth_grants')).body;
  expect((await api.sandbox.delete(`/oauth_grants/${grant.id}`)).status).toBe(204);
  expect(await isIn(first)).toBe(false);
  const second = await enterByToken();
  const members = (await api.sandbox.get('/members')).body;
  const { id } = members.find(({ email }: { email: string }) => email === credentials.email);
  await api.sandbox.patch(`/members/${id}`, { status: 'deactivated' });
  expect(await isIn(second)).toBe(false);
});

test('a page that a session which only reads opens writes nothing: a payment is not looked up, nor its payer led to the bank', async () => {
  const { sandbox } = api;
  const gateway_token = 'tok_4000000000003220';
  await sandbox.make(`/customers/${customer}/payment_sources`, { method: 'credit_card', gateway_token });
  const items = [{ name: 'Work', unit_cost: 40 }];
  const { url } = await sandbox.make('/invoices', { customer, items, autopay: false });
  const payer = await enter(await portalLink(sandbox, customer));
  const review = await payer.open(`${root()}/pay/review?currency=usd`);
  const source = /name="source" value="(\d+)"/.exec(review.text)?.[1] ?? '';
  const waiting = await payer.send(review, '/pay/review', { source });
  expect(waiting.text).toContain('/test_gateway/challenges/');
  time.now += 10_000;
  const reader = await enter(await portalLink(sandbox, customer, { read_only: true }));
  const state = () => api.em.fork().execute('select * from attempt where customer_id = ? order by id', [customer]);
  const before = await state();
  const challenge = /\/test_gateway\/challenges\/([\w-]+)/.exec(waiting.text)?.[1] ?? '';
  await api.gateway.challenges.answer(challenge, true);
  const looked = await reader.open(`${waiting.url.pathname}?returned=1`);
  expect([looked.status, looked.text.includes('test_gateway'), looked.headers.get('Refresh')]).toEqual([
    200,
    false,
    null,
  ]);
  expect(looked.text).not.toContain(`<form method="post" action="${waiting.url.pathname}"`);
  expect(await state()).toEqual(before);
  const cookie = [...reader.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const open = (headers: object) =>
    fetch(url.replace(api.deps.publicUrl, api.origin), { headers: { ...AGENT, ...headers } });
  const statusNow = async () => (await sandbox.get(`/invoices?filter[customer]=${customer}`)).body[0].status;
  await open({ cookie });
  expect(await statusNow()).toBe('not_sent');
  await open({});
  expect(await statusNow()).toBe('viewed');
  expect(seen(await payer.open(`${waiting.url.pathname}?returned=1`))).toContain('Thank you for your payment');
});

test('the choice of another customer is in the audit log, and a session tells to the minute when it was used', async () => {
  const { sandbox } = api;
  const email = 'several@example.com';
  const [one, two] = [
    (await sandbox.make('/customers', { name: 'A Ltd', email })).id,
    (await sandbox.make('/customers', { name: 'B Ltd', email })).id,
  ];
  const { person, screen } = await signInToPortal(api, { accountId, email });
  await person.send(screen, '/customers', { customer: String(one) }); // it is the one that is shown already
  await person.send(await person.open(`${root()}/customers`), '/customers', { customer: String(two) });
  const wrong = await person.send(await person.open(`${root()}/customers`), '/customers', { customer: '99999999999' });
  expect(wrong.url.pathname).toBe(`${root()}/customers`);
  const log = (await sandbox.get('/audit_log?sort=id desc&per_page=30')).body;
  const chosen = log.filter(({ operation }: { operation: string }) => operation === 'chooseCustomerInPortal');
  expect(chosen).toMatchObject([
    { actor: { type: 'customer', id: two }, object_type: 'customer', object_id: String(two) },
  ]);
  const sql = 'select last_seen_at from portal_session where account_id = ? and email = ?';
  const seenAt = async () =>
    new Date(
      (await api.em.fork().execute<{ last_seen_at: string }[]>(sql, [accountId, email]))[0]?.last_seen_at ?? 0,
    ).getTime();
  const signedInAt = time.now;
  time.now += 59_000;
  await person.open(root());
  expect(await seenAt()).toBe(signedInAt);
  time.now += 1000;
  await person.open(root());
  expect(await seenAt()).toBe(time.now);
});

test('strangers who ask for links of an address do not lock its owner out, and one who holds a link uses it', async () => {
  const email = 'wanted@example.com';
  await api.sandbox.make('/customers', { name: 'Wanted', email });
  const askFrom = async (network: string, person = createPerson(api)) => {
    const page = await person.open(`${root()}/sign_in`);
    const [, form_token = ''] = /name="form_token" value="([^"]*)"/.exec(page.text) ?? [];
    const { status } = await person.post(`${root()}/sign_in`, { form_token, email }, { 'X-Forwarded-For': network });
    return status;
  };
  const tries = async (network: string, count: number) => {
    const statuses = [];
    for (let index = 0; index < count; index += 1) statuses.push(await askFrom(network));
    return statuses;
  };
  const owner = createPerson(api);
  expect(await tries('203.0.113.7', 6)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(await askFrom('198.51.100.4', owner)).toBe(200);
  const link = (await mailedLinks(api, accountId)).at(-1) ?? '';
  for (const network of ['203.0.113.8', '203.0.113.9', '203.0.113.10']) await tries(network, 5);
  expect(await tries('203.0.113.11', 5)).toEqual([200, 200, 200, 200, 429]); // 25 in an hour from everywhere
  const page = await owner.open(link);
  expect((await owner.send(page, page.url.pathname)).url.pathname).toBe(root());
  time.now += 3_600_000;
  expect(await askFrom('203.0.113.7')).toBe(200);
});
