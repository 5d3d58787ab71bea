import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { serviceToken, visitPage } from '../../support/payPage.ts';
import { newEmail, signUpVisitor } from '../../support/signUpPage.ts';
import { textOf } from '../../support/sourcePage.ts';

/** The link by which an existing customer subscribes on a sign-up page. */

/** A card whose bank asks before it is stored, so that something can happen meanwhile. */
const ASKS = 'tok_4000000000003220';
const HELD = 'Nothing can be sold to this customer here now';
const NO_TRIAL = 'No trial can begin with this email address now';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 20, interval: 'month' });
});
afterAll(() => api.close());

const rows = (path: string) => api.sandbox.get(path).then(({ body }) => body);
const visitorOf = (url: string) => signUpVisitor(api, (card) => serviceToken(api.sandbox, card), url);

/** A customer with a link to a page of its own. */
async function linked(fields: object = {}, page: object = {}) {
  const { id: sign_up_page, url } = await api.sandbox.make('/sign_up_pages', {
    name: 'Join',
    plans: ['gold'],
    ...page,
  });
  const known = { name: 'Known Ltd', email: newEmail(), sign_up_page, ...fields };
  const customer = await api.sandbox.make('/customers', known);
  return { id: customer.id as number, customer, page: url as string, visitor: visitorOf(customer.sign_up_url) };
}

const subscriptionsOf = (id: number) => rows(`/subscriptions?filter[customer]=${id}`);

test('its secret opens no other page of the customer, and the secrets of other pages do not open it', async () => {
  const { customer, visitor } = await linked({ email: 'secret.person@example.com' });
  const done = await visitor.signUp({});
  expect(textOf(done)).toContain('Your subscription is active');
  expect(done.html).not.toMatch(/secret\.person|\/receipts\/|\/payments\/|\/sources\//);
  const [, account, id, secret] = /\/sign_up\/(\d+)\/customers\/(\d+)\/([0-9a-f]{32})$/.exec(visitor.path) ?? [];
  const [row] = await api.em.fork().execute<{ token: string }[]>('select token from customer where id = ?', [id]);
  const pages = (token?: string) => [`/statements/${account}/${id}/${token}/pdf`, `/sources/${account}/${id}/${token}`];
  const statusOf = async (path: string) => (await visitPage(api, path)).status;
  expect(await Promise.all(pages(row?.token).map(statusOf))).toEqual([200, 200]);
  expect(await Promise.all(pages(secret).map(statusOf))).toEqual([404, 404]);
  expect(await statusOf(customer.sign_up_url.replace(secret, row?.token))).toBe(404);
});

test.each([
  ['on credit hold', { credit_hold: true }],
  ['over its credit limit', { credit_limit: 10 }],
])('a customer %s does not subscribe, because nothing would be charged', async (_, fields) => {
  const amid = await linked();
  const before = await amid.visitor.filled({});
  const waits = await linked();
  const asked = await waits.visitor.signUp({}, ASKS);
  const [, challenge = ''] = /<a class="button" href="([^"]+)"/.exec(asked.html) ?? [];
  for (const { id } of [amid, waits]) await api.sandbox.patch(`/customers/${id}`, fields);
  expect(textOf(await amid.visitor.review({}))).toContain(HELD);
  expect(textOf(await amid.visitor.send(before))).toContain(HELD);
  const answered = await visitPage(api, `${challenge}/authenticate`, { method: 'POST' });
  expect(textOf(await visitPage(api, answered.location ?? ''))).toContain(HELD);
  for (const { id } of [amid, waits]) {
    expect([await subscriptionsOf(id), await rows(`/emails?filter[customer]=${id}`)]).toEqual([[], []]);
    expect(await rows(`/customers/${id}/payment_sources`)).toEqual([]);
  }
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test.each([
  ['with an email address', {}],
  ['without an email address', { email: null }],
])('a customer %s has one trial at a time, by its link as by the page', async (_, fields) => {
  const { id, visitor, page } = await linked(fields, { trial_days: 14 });
  expect(textOf(await visitor.signUp({}))).toContain('Your trial has begun');
  expect(textOf(await visitor.signUp({}))).toContain(NO_TRIAL);
  const { email } = await rows(`/customers/${id}`);
  if (email) expect(textOf(await visitorOf(page).signUp({ email: email.toUpperCase() }))).toContain(NO_TRIAL);
  expect(await subscriptionsOf(id)).toHaveLength(1);
});

test('a trial that was made over the API counts for the address, in whichever case it is written', async () => {
  const { id, page, visitor } = await linked({ email: 'Ada.Byron@Example.com' }, { trial_days: 14 });
  await api.sandbox.make('/subscriptions', { customer: id, plan: 'gold', trial_days: 30 });
  expect(textOf(await visitor.signUp({}))).toContain(NO_TRIAL);
  expect(textOf(await visitorOf(page).signUp({ email: 'ada.byron@example.com' }))).toContain(NO_TRIAL);
});

test('a customer whose source is being stored is not deleted, and afterwards it subscribes', async () => {
  const { id, visitor } = await linked();
  const asked = await visitor.signUp({}, ASKS);
  const message = expect.stringContaining('a sign-up whose payment source is being stored');
  expect(await api.sandbox.delete(`/customers/${id}`)).toMatchObject(refused({ message }));
  const [, challenge = ''] = /<a class="button" href="([^"]+)"/.exec(asked.html) ?? [];
  const answered = await visitPage(api, `${challenge}/authenticate`, { method: 'POST' });
  expect((await visitPage(api, answered.location ?? '')).status).toBe(200);
  expect(await subscriptionsOf(id)).toHaveLength(1);
});

test.each([
  ['behind', Date.UTC(2024, 0, 31)],
  ['ahead', Date.UTC(2031, 0, 31)],
])('a customer whose test clock is %s of today is shown and charged its first bill', async (_, frozen) => {
  const { id: test_clock } = await api.sandbox.make('/test_clocks', { frozen_time: frozen / 1000 });
  const { id, visitor } = await linked({ test_clock });
  expect(textOf(await visitor.review({}))).toContain('Subscribe and pay $20.00');
  expect(textOf(await visitor.signUp({}))).toContain('Your subscription is active');
  expect(await rows(`/invoices?filter[customer]=${id}`)).toMatchObject([{ total: 20, paid: true }]);
});
