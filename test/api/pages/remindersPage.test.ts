import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { changeReminders } from '../../../commands/chasing/reminderAddresses.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { type SeenPage, visitPage } from '../../support/payPage.ts';
import { remind, stopPaths } from '../../support/reminders.ts';

/** The page on which the recipient of reminders stops them, and its link. */

let api: TestApi;
let client: Client;
let customer: number;
let invoiceId: number;
let reminders = 0;

const ONE_CLICK = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await client.make('/customers', { name: 'Ada', email: 'ada@example.com' })).id;
  await client.make(`/customers/${customer}/contacts`, { name: 'Bob', email: 'Bob@example.com', primary: true });
  invoiceId = await invoiceOf(customer);
});

const invoiceOf = async (of: number): Promise<number> =>
  (await client.make('/invoices', { customer: of, payment_terms: 'NET 30', items: [{ unit_cost: 9 }] })).id;
const stopsOf = (of: number) =>
  api.em
    .fork()
    .execute('select address, stopped_at from reminder_address where customer_id = ? and stopped_at is not null', [of]);
const ask = (of = invoiceId) => remind(api, client, { invoiceId: of, cause: `reminder:${++reminders}` });
const send = (path: string, answer: 'stop' | 'resume') =>
  visitPage(api, path, { method: 'POST', body: new URLSearchParams({ reminders: answer }) });
const button = ({ html }: SeenPage) => /<button [^>]*value="(\w+)"/.exec(html)?.[1] ?? null;

/** The path of the page of an address. */
async function pathOf(address = 'ada@example.com', of = customer): Promise<string> {
  const path = (await stopPaths(api, of)).get(address);
  if (!path) throw new Error(`no link for ${address}`);
  return path;
}

/** The path of the page after the links were revoked, from the next reminder. */
async function renewedPath(): Promise<string> {
  await ask();
  return pathOf();
}

/** Addresses of all reminders so far. */
async function reminded(of = customer): Promise<string[]> {
  const { body } = await client.get(
    `/emails?filter[customer]=${of}&filter[template]=late_payment_reminder_email&sort=id`,
  );
  return body.map(({ email }: { email: string }) => email);
}

test('each recipient has a link of its own, in header and text, the same in each reminder', async () => {
  await ask();
  await ask();
  const rows = await api.em
    .fork()
    .execute('select to_address, unsubscribe_url, html, text from email where customer_id = ? order by id', [customer]);
  const urls = rows.map(({ unsubscribe_url }) => unsubscribe_url);
  expect(urls).toEqual([urls[0], urls[1], urls[0], urls[1]]);
  expect(new Set(urls).size).toBe(2);
  for (const { unsubscribe_url: url, html, text } of rows) {
    expect(url).toMatch(/^https:\/\/billing\.example\/reminders\/\d+\/\d+\/[0-9a-f]{32}$/);
    expect(html).toContain(`<a href="${url}"`);
    expect(text).toContain(url);
  }
  await client.post(`/invoices/${invoiceId}/emails`);
  const [, , , , invoiceMail] = await api.em
    .fork()
    .execute('select unsubscribe_url, text from email where customer_id = ? order by id', [customer]);
  expect(invoiceMail).toMatchObject({ unsubscribe_url: null, text: expect.not.stringContaining('/reminders/') });
});

test('the page shows seller and masked address and changes nothing; its button stops reminders to that address only', async () => {
  await ask();
  const path = await pathOf();
  const seen = await visitPage(api, path);
  expect(seen).toMatchObject({ status: 200, location: null });
  expect(seen.html).toContain('a•••@example.com');
  expect(seen.html).toContain(client.account.name);
  expect(seen.html).not.toMatch(/ada@|Bob|INV-/);
  await visitPage(api, path, { method: 'HEAD' });
  expect(button(await visitPage(api, path))).toBe('stop');
  expect(await send(path, 'stop')).toMatchObject({ status: 303, location: path });
  expect(button(await visitPage(api, path))).toBe('resume');
  expect(await ask()).toBe('queued');
  expect(await reminded()).toEqual(['ada@example.com', 'Bob@example.com', 'Bob@example.com']);
  const { body } = await client.post(`/invoices/${invoiceId}/emails`);
  expect(body.map(({ email }: { email: string }) => email)).toEqual(['ada@example.com', 'Bob@example.com']);
});

test('with no address left a reminder is not sent, and the caller learns it; reminders can be resumed', async () => {
  await ask();
  const paths = [await pathOf(), await pathOf('Bob@example.com')];
  for (const path of paths) await send(path, 'stop');
  expect(await ask()).toBe('no_address');
  expect(await reminded()).toHaveLength(2);
  expect(await send(paths[0] ?? '', 'resume')).toMatchObject({ status: 303 });
  expect(await ask()).toBe('queued');
  expect((await reminded()).slice(2)).toEqual(['ada@example.com']);
});

test('one click stops reminders without a cookie, a form or a redirect, as often as it is sent', async () => {
  await ask();
  const path = await pathOf();
  const parts = new FormData();
  parts.set('List-Unsubscribe', 'One-Click');
  await visitPage(api, path, ONE_CLICK);
  const stops = await stopsOf(customer);
  for (const body of [ONE_CLICK.body, ONE_CLICK.body, parts, 'x'.repeat(50_000), undefined]) {
    const answer = await visitPage(api, path, { method: 'POST', ...(body ? { body } : {}) });
    expect(answer).toMatchObject({ status: 200, location: null, html: expect.stringContaining('value="resume"') });
    expect(answer.headers.get('Set-Cookie')).toBeNull();
  }
  expect(stops).toMatchObject([{ address: 'ada@example.com' }]);
  expect(await stopsOf(customer)).toEqual(stops);
});

test('another spelling of the address is the same address, and a new address gets reminders', async () => {
  await ask();
  await visitPage(api, await pathOf('Bob@example.com'), ONE_CLICK);
  await client.patch(`/customers/${customer}`, { email: 'BOB@Example.com' });
  expect(await ask()).toBe('no_address');
  await client.patch(`/customers/${customer}`, { email: 'new@example.com' });
  await ask();
  expect((await reminded()).slice(2)).toEqual(['new@example.com']);
});

test('a link that was revoked, guessed or belongs to another account leads nowhere and changes nothing', async () => {
  await ask();
  const path = await pathOf();
  const [, , account = '', id = '', token = ''] = path.split('/');
  const bob = (await pathOf('Bob@example.com')).split('/');
  const wrong = [
    `/reminders/${account}/${id}/${token.replace(/^./, (first) => (first === '0' ? '1' : '0'))}`,
    `/reminders/${account}/${id}/${bob[4]}`,
    `/reminders/${api.live.account.id}/${id}/${token}`,
    `/reminders/${account}/${Number(id) + 1000}/${token}`,
    `/reminders/${account}/9999999999/${token}`,
    `/reminders/${account}/${id}`,
    `${path}/x`,
    `/sources/${account}/${customer}/${token}`,
  ];
  for (const one of wrong)
    for (const init of [{}, ONE_CLICK]) expect([one, (await visitPage(api, one, init)).status]).toEqual([one, 404]);
  expect((await client.post(`/customers/${customer}/revoke_links`)).status).toBe(200);
  for (const init of [{}, ONE_CLICK]) expect((await visitPage(api, path, init)).status).toBe(404);
  const renewed = await renewedPath();
  expect(renewed).not.toBe(path);
  expect(await visitPage(api, renewed, ONE_CLICK)).toMatchObject({ status: 200 });
});

test('a link that is revoked while its page is sent stops nothing', async () => {
  await ask();
  const [, , , id, token = ''] = (await pathOf()).split('/');
  await client.post(`/customers/${customer}/revoke_links`);
  const link = { account: client.account, id: Number(id), token, isStopped: true };
  await expect(inTransaction(api.em, (em) => changeReminders(em, link, new Date()))).rejects.toThrow(Missing);
  expect(button(await visitPage(api, await renewedPath()))).toBe('stop');
});

test('the page is not framed, indexed, cached or scripted, and its address is not told to others', async () => {
  await ask();
  const { headers } = await visitPage(api, await pathOf());
  expect(headers.get('Content-Security-Policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(headers.get('Content-Security-Policy')).not.toContain('script-src');
  expect(headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(headers.get('Cache-Control')).toBe('no-store');
});

test('hostile names and addresses stay text', async () => {
  await client.patch('/account', { name: '<script>1</script>' });
  await api.em.execute(`update customer set email = ? where id = ?`, ['<i onx=1>\u202e@<b>.example', customer]);
  await ask();
  const { html } = await visitPage(api, await pathOf('<i onx=1>\u202e@<b>.example'));
  expect(html).not.toMatch(/<script|<b>|<i |\u202e/);
});

test('the timeline tells when reminders to an address were stopped and resumed, once each', async () => {
  await ask();
  const path = await pathOf();
  await visitPage(api, path, ONE_CLICK);
  await visitPage(api, path, ONE_CLICK);
  await send(path, 'resume');
  await send(path, 'resume');
  const { body } = await client.get(`/customers/${customer}/timeline`);
  const told = body.filter(({ rule }: { rule: string }) => rule.startsWith('reminders_'));
  const subject = { object: 'customer', id: customer, number: null };
  const why = 'its customer did so on its page';
  const entry = { upcoming: false, event: null, subject, why };
  expect(told).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...entry, rule: 'reminders_stopped', what: 'reminders to ada@example.com stopped' }),
      expect.objectContaining({ ...entry, rule: 'reminders_resumed', what: 'reminders to ada@example.com resumed' }),
    ]),
  );
  expect(told).toHaveLength(2);
});

test('a merge keeps links and stops: of the merged customer, too', async () => {
  const other = (await client.make('/customers', { name: 'Ada again', email: 'ADA@example.com' })).id;
  await ask(await invoiceOf(other));
  await ask();
  const [own, merged] = [await pathOf(), await pathOf('ADA@example.com', other)];
  await visitPage(api, merged, ONE_CLICK);
  expect((await client.post(`/customers/${customer}/merge`, { customer: other })).status).toBe(200);
  await client.patch(`/customers/${customer}`, { email: 'ada@example.com' });
  for (const path of [own, merged]) expect(button(await visitPage(api, path))).toBe('resume');
  const before = (await reminded()).length;
  await ask();
  expect((await reminded()).slice(before)).toEqual(['Bob@example.com']);
  await send(own, 'resume');
  for (const path of [own, merged]) expect(button(await visitPage(api, path))).toBe('stop');
});

test('anonymizing a customer forgets its addresses and links', async () => {
  await ask();
  const path = await pathOf();
  await client.post(`/invoices/${invoiceId}/void`);
  expect((await client.post(`/customers/${customer}/anonymize`)).status).toBe(200);
  for (const init of [{}, ONE_CLICK]) expect((await visitPage(api, path, init)).status).toBe(404);
  const rows = await api.em.fork().execute('select 1 from reminder_address where customer_id = ?', [customer]);
  expect(rows).toEqual([]);
});

test('the page is in the language of the customer', async () => {
  await client.patch(`/customers/${customer}`, { language: 'he' });
  await ask();
  const { html } = await visitPage(api, await pathOf());
  expect(html).toContain('<html lang="he" dir="rtl">');
  expect(html).toContain('תזכורות תשלום');
});
