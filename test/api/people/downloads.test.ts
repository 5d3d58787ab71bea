import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { csrfOf } from '../../../commands/people/sessions.ts';
import { basic, type Client, type TestApi } from '../../support/api.ts';
import { actsOf } from '../../support/auditLog.ts';
import { addMember, type Credentials, startSignIn } from '../../support/oauth.ts';
import { askAsPage, sessionCookie, type Told } from '../../support/ownPage.ts';
import { upload } from '../../support/upload.ts';
import { seedJobs } from '../../support/worldRows.ts';

/** Links by which a browser saves files: each works once, within a minute, for the session that made it. */

let api: TestApi;
let sandbox: Client;
let invoice: { id: number; number: string };
let file: { id: number };
let cookie: string;
let now = Date.parse('2027-03-01T10:00:00Z');
const lines: string[] = [];

beforeAll(async () => {
  let credentials: Credentials;
  const log = { info: (...line: unknown[]) => void lines.push(JSON.stringify(line)) };
  ({ api, credentials } = await startSignIn({ systemNow: () => new Date(now) }));
  Object.assign(api.deps.log, log);
  ({ sandbox } = api);
  const { id: customer } = await sandbox.make('/customers', { name: 'Ada', country: 'DE' });
  invoice = await sandbox.make('/invoices', { customer, items: [{ unit_cost: 9 }] });
  const parts = [{ name: 'file', filename: 'plan.html', type: 'text/html', content: '<script>alert(1)</script>' }];
  file = (await upload(sandbox, parts)).body;
  cookie = await sessionCookie(api, credentials);
});
afterEach(() => expect(api.faults).toEqual([]));
afterAll(() => api.close());

const make = (body: object, by = cookie): Promise<Told> =>
  askAsPage(api, by, { method: 'POST', path: '/sandbox/api/downloads', body });

/** The link of a download, as the path of the running API. */
async function linkOf(body: object, by = cookie): Promise<string> {
  const { status, body: made } = await make(body, by);
  expect([status, made.object, Number(made.expires_at) * 1000 - now]).toEqual([201, 'download', 60_000]);
  const url = new URL(String(made.url));
  expect([url.origin, url.pathname]).toEqual([api.deps.publicUrl, expect.stringMatching(/^\/downloads\/[\w-]{43}$/)]);
  return url.pathname;
}

/** Follows a link, as a browser does. */
async function follow(link: string, by: string | null = cookie, init: RequestInit = {}) {
  const headers = { ...(by === null ? {} : { cookie: `__Host-perennial_person=${by}` }), ...init.headers };
  const response = await fetch(`${api.origin}${link}`, { ...init, headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

const pdf = () => ({ path: `/invoices/${invoice.id}`, format: 'pdf' });
const setMember = (email: string, change: string) =>
  api.em.fork().execute(`update member set ${change} where email = ?`, [email]);

test.each([
  ['a PDF', () => pdf(), 'application/pdf', '%PDF-'],
  [
    'a list as CSV',
    () => ({ path: '/audit_log?kind=change', format: 'csv' }),
    'text/csv; charset=utf-8',
    'id,created_at',
  ],
  ['a file', () => ({ path: `/files/${file.id}`, format: 'file' }), 'text/html', '<script>'],
])('%s is saved by the browser, once, and the export is logged with the member', async (_what, body, type, start) => {
  const link = await linkOf(body());
  const { status, headers, bytes } = await follow(link);
  expect([status, headers.get('Content-Type')]).toEqual([200, type]);
  expect(bytes.toString('latin1').startsWith(start)).toBe(true);
  expect(headers.get('Content-Disposition')).toMatch(/^attachment; filename=/);
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect((await follow(link)).status).toBe(404);
  const [act] = await actsOf(sandbox, '?kind=export');
  expect(act?.actor.type).toBe('member');
});

test('an e-invoice is saved as XML', async () => {
  const seller = {
    address1: 'Weg 1',
    city: 'Berlin',
    postal_code: '10115',
    country: 'DE',
    currency: 'eur',
    tax_id: 'DE 123 456 789',
  };
  expect((await sandbox.patch('/account', seller)).status).toBe(200);
  await sandbox.make('/tax_rates', { id: 'vat-19', name: 'VAT', value: 19 });
  const buyer = { name: 'Schulze KG', address1: 'Ring 2', city: 'Wien', country: 'AT', tax_id: 'ATU12345678' };
  const { id: customer } = await sandbox.make('/customers', buyer);
  const items = [{ name: 'Hours', quantity: 3, unit_cost: 100 }];
  const { id } = await sandbox.make('/invoices', { customer, items, taxes: [{ tax_rate: 'vat-19' }] });
  const { status, headers, bytes } = await follow(await linkOf({ path: `/invoices/${id}`, format: 'xml' }));
  expect([status, headers.get('Content-Type')]).toEqual([200, 'application/xml; charset=utf-8']);
  expect(headers.get('Content-Disposition')).toMatch(/^attachment; filename=".+\.xml"/);
  expect(bytes.toString()).toContain('CrossIndustryInvoice');
});

test('after a minute the link leads nowhere', async () => {
  const link = await linkOf(pdf());
  now += 59_999;
  expect((await follow(link, cookie, { method: 'HEAD' })).status).toBe(200);
  now += 1;
  expect((await follow(link)).status).toBe(404);
});

test('HEAD uses no link up, and tells whether it works', async () => {
  const link = await linkOf(pdf());
  for (let turn = 0; turn < 3; turn++)
    expect(await follow(link, cookie, { method: 'HEAD' })).toMatchObject({ status: 200, bytes: Buffer.alloc(0) });
  expect((await follow(link)).status).toBe(200);
  expect((await follow(link, cookie, { method: 'HEAD' })).status).toBe(404);
});

test('of twenty uses at the same time one wins', async () => {
  const link = await linkOf(pdf());
  const answers = await Promise.all(Array.from({ length: 20 }, () => follow(link)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
});

test('another session, of the same person or of another member, and no session do not use it up', async () => {
  const { live } = api;
  const colleague = await addMember(api, live.account, 'other.session@acme.example');
  const [again, other] = [await sessionCookie(api, colleague), await sessionCookie(api, colleague)];
  const link = await linkOf(pdf(), again);
  for (const by of [cookie, other, 'made-up', null]) expect((await follow(link, by)).status).toBe(404);
  expect((await follow(link, again)).status).toBe(200);
});

test('a link of a session that has ended leads nowhere', async () => {
  const ended = await sessionCookie(api, await addMember(api, api.live.account, 'ended@acme.example'));
  const link = await linkOf(pdf(), ended);
  await api.em
    .fork()
    .execute(`delete from person_session where person_id = (select id from person where email = 'ended@acme.example')`);
  expect((await follow(link, ended)).status).toBe(404);
});

test('the rights count at the time of use: role, membership and second factor', async () => {
  const email = 'shrinking@acme.example';
  const member = await sessionCookie(api, await addMember(api, api.live.account, email));
  const links = [];
  for (let turn = 0; turn < 4; turn++) links.push(await linkOf({ path: '/audit_log', format: 'csv' }, member));
  const [first = '', second = '', third = '', fourth = ''] = links;
  expect((await follow(first, member)).status).toBe(200);
  await setMember(email, `role = 'employee'`);
  expect((await follow(second, member)).status).toBe(403);
  await setMember(email, `role = 'administrator', status = 'deactivated'`);
  expect((await follow(third, member)).status).toBe(401);
  await setMember(email, `status = 'active'`);
  const strict = (value: boolean) =>
    api.em
      .fork()
      .execute(`update account set settings = settings || ?::jsonb where id = ?`, [
        JSON.stringify({ require_second_factor: value }),
        api.live.account.id,
      ]);
  await strict(true);
  expect((await follow(fourth, member)).status).toBe(403);
  await strict(false);
});

test('a member limited to its own customers downloads nothing of others, also when it was limited after the link was made', async () => {
  const email = 'limited@acme.example';
  const member = await sessionCookie(api, await addMember(api, api.live.account, email));
  const [whole, paper, upload] = [
    await linkOf(pdf(), member),
    await linkOf(pdf(), member),
    await linkOf({ path: `/files/${file.id}`, format: 'file' }, member),
  ];
  expect((await follow(whole, member)).status).toBe(200);
  await setMember(email, 'is_limited = true');
  expect((await follow(paper, member)).status).toBe(404);
  expect((await follow(upload, member)).status).toBe(404);
  const made = await askAsPage(api, member, { method: 'POST', path: '/sandbox/api/customers', body: { name: 'Mine' } });
  const items = [{ unit_cost: 3 }];
  const body = { customer: made.body.id, items };
  const own = await askAsPage(api, member, { method: 'POST', path: '/sandbox/api/invoices', body });
  const { status } = await follow(await linkOf({ path: `/invoices/${own.body.id}`, format: 'pdf' }, member), member);
  expect(status).toBe(200);
  const [act] = await actsOf(sandbox, '?kind=export');
  expect(act).toMatchObject({ object_id: String(own.body.id), actor: { name: email } });
  const list = await follow(await linkOf({ path: '/customers', format: 'csv' }, member), member);
  expect(list.status).toBe(200);
  expect(list.bytes.toString()).toContain('Mine');
  expect(list.bytes.toString()).not.toContain('Ada');
});

test.each([
  ['a path that is no download', { path: '/account', format: 'csv' }],
  ['a paper as a list', { path: '/invoices/1', format: 'csv' }],
  ['a write', { path: '/invoices/1/pay', format: 'pdf' }],
  ['a path of another site', { path: '//evil.example/invoices/1', format: 'pdf' }],
  ['an address', { path: 'https://evil.example/invoices/1', format: 'pdf' }],
  ['a path that leaves the API', { path: '/invoices/../../accounts', format: 'pdf' }],
  ['a path without a slash', { path: 'invoices/1', format: 'pdf' }],
  ['another format', { path: '/invoices/1', format: 'html' }],
  ['no path', { format: 'pdf' }],
])('%s has no link', async (_what, body) => {
  const { status, body: said } = await make(body);
  expect([status, said.type]).toEqual([400, 'invalid_request']);
});

test('a link is made like any write of a page: with the CSRF token, the origin and the account; keys get none', async () => {
  const path = '/sandbox/api/downloads';
  const refusals: Record<string, string>[] = [
    { 'X-CSRF-Token': '' },
    { 'X-CSRF-Token': csrfOf('x') },
    { Origin: 'https://evil.example' },
  ];
  for (const headers of refusals)
    expect((await askAsPage(api, cookie, { method: 'POST', path, headers, body: pdf() })).status).toBe(403);
  expect((await askAsPage(api, cookie, { method: 'POST', path, account: 1e8, body: pdf() })).status).toBe(401);
  expect((await sandbox.post('/downloads', pdf())).status).toBe(403);
  expect(await actsOf(sandbox, '?kind=refusal&operation=createDownload')).toMatchObject([
    { actor: { type: 'api_key' }, reason: expect.stringContaining('Only pages of this site need links') },
  ]);
  expect((await sandbox.get('/downloads')).status).toBe(404);
});

test('a link names its account and environment: a session in another account downloads from the one of the link', async () => {
  const other = await api.open('Other shop');
  const sql = `insert into member (account_id, person_id, email, created_at, updated_at) select ?, id, email, now(), now() from person where email = ?`;
  await api.em.fork().execute(sql, [other.live.account.id, 'ann@acme.example']);
  const sent = { method: 'POST', path: '/sandbox/api/downloads', body: pdf(), account: other.live.account.id };
  const { body } = await askAsPage(api, cookie, sent);
  expect((await follow(new URL(String(body.url)).pathname)).status).toBe(404); // the invoice is not of that account
  const own = await linkOf(pdf());
  expect((await follow(own, cookie, { headers: { 'Perennial-Account': String(other.live.account.id) } })).status).toBe(
    200,
  );
});

test('a link that a browser sends a key with is still used by its session', async () => {
  const link = await linkOf(pdf());
  expect((await follow(link, cookie, { headers: basic('made-up') })).status).toBe(200);
});

test('neither log nor database has the secret of a link', async () => {
  const link = await linkOf(pdf());
  await follow(link, cookie, { method: 'HEAD' });
  await follow(link);
  await follow(link);
  const secret = link.split('/').at(-1) ?? '';
  expect(lines.filter((line) => line.includes(':token')).length).toBeGreaterThan(2);
  expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  const rows = await api.em.fork().execute(`select * from person_secret where purpose = 'download'`);
  expect(rows.length).toBeGreaterThan(5);
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(JSON.stringify(await api.em.fork().execute('select * from audit_log'))).not.toContain(secret);
});

test('the link to the file of a job in a mail works for who is signed in, as often as it is followed, with the rights of that time', async () => {
  const { jobs } = await seedJobs(api, sandbox);
  const link = `/downloads/jobs/sandbox/${api.live.account.id}/${jobs}`;
  const visit = (by: string | null) => follow(link, by, { redirect: 'manual' });
  for (let turn = 0; turn < 2; turn++) {
    const { status, headers, bytes } = await visit(cookie);
    expect([status, bytes.toString()]).toEqual([200, 'customer\r\n']);
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="aging.csv"');
  }
  for (const by of [null, 'made-up']) {
    const { status, headers } = await visit(by);
    expect([status, headers.get('Location')]).toEqual([302, `/sign_in?return_to=${encodeURIComponent(link)}`]);
  }
  const email = 'reader@acme.example';
  const member = await sessionCookie(api, await addMember(api, api.live.account, email));
  expect((await visit(member)).status).toBe(200);
  await setMember(email, 'is_limited = true'); // the job was asked for by somebody who sees all customers
  expect((await visit(member)).status).toBe(404);
  await setMember(email, `is_limited = false, role = 'nothing'`);
  expect((await visit(member)).status).toBe(403);
  const { sandbox: other } = await api.open('Other');
  expect((await follow(`/downloads/jobs/sandbox/${other.account.twinId}/${jobs}`, cookie)).status).toBe(401);
});
