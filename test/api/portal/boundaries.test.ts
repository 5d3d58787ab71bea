import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { createPerson, type Person } from '../../support/person.ts';
import { askForLink, openPortal, portalLink, seen, signInToPortal } from '../../support/portal.ts';
import { sourceVisitor } from '../../support/sourcePage.ts';

/** What the holders of one customer cannot do to each other, and what ends with a change by the account. */

let api: TestApi;
let accountId: number;
let count = 0;
beforeAll(async () => {
  api = await startApi();
  accountId = api.sandbox.account.id;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const root = () => `/portal/${accountId}`;
const signIn = async (email: string) => (await signInToPortal(api, { accountId, email })).person;
const read = async (customer: number) => (await api.sandbox.get(`/customers/${customer}`)).body;

/** A customer with an address of its own, and a contact with a role. */
async function holders(role: 'pay' | 'view', more: object = {}) {
  count += 1;
  const [email, contact] = [`owner${count}@example.com`, `contact${count}@example.com`];
  const customer = (await api.sandbox.make('/customers', { name: `Customer ${count}`, email, ...more })).id;
  await api.sandbox.make(`/customers/${customer}/contacts`, { name: 'Grace', email: contact, portal_role: role });
  return { customer, email, contact };
}

async function addSource(person: Person, token: string, method = 'credit_card'): Promise<void> {
  const visitor = await sourceVisitor(api, api.sandbox);
  const page = await person.open(`${root()}/sources/add?method=${method}`);
  await person.send(page, '/sources/add', { consent: 'yes', service_token: await visitor.tokenOf(token, method) });
}

test('the source of a contact never becomes the default by itself, and switches no automatic payment on', async () => {
  const { customer, email, contact } = await holders('pay');
  await addSource(await signIn(contact), 'tok_4242424242424242');
  expect(await read(customer)).toMatchObject({ payment_source: null, autopay: false });
  expect((await api.sandbox.get(`/customers/${customer}/payment_sources`)).body).toHaveLength(1);
  const manager = await signIn(email);
  const list = await manager.open(`${root()}/sources`);
  expect([seen(list).includes('4242'), list.text.includes('value="default"')]).toEqual([true, false]);
  const source = /name="source" value="(\d+)"/.exec(list.text)?.[1] ?? '';
  expect((await manager.send(list, '/sources', { source, action: 'default' })).status).toBe(404);
  const [{ id }] = (await api.sandbox.get(`/customers/${customer}/contacts`)).body;
  await api.sandbox.delete(`/customers/${customer}/contacts/${id}`);
  expect((await manager.send(list, '/sources', { source, action: 'default' })).status).toBe(404);
  expect(await read(customer)).toMatchObject({ payment_source: null });
  await addSource(manager, 'tok_5454545454545454');
  expect(await read(customer)).toMatchObject({ payment_source: { last4: '5454' }, autopay: true });
});

test('a contact confirms its bank account by the two deposits, and pays with it; nobody else uses it', async () => {
  const { customer, email, contact } = await holders('pay');
  const person = await signIn(contact);
  const visitor = await sourceVisitor(api, api.sandbox);
  const service_token = await visitor.tokenOf('tok_110000000_000123456789', 'ach');
  const form = await person.open(`${root()}/sources/add?method=ach`);
  const added = await person.send(form, '/sources/add', { consent: 'yes', service_token });
  const { id } = await api.sandbox.make('/invoices', { customer, items: [{ name: 'Work', unit_cost: 40 }] });
  const review = () => person.open(`${root()}/pay/review?currency=usd`);
  expect(seen(await review())).not.toContain('6789');
  const wrong = await person.send(added, added.url.pathname, { amount1: '0.11', amount2: '0.12' });
  expect(seen(await review())).not.toContain('6789'); // wrong amounts confirm nothing
  await person.send(wrong, added.url.pathname, { amount1: '0.35', amount2: '0.45' });
  const page = await review();
  expect(seen(page)).toContain('6789');
  expect(await read(customer)).toMatchObject({ payment_source: null, autopay: false });
  const source = /name="source" value="(\d+)"/.exec(page.text)?.[1] ?? '';
  const other = (
    await api.sandbox.make(`/customers/${customer}/contacts`, {
      name: 'Eve',
      email: `eve.${email}`,
      portal_role: 'pay',
    })
  ).id;
  const eve = await signIn(`eve.${email}`);
  expect(seen(await eve.open(`${root()}/sources`))).not.toContain('6789');
  const theirs = await eve.open(`${root()}/pay/review?currency=usd`);
  expect([other > 0, (await eve.send(theirs, '/pay/review', { source })).status]).toEqual([true, 400]);
  expect(seen(await person.send(page, '/pay/review', { source }))).toContain('Thank you for your payment');
  expect((await api.sandbox.get(`/invoices/${id}`)).body).toMatchObject({ paid: true });
});

test('a change of the address that waits to be confirmed ends when the account changes it, or everybody is signed out', async () => {
  const change = async (person: Person, to: string) => {
    await person.send(await person.open(`${root()}/details`), '/details/email', { email: to });
    const sql = `select text from email where template = 'portal_email_change_email' order by id desc limit 1`;
    const [mail] = await api.em.fork().execute<{ text: string }[]>(sql);
    return /(\/portal\/\d+\/emails\/\w+)/.exec(mail?.text ?? '')?.[1] ?? '';
  };
  const { customer, email, contact } = await holders('view');
  const first = await change(await signIn(email), 'thief@example.net');
  await api.sandbox.patch(`/customers/${customer}`, { email: `new-${email}` });
  expect((await createPerson(api).open(first)).status).toBe(404);
  const person = await signIn(`new-${email}`);
  const second = await change(person, 'thief@example.net');
  const viewer = await signIn(contact);
  await viewer.send(await viewer.open(root()), '/sign_out', { everywhere: 'yes' });
  expect((await createPerson(api).open(second)).status).toBe(200); // who only looks ends no change
  await person.send(await person.open(`${root()}/details`), '/sign_out', { everywhere: 'yes' });
  expect((await createPerson(api).open(second)).status).toBe(404);
  expect((await read(customer)).email).toBe(`new-${email}`);
});

test('a part of an invoice is not charged twice by two tabs that show the same balance', async () => {
  const { customer, email } = await holders('view');
  await addSource(await signIn(email), 'tok_4242424242424242');
  await api.sandbox.patch('/account', { partial_payments: true });
  const { id } = await api.sandbox.make('/invoices', { customer, items: [{ name: 'Work', unit_cost: 100 }] });
  const person = await signIn(email);
  const tab = () => person.open(`${root()}/pay/review?currency=usd&amount=10`);
  const [one, other] = [await tab(), await tab()];
  expect(seen(one)).toContain('$10.00 of $100.00');
  const source = /name="source" value="(\d+)"/.exec(one.text)?.[1] ?? '';
  await person.send(one, '/pay/review', { source });
  const again = await person.send(other, '/pay/review', { source });
  // 100 - 10: the other tab showed 100, so it is shown again.
  expect([again.status, seen(again).includes('$10.00 of $90.00')]).toEqual([400, true]);
  expect((await api.sandbox.get(`/invoices/${id}`)).body.balance).toBe(90);
});

test('revoking the links of a customer ends the sessions of its addresses, also those that show another customer', async () => {
  const { customer, email } = await holders('view');
  const other = (await api.sandbox.make('/customers', { name: 'Another one', email })).id;
  const { person } = await signInToPortal(api, { accountId, email });
  await person.send(await person.open(`${root()}/customers`), '/customers', { customer: String(other) });
  expect((await person.open(root())).status).toBe(200);
  const asked = await askForLink(api, { accountId, email });
  const link = await asked.link();
  await api.sandbox.post(`/customers/${customer}/revoke_links`);
  expect((await person.open(root())).url.pathname).toMatch(/sign_in$/);
  expect((await asked.person.open(link)).status).toBe(404);
});

test('only who manages the customer gets the address of an estimate, which approves it', async () => {
  const { customer, email, contact } = await holders('view');
  const { number, url } = await api.sandbox.make('/estimates', { customer, items: [{ name: 'Roof', unit_cost: 40 }] });
  const reader = createPerson(api);
  const path = await portalLink(api.sandbox, customer, { read_only: true });
  await reader.send(await reader.open(path), path);
  for (const person of [await signIn(contact), reader]) {
    const list = await person.open(`${root()}/documents?kind=estimate`);
    expect([seen(list).includes(number), list.text.includes(new URL(url).pathname)]).toEqual([true, false]);
  }
  const list = await (await signIn(email)).open(`${root()}/documents?kind=estimate`);
  expect(list.text).toContain(new URL(url).pathname);
});

test("a session of the account's product may lead back to the product when it ends", async () => {
  const { customer } = await holders('view');
  const person = await openPortal(api, api.sandbox, customer);
  const policy = (await person.open(root())).headers.get('Content-Security-Policy');
  expect(policy).toMatch(/form-action 'self' https:\/\/app\.example(\/account)?(;|$)/);
  const out = await person.send(await person.open(root()), '/sign_out', { everywhere: 'no' });
  expect(out.left?.href).toBe('https://app.example/account');
});

test('addresses that nobody made lead nowhere, and days outside the calendar are wrong', async () => {
  const { email } = await holders('view');
  const person = await signIn(email);
  for (const path of ['__proto__', 'constructor', 'hasOwnProperty/x'])
    expect([path, (await person.open(`${root()}/${path}`)).status]).toEqual([path, 404]);
  const days = { '%2B275760-09-13': 400, '-000001-01-01': 400, '9999-12-31': 200, '0001-01-01': 200 };
  for (const [until, status] of Object.entries(days))
    expect([until, (await person.open(`${root()}/documents?until=${until}`)).status]).toEqual([until, status]);
});
