import { expect, test } from '@jest/globals';
import { createPerson, type Person, type Screen } from '../../support/person.ts';
import { askForLink, mailedLinks, seen, signInToPortal } from '../../support/portal.ts';
import { forge, portalShop, RETURN } from '../../support/portalShop.ts';

/** What strangers, programs and customers try at the portal. */

const shop = portalShop();
const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)> x" autofocus onfocus="alert(1)`;

/** A customer with something at every place of the portal, whose texts are `text`. */
async function furnish(text: string): Promise<void> {
  const { customer, email } = shop;
  const { sandbox } = shop.api;
  const changed = { name: text, attention_to: text, address1: text, city: text };
  expect((await sandbox.patch(`/customers/${customer}`, changed)).status).toBe(200);
  for (const gateway_token of ['tok_5454545454545454', 'tok_110000000_123456789'])
    await sandbox.make(`/customers/${customer}/payment_sources`, {
      method: gateway_token.includes('0_1') ? 'ach' : 'credit_card',
      gateway_token,
    });
  const items = [{ name: text, description: text, unit_cost: 40 }];
  const more = { name: text, notes: text, purchase_order: text.slice(0, 30) };
  const invoices: { id: number }[] = [];
  for (let count = 0; count < 3; count += 1)
    invoices.push(await sandbox.make('/invoices', { customer, items, autopay: false, ...more }));
  await sandbox.make('/estimates', { customer, items, notes: text, deposit: 5 });
  await sandbox.make(`/customers/${customer}/contacts`, { name: text, email: `v.${email}`, portal_role: 'view' });
  const applied_to = [{ type: 'invoice', invoice: invoices[0]?.id, amount: 40 }];
  await sandbox.make('/payments', { customer, amount: 40, method: 'check', notes: text, reference: text, applied_to });
  await sandbox.make('/credit_notes', { customer, items: [{ name: text, unit_cost: 2 }], notes: text });
  await sandbox.make('/customers', { name: text, parent_customer: customer });
  await shop.subscribe();
}

/** Opens every page of the portal to which its links lead, from the overview. Few of each kind. */
async function crawl(person: Person): Promise<Screen[]> {
  const found = new Map<string, Screen>();
  const kinds = new Map<string, number>();
  const waiting = [shop.root];
  for (let path = waiting.pop(); path !== undefined && found.size < 150; path = waiting.pop()) {
    const kind = path.replaceAll(/\d+/g, '0');
    const seenOfKind = kinds.get(kind) ?? 0;
    if (found.has(path) || seenOfKind >= 2) continue;
    kinds.set(kind, seenOfKind + 1);
    const page = await person.open(path);
    found.set(path, page);
    const links = [...page.text.matchAll(/href="(\/portal\/[^"#]*)"/g)].map(([, to = '']) =>
      to.replaceAll('&amp;', '&'),
    );
    waiting.push(...links.filter((to) => !to.includes('/pdf')));
  }
  return [...found.values()];
}

/** Opens the portal of the customer by a link of the account's product. */
async function enter(read_only: boolean): Promise<Person> {
  const asked = { return_url: RETURN, read_only };
  const { url } = await shop.api.sandbox.make(`/customers/${shop.customer}/portal_sessions`, asked);
  const person = createPerson(shop.api);
  const page = await person.open(url);
  expect((await person.send(page, page.url.pathname)).status).toBe(200);
  return person;
}

test('no page can be framed, kept, or indexed, and none shows text of people as anything but text', async () => {
  await furnish(HOSTILE);
  const person = await shop.signIn();
  const pages = await crawl(person);
  const paths = pages.map(({ url }) => url.pathname.replace(shop.root, '').replaceAll(/\d+/g, '0'));
  for (const path of ['', '/documents', '/payments', '/pay', '/pay/review', '/sources', '/sources/add', '/details'])
    expect(paths).toContain(path);
  for (const path of ['/people', '/companies', '/subscriptions', '/invoices/0', '/subscriptions/0/cancel'])
    expect(paths).toContain(path);
  const guest = createPerson(shop.api);
  for (const path of ['/sign_in', '/sign_in/x', '/sessions/x', '/emails/x', '/nothing'])
    pages.push(await guest.open(`${shop.root}${path}`));
  let shown = 0;
  for (const { url, text, headers } of pages) {
    const of = (name: string) => headers.get(name);
    expect([url.pathname, of('Content-Security-Policy')?.includes("frame-ancestors 'none'")]).toEqual([
      url.pathname,
      true,
    ]);
    expect([of('Cache-Control'), of('X-Robots-Tag')]).toEqual(['no-store', 'noindex, nofollow']);
    expect([url.pathname, /<script>alert|<img src=x|" autofocus onfocus="/.exec(text)]).toEqual([url.pathname, null]);
    if (text.includes('&lt;script&gt;alert')) shown += 1;
  }
  expect(shown).toBeGreaterThan(10);
});

test('a session that only reads refuses every form of the portal, changes nothing, and the audit log tells of it', async () => {
  await furnish('Work');
  const pages = await crawl(await enter(false));
  const forms = new Map<string, Record<string, string>>();
  for (const { text } of pages)
    for (const [, action = '', content = ''] of text.matchAll(
      /<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g,
    )) {
      const inputs = [...content.matchAll(/<(?:input|button)[^>]* name="([^"]*)" value="([^"]*)"/g)];
      forms.set(
        action.replaceAll('&amp;', '&'),
        Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value])),
      );
    }
  forms.delete(`${shop.root}/sign_out`);
  for (const path of ['pay/tokens?currency=usd', 'sources/add/tokens', 'people', 'details/email'])
    forms.set(`${shop.root}/${path}`, {});
  const places = new Set([...forms.keys()].map((to) => to.replace(`${shop.root}/`, '').split(/[/?]/)[0]));
  expect([...places].sort()).toEqual(['details', 'invoices', 'pay', 'people', 'sources', 'subscriptions']);
  const reader = await enter(true);
  const state = async () =>
    JSON.stringify([
      (await shop.read(`/events?per_page=1`))[0]?.id,
      await shop.read(`/customers/${shop.customer}`),
      await shop.read(`/subscriptions?filter[customer]=${shop.customer}`),
      await shop.api.em.fork().execute('select count(*) from attempt'),
    ]);
  const before = await state();
  for (const [to, fields] of forms) {
    const { form_token: _, ...sent } = fields;
    expect([to, (await forge(reader, to, sent)).status]).toEqual([to, 403]);
  }
  expect(await state()).toBe(before);
  const logged = await shop.api.em
    .fork()
    .execute<{ operation: string }[]>(
      `select distinct operation from audit_log where kind = 'refusal' and operation like 'portal:%' and account_id = ? order by 1`,
      [shop.accountId],
    );
  expect(logged.map(({ operation }) => operation)).toEqual([...places].sort().map((place) => `portal:${place}`));
});

test('the mail to a known address is queued before the answer, and waits for no work on its customer, so its time tells nothing', async () => {
  const { em } = shop.api;
  const before = (await mailedLinks(shop.api, shop.accountId)).length;
  const blocker = em.fork();
  await blocker.begin();
  await blocker.execute('select 1 from customer where id = ? for no key update', [shop.customer]);
  const { screen } = await askForLink(shop.api, { accountId: shop.accountId, email: shop.email });
  expect(seen(screen)).toContain('Look into your mail');
  expect(await mailedLinks(shop.api, shop.accountId)).toHaveLength(before + 1);
  await blocker.commit();
});

test('a program that follows a link of the product uses nothing up, two browsers at once open one session', async () => {
  const { url } = await shop.api.sandbox.make(`/customers/${shop.customer}/portal_sessions`, { return_url: RETURN });
  const { pathname } = new URL(url);
  const scanner = createPerson(shop.api);
  for (let count = 0; count < 3; count += 1) expect((await scanner.open(url)).status).toBe(200);
  expect((await fetch(`${shop.api.origin}${pathname}`, { method: 'HEAD' })).status).toBe(200);
  expect((await scanner.post(pathname, {})).status).toBe(403);
  const pair = [createPerson(shop.api), createPerson(shop.api)];
  const pages = await Promise.all(pair.map((one) => one.open(url)));
  const answers = await Promise.all(pair.map((one, index) => one.send(pages[index] as Screen, pathname)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
});

test('links and sessions of one account open nothing at another, and guesses of links are limited', async () => {
  const other = (await shop.api.open('Neighbour')).sandbox;
  const { email } = shop;
  await other.make('/customers', { name: 'Same', email });
  const there = `/portal/${other.account.id}`;
  const { person, link } = await askForLink(shop.api, { accountId: shop.accountId, email });
  const mailed = new URL(await link()).pathname;
  expect((await person.open(mailed.replace(shop.root, there))).status).toBe(404);
  const page = await person.open(mailed);
  await person.send(page, mailed);
  const session = [...person.cookies].find(([name]) => name.endsWith(`portal_${shop.accountId}`));
  person.cookies.set(`${session?.[0].replace(/\d+$/, '')}${other.account.id}`, session?.[1] ?? '');
  expect((await person.open(there)).url.pathname).toBe(`${there}/sign_in`);
  const guess = async (from: string) => {
    const secret = Array.from({ length: 43 }, () => 'x').join('');
    const headers = { 'X-Forwarded-For': from };
    return (await fetch(`${shop.api.origin}${shop.root}/sign_in/${secret}`, { headers })).status;
  };
  const guesses: number[] = [];
  for (let count = 0; count < 61; count += 1) guesses.push(await guess('203.0.113.9'));
  expect([new Set(guesses.slice(0, 60)), guesses[60]]).toEqual([new Set([404]), 429]);
  expect(await guess('203.0.114.9')).toBe(404);
});

test('a session ends when its contact is deleted, or its customer is anonymized or merged', async () => {
  const { sandbox } = shop.api;
  const { accountId, root } = shop;
  const isIn = async (person: Person) => (await person.open(root)).url.pathname === root;
  const enterAs = async (email: string) => (await signInToPortal(shop.api, { accountId, email })).person;
  const contact = { name: 'Eve', email: 'eve@example.com', portal_role: 'pay' };
  const { id } = await sandbox.make(`/customers/${shop.customer}/contacts`, contact);
  const eve = await enterAs(contact.email);
  expect(await isIn(eve)).toBe(true);
  await sandbox.delete(`/customers/${shop.customer}/contacts/${id}`);
  expect(await isIn(eve)).toBe(false);
  for (const end of [
    (one: number) => sandbox.post(`/customers/${one}/anonymize`),
    (one: number) => sandbox.post(`/customers/${shop.customer}/merge`, { customer: one }),
  ]) {
    const email = 'ends@example.com';
    const one = (await sandbox.make('/customers', { name: 'Ends', email })).id;
    const person = await enterAs(email);
    expect(await isIn(person)).toBe(true);
    expect((await end(one)).status).toBeLessThan(300);
    expect(await isIn(person)).toBe(false);
  }
});

test('a customer that is not active still sees what it owes, and pays it', async () => {
  const { customer, root } = shop;
  const { sandbox } = shop.api;
  const gateway_token = 'tok_4242424242424242';
  await sandbox.make(`/customers/${customer}/payment_sources`, { method: 'credit_card', gateway_token });
  const items = [{ name: 'Work', unit_cost: 40 }];
  const { id } = await sandbox.make('/invoices', { customer, items, autopay: false });
  await sandbox.patch(`/customers/${customer}`, { active: false });
  const person = await shop.signIn();
  const review = await person.open(`${root}/pay/review?currency=usd`);
  const source = /name="source" value="(\d+)"/.exec(review.text)?.[1] ?? '';
  expect(seen(await person.send(review, '/pay/review', { source }))).toContain('Thank you for your payment');
  expect(await shop.read(`/invoices/${id}`)).toMatchObject({ paid: true });
});

test('what a form of a payment says beyond what its page showed is refused, or counts for nothing', async () => {
  const { customer, root } = shop;
  const { sandbox } = shop.api;
  const gateway_token = 'tok_4242424242424242';
  await sandbox.make(`/customers/${customer}/payment_sources`, { method: 'credit_card', gateway_token });
  const items = [{ name: 'Work', unit_cost: 40 }];
  const mine = await sandbox.make('/invoices', { customer, items, autopay: false });
  const stranger = (await sandbox.make('/customers', { name: 'Stranger' })).id;
  const foreign = await sandbox.make('/invoices', { customer: stranger, items });
  const person = await shop.signIn();
  const review = await person.open(`${root}/pay/review?currency=usd`);
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(review.text)?.[1] ?? '';
  const form = Object.fromEntries(['form_token', 'form', 'seen', 'source'].map((name) => [name, hidden(name)]));
  const charges = () =>
    shop.api.em.fork().execute("select 1 from attempt where kind = 'charge' and customer_id = ?", [customer]);
  for (const [query, more] of [
    ['currency=usd', { seen: '0'.repeat(32) }],
    ['currency=usd', { form: '../../x' }],
    ['currency=usd', { source: '1 or 1=1' }],
    ['currency=usd', { source: '-1' }],
    ['currency=usd', { method: 'credit_card', service_token: 'x', source: '' }],
    ['currency=usd&amount=0.01', {}],
    [`currency=usd&of=${mine.id}.${foreign.id}`, {}],
    [`currency=usd&of=${foreign.id}`, {}],
    ['currency=eur', {}],
    ['currency=xxx', {}],
  ] as const) {
    const answer = await person.post(`${root}/pay/review?${query}`, { ...form, ...more });
    expect([query, more, answer.status >= 400 && answer.status < 500]).toEqual([query, more, true]);
  }
  expect(await charges()).toEqual([]);
  await person.post(`${root}/pay/review?currency=usd`, {
    ...form,
    amount: '0.01',
    fee: '0',
    invoice: String(foreign.id),
  });
  expect(await shop.read(`/invoices/${mine.id}`)).toMatchObject({ paid: true });
  expect(await shop.read(`/invoices/${foreign.id}`)).toMatchObject({ balance: 40 });
});
