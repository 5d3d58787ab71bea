import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { basic, type Client, refused, send, startApi, type TestApi } from '../../support/api.ts';
import { visitPage } from '../../support/payPage.ts';
import { inputsOf, type SourceVisitor, sourceVisitor, textOf } from '../../support/sourcePage.ts';

let api: TestApi;
let client: Client;
let customer: number;
let visitor: SourceVisitor;

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  visitor = await sourceVisitor(api, client);
});
afterAll(() => api.close());
beforeEach(async () => {
  const payer = { name: 'Ada <b>', email: 'ada@example.com', autopay: true, currency: 'usd' };
  customer = (await client.make('/customers', payer)).id;
});

const CARD = 'tok_5454545454545454';
const VAULTS_THEN_DECLINES = 'tok_4000000000000341';
const NOT_VAULTED = 'tok_4000000000000127';
const UNVERIFIED = 'tok_110000000_000123456789';

const pathOf = (id = customer) => visitor.pathOf(id);
const tokenOf = (token = CARD, method?: string) => visitor.tokenOf(token, method);
const filled = (path: string, token = CARD, method?: string) => visitor.filled(path, token, method);
const add = (path: string, token = CARD, method?: string) => visitor.add(path, token, method);
const sendForm = (path: string, fields: Record<string, string>) => visitor.send(path, fields);
const sourcesOf = async (id = customer) => (await client.get(`/customers/${id}/payment_sources`)).body;
const defaultOf = async () => (await client.get(`/customers/${customer}`)).body.payment_source;

/** Takes the due step of an invoice and runs its charge, as its process does. */
async function collect(id: number): Promise<void> {
  const { account } = client;
  const key = { accountId: account.id, id, lookUpDelay: api.deps.lookUpDelay };
  const { call } = await inTransaction(api.em, (em) => advanceInvoice(em, key, new Date()));
  if (call !== null) await withAccount(account.id, () => runAttempt(api.deps, { accountId: account.id, id: call }));
}

test('whoever has the link adds a card, which becomes the default one, and the consent is kept as it was shown', async () => {
  await client.make(`/customers/${customer}/payment_sources`, {
    method: 'credit_card',
    gateway_token: 'tok_4242424242424242',
  });
  const path = await pathOf();
  const page = await visitPage(api, path);
  expect(page.status).toBe(200);
  expect(page.html).not.toContain('4242');
  expect(textOf(page)).toContain(`I allow ${client.account.name} to store this card`);
  const done = await add(path);
  expect(textOf(done)).toContain('Your payment method is saved');
  expect(textOf(done)).toContain('Mastercard ending in 5454');
  expect(await defaultOf()).toMatchObject({ last4: '5454' });
  const [consent] = (await client.get(`/customers/${customer}/payment_consents`)).body;
  const { id } = await defaultOf();
  expect(consent).toMatchObject({
    payment_source: id,
    page: 'update_source',
    language: 'en',
    user_agent: 'Mozilla/5.0',
  });
  expect(consent.ip).toMatch(/^10\./);
  expect(textOf(page)).toContain(consent.text);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('failed invoices are charged to the new source at once, and the page tells the answer for each', async () => {
  const card = { method: 'credit_card', gateway_token: VAULTS_THEN_DECLINES, make_default: true };
  await client.make(`/customers/${customer}/payment_sources`, card);
  const invoices = [];
  for (const unit_cost of [20, 30]) invoices.push(await client.make('/invoices', { customer, items: [{ unit_cost }] }));
  for (const { id } of invoices)
    expect(await client.post(`/invoices/${id}/pay`)).toMatchObject(refused({ type: 'invalid_request' }));
  const path = await pathOf();
  const form = await filled(path);
  const { location } = await sendForm(path, form);
  const waiting = await visitPage(api, location ?? '');
  expect(textOf(waiting).match(/Is being charged/g)).toHaveLength(2);
  expect(waiting.headers.get('Refresh')).toContain(`url=${location}?look=1`);
  for (const { id } of invoices) await collect(id);
  const done = await visitPage(api, location ?? '');
  expect(textOf(done)).toContain(`Invoice ${invoices[0].number} $20.00 Paid`);
  expect(textOf(done)).toContain(`Invoice ${invoices[1].number} $30.00 Paid`);
  expect(done.headers.get('Refresh')).toBeNull();
  for (const { id } of invoices) expect((await client.get(`/invoices/${id}`)).body).toMatchObject({ paid: true });
});

test('an invoice that the new source does not pay is told with the reason and a link to pay it', async () => {
  const card = { method: 'credit_card', gateway_token: VAULTS_THEN_DECLINES, make_default: true };
  await client.make(`/customers/${customer}/payment_sources`, card);
  const { id, url } = await client.make('/invoices', { customer, items: [{ unit_cost: 20 }] });
  await client.post(`/invoices/${id}/pay`);
  const { location } = await sendForm(await pathOf(), await filled(await pathOf(), VAULTS_THEN_DECLINES));
  await collect(id);
  const done = await visitPage(api, location ?? '');
  expect(textOf(done)).toContain('Declined:');
  expect(done.html).toContain(`href="${new URL(url).pathname}/pay"`);
});

test('twenty posts of one form add one source with one consent', async () => {
  const path = await pathOf();
  const form = await filled(path);
  const answers = await Promise.all(Array.from({ length: 20 }, () => sendForm(path, form)));
  expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
  expect(await sendForm(path, form)).toMatchObject({ status: 303 });
  expect(await sourcesOf()).toHaveLength(1);
  expect((await client.get(`/customers/${customer}/payment_consents`)).body).toHaveLength(1);
});

test('a card that the gateway does not store is told in plain words, and another can be added', async () => {
  const path = await pathOf();
  const done = await add(path, NOT_VAULTED);
  expect(textOf(done)).toContain('The payment method was not accepted');
  expect(done.html).toContain(`href="${path}"`);
  expect(await sourcesOf()).toEqual([]);
  expect(textOf(await add(path))).toContain('Your payment method is saved');
});

const wrongForms: [
  string,
  (form: Record<string, string>) => Record<string, string> | Promise<Record<string, string>>,
  string,
][] = [
  ['without consent', ({ consent, ...form }) => form, 'Please check the box'],
  ['with another consent', (form) => ({ ...form, consent: 'no' }), 'Please check the box'],
  ['with the consent to another text', (form) => ({ ...form, consent_seen: '0'.repeat(32) }), 'This page has changed'],
  ['without a token', ({ service_token, ...form }) => form, 'Please enter the card'],
  ['with a malformed token', (form) => ({ ...form, service_token: "svt_'; --" }), 'Please enter the card'],
  ['with a token with a null character', (form) => ({ ...form, service_token: 'svt_\0' }), 'Please enter the card'],
  ['with a token of the gateway', (form) => ({ ...form, service_token: CARD }), 'Please enter the card'],
  [
    'with a token that nobody made',
    (form) => ({ ...form, service_token: `svt_${'a'.repeat(40)}` }),
    'Please enter the card',
  ],
  [
    'with a token of another kind',
    async (form) => ({ ...form, service_token: await tokenOf('tok_110000000_123456789', 'ach') }),
    'Please enter the card',
  ],
  ['without its key', ({ form: _key, ...form }) => form, 'This page has changed'],
  ['with a malformed key', (form) => ({ ...form, form: '../x' }), 'This page has changed'],
  ['with another method', (form) => ({ ...form, method: 'wire_transfer' }), 'This page has changed'],
  ['that is too large', (form) => ({ ...form, more: 'x'.repeat(40_000) }), 'This page has changed'],
];
test.each(wrongForms)('a form %s is refused with the reason, and stores nothing', async (_what, change, words) => {
  const path = await pathOf();
  const sent = await sendForm(path, await change(await filled(path)));
  expect([sent.status, textOf(sent)]).toEqual([400, expect.stringContaining(words)]);
  expect(await sourcesOf()).toEqual([]);
  expect((await client.get(`/customers/${customer}/payment_consents`)).body).toEqual([]);
});

test('a token that was used, and one of another account, store nothing', async () => {
  const path = await pathOf();
  const form = await filled(path);
  await sendForm(path, form);
  const second = await sendForm(path, { ...(await filled(path)), service_token: form.service_token ?? '' });
  expect([second.status, textOf(second)]).toEqual([400, expect.stringContaining('Please enter the card')]);
  const other = await api.open('Other');
  const key = (await other.sandbox.make('/api_keys', { name: 'Page', kind: 'publishable' })).key;
  const body = { method: 'credit_card', gateway_token: CARD };
  const foreign = (await send(`${client.url}/service_tokens`, { method: 'POST', body, headers: basic(key) })).body.id;
  expect((await sendForm(path, { ...(await filled(path)), service_token: foreign })).status).toBe(400);
  expect(await sourcesOf()).toHaveLength(1);
});

test('a name that changes while the page is open asks for the consent again', async () => {
  const shop = await api.open('Former');
  const id = (await shop.sandbox.make('/customers', { name: 'Ada' })).id;
  const path = await pathOf(id);
  const inputs = inputsOf(await visitPage(api, path));
  await shop.sandbox.patch('/account', { name: 'Present <script>alert(1)</script>' });
  const sent = await sendForm(path, { ...inputs, consent: 'yes', service_token: `svt_${'a'.repeat(40)}` } as Record<
    string,
    string
  >);
  expect([sent.status, textOf(sent)]).toEqual([400, expect.stringContaining('This page has changed')]);
  expect(sent.html).not.toContain('<script>');
  expect(sent.html).toContain('Present &lt;script&gt;');
});

test('the amounts of two deposits confirm a bank account, which becomes the default one', async () => {
  await client.make(`/customers/${customer}/payment_sources`, { method: 'credit_card', gateway_token: CARD });
  const path = await pathOf();
  const asked = await add(path, UNVERIFIED, 'ach');
  expect(textOf(asked)).toContain('Confirm your bank account');
  const [, key = ''] = /action="([^"]+)"/.exec(asked.html) ?? [];
  const wrong = { ...inputsOf(asked), amount1: '0.11', amount2: '0,12' };
  for (let post = 0; post < 5; post++) expect((await sendForm(key, wrong)).status).toBe(303);
  const again = await visitPage(api, key);
  expect(textOf(again)).toContain('These are not the amounts');
  expect(await sendForm(key, { ...inputsOf(again), amount1: 'x', amount2: '' })).toMatchObject({ status: 400 });
  expect((await sendForm(key, { ...inputsOf(again), amount1: '0.45', amount2: ',35' })).status).toBe(303);
  expect(textOf(await visitPage(api, key))).toContain('The bank account is confirmed.');
  expect(await defaultOf()).toMatchObject({ object: 'bank_account', verified: true });
});

test('three wrong tries end the confirmation of a bank account', async () => {
  const asked = await add(await pathOf(), UNVERIFIED, 'ach');
  const [, key = ''] = /action="([^"]+)"/.exec(asked.html) ?? [];
  for (let tries = 0; tries < 3; tries++) {
    const inputs = inputsOf(await visitPage(api, key));
    await sendForm(key, { ...inputs, amount1: '0.01', amount2: '0.02' });
  }
  const over = await visitPage(api, key);
  expect(textOf(over)).toContain('The bank account can no longer be confirmed');
  expect(over.html).not.toContain('<form');
});

test('guessed and foreign addresses are not found, and post nothing', async () => {
  const path = await pathOf();
  const [, , account = '', id = '', token = ''] = path.split('/');
  const other = (await client.make('/customers', { name: 'Other' })).id;
  const added = await sendForm(path, await filled(path));
  const key = added.location?.split('/').at(-1);
  const guessed = [
    `/sources/${account}/${id}/${'0'.repeat(32)}`,
    `/sources/${account}/${other}/${token}`,
    `/sources/${api.live.account.id}/${id}/${token}`,
    `/sources/${account}/9999999999/${token}`,
    `/sources/${account}/${id}/${token}/00000000-0000-4000-8000-000000000000`,
    `${await pathOf(other)}/${key}`,
    `/subscriptions/${account}/${id}/${token}`,
  ];
  for (const address of guessed) expect([address, (await visitPage(api, address)).status]).toEqual([address, 404]);
  for (const address of guessed)
    expect([address, (await sendForm(address, await filled(path))).status]).toEqual([address, 404]);
  expect(await sourcesOf()).toHaveLength(1);
});

test('a revoked link, and that of an anonymized customer, are not found; that of a merged one leads to its successor', async () => {
  const path = await pathOf();
  const into = (await client.make('/customers', { name: 'Into' })).id;
  await client.post(`/customers/${into}/merge`, { customer });
  await add(path);
  expect(await sourcesOf(into)).toHaveLength(1);
  const gone = (await client.make('/customers', { name: 'Gone' })).id;
  const of = await pathOf(gone);
  expect((await visitPage(api, of)).status).toBe(200);
  await client.post(`/customers/${gone}/anonymize`);
  expect((await visitPage(api, of)).status).toBe(404);
  await api.em.fork().execute('update customer set token = null where id = ?', [customer]);
  expect((await visitPage(api, path)).status).toBe(404);
});

test('a page takes twenty tries an hour, so that nobody tests stolen cards', async () => {
  const path = await pathOf();
  for (let tries = 0; tries < 20; tries++) await add(path, NOT_VAULTED);
  const sent = await sendForm(path, await filled(path));
  expect([sent.status, textOf(sent)]).toEqual([400, expect.stringContaining('Too many cards or accounts were tried')]);
  expect(await sourcesOf()).toEqual([]);
});

test('a customer that may not use cards is offered bank accounts alone', async () => {
  await client.patch(`/customers/${customer}`, { disabled_payment_methods: ['credit_card'] });
  const page = await visitPage(api, await pathOf());
  expect(textOf(page)).toContain('to store this bank account');
  expect(page.html).not.toContain('method=credit_card');
});

test('the page is hidden from search engines, cannot be framed, sends no referrer, and is in the language of the customer', async () => {
  await client.patch(`/customers/${customer}`, { language: 'ar' });
  const { headers, html } = await visitPage(api, await pathOf());
  expect(html).toContain('<html lang="ar" dir="rtl">');
  expect(headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
});
