import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { serviceToken, visitPage } from '../../support/payPage.ts';
import { newEmail, signUpVisitor } from '../../support/signUpPage.ts';
import { inputsOf, textOf } from '../../support/sourcePage.ts';

/** A stranger subscribes on a sign-up page. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 20, interval: 'month' });
});
afterAll(() => api.close());

const tokenOf = (card: string) => serviceToken(api.sandbox, card);
const pageWith = async (fields: object = {}) =>
  api.sandbox.make('/sign_up_pages', { name: 'Join Gold', plans: ['gold'], ...fields });

async function customerOf(email: string) {
  const { body } = await api.sandbox.get(`/customers?filter[email]=${encodeURIComponent(email)}`);
  return body;
}

test('a visitor becomes a customer with a source, a subscription and a paid invoice', async () => {
  const { url } = await pageWith({ max_quantity: 5, return_urls: ['https://example.com/welcome'] });
  const visitor = signUpVisitor(api, tokenOf, url);
  const email = newEmail();
  const done = await visitor.signUp({ email, quantity: '2' });
  expect(textOf(done)).toContain('Your subscription is active');
  expect(done.html).toContain('href="https://example.com/welcome"');
  const [customer] = await customerOf(email);
  expect(customer).toMatchObject({ name: 'Ada Lovelace', autopay: true, payment_source: { last4: '4242' } });
  const { body: invoices } = await api.sandbox.get(`/invoices?filter[customer]=${customer.id}`);
  expect(invoices).toMatchObject([{ total: 40, paid: true, status: 'paid' }]);
  const { body: subscriptions } = await api.sandbox.get(`/subscriptions?filter[customer]=${customer.id}`);
  expect(subscriptions).toMatchObject([{ plan: 'gold', quantity: 2, status: 'active' }]);
  const kept = 'select state, sealed_token, sealed_challenge from sign_up order by id desc limit 1';
  expect(await api.em.fork().execute(kept)).toEqual([{ state: 'done', sealed_token: null, sealed_challenge: null }]);
  const { body: mails } = await api.sandbox.get(`/emails?filter[customer]=${customer.id}`);
  expect(mails.map((mail: { template: string }) => mail.template).toSorted()).toEqual([
    'payment_receipt_email',
    'subscription_confirmation_email',
  ]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('a declined card leaves nothing but the page with what was typed', async () => {
  const { url } = await pageWith();
  const visitor = signUpVisitor(api, tokenOf, url);
  const email = newEmail();
  const fields = await visitor.filled({ email }, 'tok_4000000000000127');
  const shown = await visitor.send(fields);
  expect(shown.status).toBe(400);
  expect(shown.html).toContain(`value="${email}"`);
  expect(await customerOf(email)).toEqual([]);
  const [row] = await api.em
    .fork()
    .execute('select details, ip, trial_key, state from sign_up order by id desc limit 1');
  expect(row).toEqual({ details: null, ip: null, trial_key: null, state: 'declined' });
});

test('a trial charges nothing, and an address has one at a time, also when fifty sign up at once', async () => {
  const { url } = await pageWith({ trial_days: 14 });
  const visitor = signUpVisitor(api, tokenOf, url);
  const email = newEmail();
  const forms = await Promise.all(Array.from({ length: 50 }, () => visitor.filled({ email })));
  const answers = await Promise.all(forms.map((fields) => visitor.send(fields)));
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(answers.filter(({ html }) => html.includes('No trial can begin with this email'))).toHaveLength(49);
  const [customer, ...others] = await customerOf(email);
  expect(others).toEqual([]);
  const { body: invoices } = await api.sandbox.get(`/invoices?filter[customer]=${customer.id}`);
  expect(invoices).toEqual([]);
  const { body: subscriptions } = await api.sandbox.get(`/subscriptions?filter[customer]=${customer.id}`);
  await api.sandbox.delete(`/subscriptions/${subscriptions[0].id}`);
  const later = await visitor.signUp({ email: email.toUpperCase() });
  expect(textOf(later)).toContain('Your trial has begun');
});

test('what a page does not offer is refused: plans, quantities, add-ons, coupons, return addresses and prices', async () => {
  await api.sandbox.make('/plans', { id: 'secret', name: 'Secret', amount: 1, interval: 'month' });
  const { url } = await pageWith({ max_quantity: 3, return_urls: ['https://example.com/a'] });
  const visitor = signUpVisitor(api, tokenOf, url);
  const refusals: [object, string][] = [
    [{ plan: 'secret' }, 'This plan is no longer offered'],
    [{ quantity: '4' }, 'Enter a quantity from 1 to 3'],
    [{ quantity: '-1' }, 'Enter a quantity from 1 to 3'],
    [{ addon_0: '1' }, ''],
    [{ coupon: 'welcome' }, 'This code cannot be used'],
    [{ email: 'nobody' }, 'Enter your email address'],
    [{ name: '\u200b' }, 'Enter your name'],
    [{ country: 'XX' }, 'Choose your country'],
    [{ website: 'http://spam.example' }, 'This page was out of date'],
  ];
  for (const [typed, message] of refusals) {
    const shown = await visitor.review({ ...typed });
    expect([typed, shown.status, textOf(shown).includes(message)]).toEqual([typed, message === '' ? 200 : 400, true]);
  }
  const fields = await visitor.filled({ quantity: '2', return_url: 'https://evil.example' });
  expect((await visitor.send({ ...fields, quantity: '3' })).html).toContain('The price has changed');
  expect((await visitor.send({ ...fields, seen: 'x' })).html).toContain('The price has changed');
  const { location } = await visitor.send(fields);
  const done = await visitPage(api, location ?? '');
  expect(done.html).toContain('href="https://example.com/a"');
  expect(done.html).not.toContain('evil');
});

test('a form that is sent twice, or at the same time in two tabs, signs up once', async () => {
  const { url } = await pageWith();
  const visitor = signUpVisitor(api, tokenOf, url);
  const email = newEmail();
  const fields = await visitor.filled({ email });
  const answers = await Promise.all([visitor.send(fields), visitor.send(fields), visitor.send(fields)]);
  expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
  expect(await customerOf(email)).toHaveLength(1);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('a coupon that runs out and a plan that is archived after the price was shown stop the sign-up before anything is kept', async () => {
  await api.sandbox.make('/plans', { id: 'old', name: 'Old', amount: 9, interval: 'month' });
  await api.sandbox.make('/coupons', { id: 'one', name: 'One', value: 50, max_redemptions: 1 });
  const { url } = await pageWith({ plans: ['old', 'gold'], coupons: true });
  const visitor = signUpVisitor(api, tokenOf, url);
  const [first, second] = [newEmail(), newEmail()];
  const forms = [
    await visitor.filled({ plan: 'gold', email: first, coupon: 'one' }),
    await visitor.filled({ plan: 'gold', email: second, coupon: 'one' }),
  ];
  const [one, two] = [await visitor.send(forms[0] ?? {}), await visitor.send(forms[1] ?? {})];
  expect([one.status, two.status]).toEqual([303, 400]);
  expect(two.html).toContain('This code cannot be used');
  expect(await customerOf(second)).toEqual([]);
  const archived = await visitor.filled({ plan: 'old', email: newEmail() });
  await api.sandbox.delete('/plans/old');
  const shown = await visitor.send(archived);
  expect(shown.html).toContain('This plan is no longer offered');
});

test('what was told of the trial counts as the price: a shorter one is shown before it begins', async () => {
  const { id, url } = await pageWith({ trial_days: 30 });
  const visitor = signUpVisitor(api, tokenOf, url);
  const fields = await visitor.filled({ email: newEmail() });
  await api.sandbox.patch(`/sign_up_pages/${id}`, { trial_days: 3 });
  const shown = await visitor.send(fields);
  expect([shown.status, textOf(shown).includes('The price has changed')]).toEqual([400, true]);
  const { service_token = '' } = fields;
  const { location } = await visitor.send({ ...fields, ...inputsOf(shown), service_token });
  expect(textOf(await visitPage(api, location ?? ''))).toContain('Your trial has begun');
});

test('a page sells in one currency, which is that of its cards', async () => {
  await api.sandbox.make('/plans', { id: 'euro', name: 'Euro', amount: 30, interval: 'month', currency: 'eur' });
  const refusal = (param: string) =>
    refused({ param, message: expect.stringContaining('All plans of a page have one currency') });
  const both = await api.sandbox.post('/sign_up_pages', { name: 'Join', plans: ['gold', 'euro'] });
  expect(both).toMatchObject(refusal('plans[1]'));
  const addons = [{ plan: 'euro' }];
  expect(await api.sandbox.post('/sign_up_pages', { name: 'Join', plans: ['gold'], addons })).toMatchObject(
    refusal('addons'),
  );
  const { id, url } = await pageWith({ plans: ['euro'] });
  expect(await api.sandbox.patch(`/sign_up_pages/${id}`, { plans: ['euro', 'gold'] })).toMatchObject(
    refusal('plans[1]'),
  );
  const earlier = await pageWith();
  await api.em.fork().execute('update sign_up_page set plans = ? where id = ?', ['{gold,euro}', earlier.id]);
  expect((await api.sandbox.patch(`/sign_up_pages/${earlier.id}`, { enabled: false })).status).toBe(200);
  const email = newEmail();
  expect(textOf(await signUpVisitor(api, tokenOf, url).signUp({ email }))).toContain('Your subscription is active');
  const [customer] = await customerOf(email);
  const { body: invoices } = await api.sandbox.get(`/invoices?filter[customer]=${customer.id}`);
  expect(invoices).toMatchObject([{ total: 30, currency: 'eur', paid: true }]);
});

test('the link of a customer subscribes that customer, and shows nothing of it but its name', async () => {
  const { id: page } = await pageWith();
  const details = { name: 'Known Ltd', email: newEmail(), address1: 'Secret Street 7' };
  const { id, sign_up_url: url } = await api.sandbox.make('/customers', { ...details, sign_up_page: page });
  const shown = await visitPage(api, url);
  expect(textOf(shown)).toContain('For Known Ltd');
  expect(shown.html).not.toMatch(/Secret Street|@example/);
  const visitor = signUpVisitor(api, tokenOf, url);
  expect(textOf(await visitor.signUp({}))).toContain('Your subscription is active');
  const { body } = await api.sandbox.get(`/subscriptions?filter[customer]=${id}`);
  expect(body).toMatchObject([{ plan: 'gold', status: 'active' }]);
  expect((await api.sandbox.get(`/customers/${id}`)).body).toMatchObject({
    payment_source: { last4: '4242' },
    autopay: true,
  });
  await api.sandbox.post(`/customers/${id}/revoke_links`);
  expect((await visitPage(api, url)).status).toBe(404);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('the script of other sites is small, and pages tell no framing site anything', async () => {
  const { url } = await pageWith();
  const script = await visitPage(api, '/js/embed.js');
  expect([script.status, script.html.length < 3000, script.headers.get('Cross-Origin-Resource-Policy')]).toEqual([
    200,
    true,
    'cross-origin',
  ]);
  const { headers } = await visitPage(api, url);
  expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  expect([headers.get('Referrer-Policy'), headers.get('X-Robots-Tag')]).toEqual(['no-referrer', 'noindex, nofollow']);
});
