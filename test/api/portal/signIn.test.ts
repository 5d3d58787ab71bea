import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { createPerson } from '../../support/person.ts';
import { askForLink, mailedLinks, seen, signInToPortal } from '../../support/portal.ts';

let api: TestApi;
let accountId: number;
const time = { now: Date.parse('2027-03-01T10:00:00Z') };
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(time.now) });
  accountId = api.sandbox.account.id;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const customer = (email: string, more: object = {}) =>
  api.sandbox.make('/customers', { name: `Customer ${email}`, email, ...more });
const bill = (id: number, unit_cost: number) =>
  api.sandbox.make('/invoices', { customer: id, items: [{ name: 'Work', unit_cost }] });
const minutes = (count: number) => {
  time.now += count * 60_000;
};

test('a mailed link signs in once, in the browser that asked, and shows what the customer owes', async () => {
  const { id } = await customer('ada@example.com');
  await bill(id, 40);
  await bill((await customer('other@example.com')).id, 77);
  const { person, screen, link } = await askForLink(api, { accountId, email: 'ADA@example.com' });
  expect(seen(screen)).toContain('Look into your mail');
  const mailed = await link();
  const scanner = createPerson(api); // a program of the mail server opens the link, and uses nothing up
  expect((await scanner.open(mailed)).status).toBe(200);
  const page = await person.open(mailed);
  expect(seen(page)).toContain('You sign in as ada@example.com');
  const home = await person.send(page, page.url.pathname);
  expect([home.status, home.url.pathname]).toEqual([200, `/portal/${accountId}`]);
  expect(seen(home)).toContain('$40.00');
  expect(seen(home)).not.toContain('77');
  expect(home.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  expect((await person.open(mailed)).status).toBe(404); // once
  expect((await scanner.open(`/portal/${accountId}`)).url.pathname).toBe(`/portal/${accountId}/sign_in`);
});

test('another browser needs the code, of which five wrong ones end the link', async () => {
  await customer('code@example.com');
  const { screen, link } = await askForLink(api, { accountId, email: 'code@example.com' });
  const code = /class="bigcode">(\d{3}) (\d{3})</.exec(screen.text)?.slice(1).join('') ?? '';
  const other = createPerson(api);
  const page = await other.open(await link());
  const wrong = code === '000000' ? '000001' : '000000';
  expect((await other.send(page, page.url.pathname, { code: wrong })).status).toBe(401);
  expect((await other.send(page, page.url.pathname, { code })).url.pathname).toBe(`/portal/${accountId}`);

  const again = await askForLink(api, { accountId, email: 'code@example.com' });
  const right = /class="bigcode">(\d{3}) (\d{3})</.exec(again.screen.text)?.slice(1).join('') ?? '';
  const guesser = createPerson(api);
  const guessed = await guesser.open(await again.link());
  for (let tries = 0; tries < 5; tries += 1) await guesser.send(guessed, guessed.url.pathname, { code: 'x' });
  expect((await guesser.send(guessed, guessed.url.pathname, { code: right })).status).toBe(401);
});

test('an unknown address gets the same answer, and no mail', async () => {
  await customer('known@example.com');
  const strip = (text: string) => text.replace(/class="bigcode">[\d ]+</, '').replace(/\S+@example\.com/g, '');
  const known = await askForLink(api, { accountId, email: 'known@example.com' });
  await known.link();
  const before = (await mailedLinks(api, accountId)).length;
  const unknown = await askForLink(api, { accountId, email: 'unknown@example.com' });
  const later = await askForLink(api, { accountId, email: 'known@example.com' });
  await later.link();
  expect((await mailedLinks(api, accountId)).length).toBe(before + 1);
  const tokenless = (text: string) => strip(text).replace(/name="form_token" value="[^"]*"/g, '');
  expect([unknown.screen.status, tokenless(unknown.screen.text)]).toEqual([
    known.screen.status,
    tokenless(known.screen.text),
  ]);
});

test('a link ends after 15 minutes, a session after 30 days, and tries are limited by address', async () => {
  await customer('late@example.com');
  const { person, link } = await askForLink(api, { accountId, email: 'late@example.com' });
  const mailed = await link();
  minutes(15);
  expect((await person.open(mailed)).status).toBe(404);
  const { person: other } = await signInToPortal(api, { accountId, email: 'late@example.com' });
  minutes(30 * 24 * 60 - 1);
  expect((await other.open(`/portal/${accountId}`)).status).toBe(200);
  minutes(1);
  expect((await other.open(`/portal/${accountId}`)).url.pathname).toBe(`/portal/${accountId}/sign_in`);
  const answers = [];
  for (let tries = 0; tries < 6; tries += 1)
    answers.push((await askForLink(api, { accountId, email: 'late@example.com' })).screen.status);
  expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
  minutes(60);
});

test('a session ends at once when its address leaves the customer, or its contact the role', async () => {
  const { id } = await customer('leaves@example.com');
  const contact = (await api.sandbox.make(`/customers/${id}/contacts`, { name: 'Grace', email: 'grace@example.com' }))
    .id;
  const none = await askForLink(api, { accountId, email: 'grace@example.com' });
  expect(none.screen.status).toBe(200);
  await api.sandbox.patch(`/customers/${id}/contacts/${contact}`, { portal_role: 'view' });
  const { person: grace, screen } = await signInToPortal(api, { accountId, email: 'grace@example.com' });
  expect(screen.url.pathname).toBe(`/portal/${accountId}`);
  await api.sandbox.patch(`/customers/${id}/contacts/${contact}`, { portal_role: null });
  expect((await grace.open(`/portal/${accountId}`)).url.pathname).toMatch(/sign_in$/);
  const { person } = await signInToPortal(api, { accountId, email: 'leaves@example.com' });
  await api.sandbox.patch(`/customers/${id}`, { email: 'elsewhere@example.com' });
  expect((await person.open(`/portal/${accountId}`)).url.pathname).toMatch(/sign_in$/);
});

test('an address of several customers chooses, and sees no other', async () => {
  const [one, two, foreign] = [
    await customer('two@example.com', { name: 'First Ltd' }),
    await customer('two@example.com', { name: 'Second Ltd' }),
    await customer('third@example.com', { name: 'Third Ltd' }),
  ];
  await bill(one.id, 11);
  await bill(two.id, 22);
  const { person, screen } = await signInToPortal(api, { accountId, email: 'two@example.com' });
  expect(screen.url.pathname).toBe(`/portal/${accountId}/customers`);
  expect(seen(screen)).toContain('First Ltd');
  const home = await person.send(screen, '/customers', { customer: String(two.id) });
  expect(seen(home)).toContain('$22.00');
  const again = await person.open(`/portal/${accountId}/customers`);
  const refused = await person.send(again, '/customers', { customer: String(foreign.id) });
  expect([refused.url.pathname, seen(refused).includes('Third Ltd')]).toEqual([
    `/portal/${accountId}/customers`,
    false,
  ]);
});

test('signing out ends the session, everywhere if asked, and revoked links end all of the customer', async () => {
  const { id } = await customer('out@example.com');
  const sessions = [];
  for (let count = 0; count < 3; count += 1)
    sessions.push(await signInToPortal(api, { accountId, email: 'out@example.com' }));
  const [first, second, third] = sessions.map(({ person }) => person);
  const isIn = async (person = first) =>
    (await person?.open(`/portal/${accountId}`))?.url.pathname === `/portal/${accountId}`;
  await first?.send(await first.open(`/portal/${accountId}`), '/sign_out');
  expect([await isIn(first), await isIn(second), await isIn(third)]).toEqual([false, true, true]);
  await second?.send(await second.open(`/portal/${accountId}`), '/sign_out', { everywhere: 'yes' });
  expect([await isIn(second), await isIn(third)]).toEqual([false, false]);
  const { person } = await signInToPortal(api, { accountId, email: 'out@example.com' });
  await api.sandbox.post(`/customers/${id}/revoke_links`);
  expect(await isIn(person)).toBe(false);
});

test('an expired session returns to its page, and never elsewhere', async () => {
  await customer('back@example.com');
  const asked = await createPerson(api).open(`/portal/${accountId}/documents?state=open`);
  expect(asked.url.search).toBe(`?${new URLSearchParams({ return_to: 'documents?state=open' })}`);
  for (const [wanted, path] of [
    ['documents?state=open', `/portal/${accountId}/documents`],
    ['//evil.example', `/portal/${accountId}`],
    ['https://evil.example', `/portal/${accountId}`],
    ['../../dashboard', `/portal/${accountId}`],
  ] as const) {
    const { screen } = await signInToPortal(api, { accountId, email: 'back@example.com', returnTo: wanted });
    expect([screen.url.origin, screen.url.pathname]).toEqual(['https://billing.example', path]);
    minutes(60);
  }
});

test('a portal that is switched off shows nothing, and neither does one of an unknown account', async () => {
  const other = (await api.open('Closed')).sandbox;
  expect((await other.get('/account')).body.portal_url).toBe(`https://billing.example/portal/${other.account.id}`);
  await other.patch('/account', { portal_enabled: false });
  expect((await other.get('/account')).body.portal_url).toBeNull();
  const guest = createPerson(api);
  expect((await guest.open(`/portal/${other.account.id}/sign_in`)).status).toBe(404);
  expect((await guest.open('/portal/99999999')).status).toBe(404);
});
