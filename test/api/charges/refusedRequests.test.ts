import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { settleAttempt } from '../../../commands/charges/attempts.ts';
import { withAccount } from '../../../db/tenant.ts';
import { refused } from '../../support/api.ts';
import { type Credits, startCredits } from '../../support/credits.ts';
import { formOn, sendForm, visitPage } from '../../support/payPage.ts';
import { sourceVisitor, textOf } from '../../support/sourcePage.ts';

/** Stripe refuses a request for a reason that the people of the account have to mend: API, pages, and the problem of the merchant account. */

let books: Credits;
let merchant: number;
beforeAll(async () => {
  books = await startCredits();
  const secrets = { secret_key: 'sk_test_Rome2027', publishable_key: 'pk_test_Rome2027' };
  const made = { gateway: 'stripe', name: 'Stripe', ...secrets };
  merchant = (await books.api.sandbox.make('/merchant_accounts', made)).id;
});
afterAll(() => books.api.close());
beforeEach(() => books.begin());

const CREATE = /^POST \/v1\/(payment|setup)_intents$/;
const CONFIRM = /^POST .*\/confirm$/;

const problems = async () => (await books.api.sandbox.get('/problems')).body;
const charge = (more: object = {}) =>
  books.api.sandbox.post('/charges', {
    customer: books.customer,
    amount: 12,
    currency: 'usd',
    method: 'credit_card',
    applied_to: [{ type: 'credit', amount: 12 }],
    gateway_token: 'pm_card_visa',
    ...more,
  });

test.each([CREATE, CONFIRM])('a charge that Stripe refuses is no decline: %s', async (request) => {
  books.api.stripe.fail({ request, how: 'payment_method_unactivated' });
  const message = expect.stringContaining('The payment method type is not activated. (request req_1)');
  expect(await charge()).toMatchObject(refused({ type: 'api', code: 'gateway_refused', message }));
  expect(await books.rows('select 1 from charge where customer_id = ?', [books.customer])).toEqual([]);
  expect(await problems()).toMatchObject([
    { subject: { object: 'merchant_account', id: merchant }, step: 'charge by credit_card', message },
  ]);
  expect((await charge()).status).toBe(201);
  expect(await problems()).toEqual([]);
  await books.expectCleanBooks();
});

test('the problem of one method stays open while another one is refused and taken again', async () => {
  const byAch = { method: 'ach', gateway_token: 'pm_usBankAccount_success' };
  books.api.stripe.fail({ request: CREATE, how: 'payment_method_unactivated' });
  await charge(byAch);
  books.api.stripe.fail({ request: CREATE, how: 'payment_method_unactivated' });
  await charge();
  expect((await charge()).status).toBe(201);
  expect(await problems()).toHaveLength(1); // bank debits are still refused
  expect((await charge(byAch)).status).toBe(201);
  expect(await problems()).toEqual([]);
});

test('a key that Stripe no longer takes leaves a charge unknown whose confirmation may have arrived, until it is replaced', async () => {
  const { api } = books;
  api.stripe.fail({ request: CONFIRM, how: 'cut_after' });
  api.stripe.fail({ request: CONFIRM, how: 'api_key_expired' });
  expect((await charge()).body).toMatchObject({ charge: { status: 'pending' } });
  expect(await problems()).toEqual([]);
});

test('a payer on a page is told to choose another method, however often', async () => {
  const { api } = books;
  const url = String((await books.readInvoice(await books.invoice(12))).payment_url);
  const pay = async () => {
    const token = { method: 'credit_card', gateway_token: 'pm_card_visa' };
    const { id: service_token } = await api.sandbox.make('/service_tokens', token);
    const form = formOn(await visitPage(api, `${url}?method=credit_card`));
    const { location } = await sendForm(api, url, { ...form, service_token });
    return textOf(await visitPage(api, location ?? ''));
  };
  for (let tries = 0; tries < 12; tries += 1) {
    api.stripe.fail({ request: CREATE, how: 'without_code' });
    const text = await pay();
    expect(text).toContain('cannot be used here at the moment. Please choose another one.');
    expect(text).toContain('Nothing was charged.');
    expect(text).not.toMatch(/declined|not available here/);
  }
  expect(await problems()).toMatchObject([
    { message: expect.stringContaining('not available here'), tries: 12, subject: { id: merchant } },
  ]);
  expect(await pay()).toMatch(/received|Thank/i);
  expect(await problems()).toEqual([]);
});

test('the page that adds a card says so, too', async () => {
  const { api } = books;
  const visitor = await sourceVisitor(api, api.sandbox);
  api.stripe.fail({ request: CONFIRM, how: 'more_permissions_required' });
  const path = await visitor.pathOf(books.customer);
  expect(textOf(await visitor.add(path, 'pm_card_visa'))).toContain('Please choose another one.');
  expect(await problems()).toMatchObject([{ step: 'vault by credit_card' }]);
  expect(textOf(await visitor.add(path, 'pm_card_visa'))).toContain('saved');
  expect(await problems()).toEqual([]);
});

test('a refund that Stripe refuses for the key was not made; it is made once the key is mended', async () => {
  const { api } = books;
  const { id } = (await charge()).body.charge;
  const refund = () => api.sandbox.post(`/charges/${id}/refunds`, { amount: 5 });
  api.stripe.fail({ request: /^POST .*refunds$/, how: 'api_key_expired' });
  const message = expect.stringContaining('has expired. (request req_1)');
  expect(await refund()).toMatchObject(refused({ type: 'api', code: 'gateway_refused', message }));
  expect(await problems()).toMatchObject([{ step: 'refund', message }]);
  expect(api.stripe.world.refunds.size).toBe(0);
  expect((await refund()).status).toBe(201);
  expect(api.stripe.world.refunds.size).toBe(1);
  expect(await problems()).toEqual([]);
  await books.expectCleanBooks();
});

test('a deletion that Stripe refuses for the key is retried, and is a problem until then', async () => {
  const { api } = books;
  const visitor = await sourceVisitor(api, api.sandbox);
  await visitor.add(await visitor.pathOf(books.customer), 'pm_card_visa');
  const [source] = await books.rows('select id from payment_source where customer_id = ?', [books.customer]);
  api.stripe.fail({ request: /^POST .*detach$/, how: 'api_key_expired' });
  expect((await api.sandbox.delete(`/customers/${books.customer}/cards/${source?.id}`)).status).toBe(204);
  expect(await problems()).toMatchObject([{ step: 'delete_source by credit_card' }]);
  const [attempt] = await books.rows("select id, account_id from attempt where kind = 'delete_source'");
  const key = { accountId: Number(attempt?.account_id), id: Number(attempt?.id) };
  await withAccount(key.accountId, () => settleAttempt(api.deps, key));
  expect(await books.rows("select state from attempt where kind = 'delete_source'")).toEqual([{ state: 'succeeded' }]);
  expect(await problems()).toEqual([]);
});

test('the team of the account is mailed once, however many requests are refused, and no customer is', async () => {
  await books.api.sandbox.patch('/account', { alert_recipients: ['team@example.com'] });
  for (let times = 0; times < 3; times += 1) {
    books.api.stripe.fail({ request: CREATE, how: 'account_invalid' });
    await charge();
  }
  const mails = await books.rows('select template, text like ? as told from email', ['%does not have access%']);
  expect(mails.filter(({ template }) => template !== 'payment_receipt_email')).toEqual([
    { template: 'problem_email', told: true },
  ]);
});
