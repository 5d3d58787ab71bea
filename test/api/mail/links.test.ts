import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { advancePaymentSource } from '../../../commands/customers/expiryNotice.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';

/** The links of mails to pages on which customers act. */

const VAULTS_THEN_DECLINES = 'tok_4000000000000341';

let api: TestApi;
let client: Client;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(() => api.close());
beforeEach(async () => {
  const payer = { name: 'Ada', email: 'ada@example.com', autopay: true, currency: 'usd' };
  customer = (await client.make('/customers', payer)).id;
});

async function mailsOf(template: string): Promise<{ html: string; text: string }[]> {
  return api.em
    .fork()
    .execute('select html, text from email where customer_id = ? and template = ? order by id', [customer, template]);
}

const invoiceFor = (more: object = {}) => client.make('/invoices', { customer, items: [{ unit_cost: 20 }], ...more });
const SOURCES = /https:\/\/billing\.example\/sources\/\d+\/\d+\/[0-9a-f]{32}/g;
const linksTo = (mail: string) => [...new Set(mail.match(SOURCES))];

test('a mail about a failed charge of AutoPay links to the pages that update the payment method and pay the invoice', async () => {
  const card = { method: 'credit_card', gateway_token: VAULTS_THEN_DECLINES, make_default: true };
  await client.make(`/customers/${customer}/payment_sources`, card);
  const { id, url } = await invoiceFor();
  expect(await client.post(`/invoices/${id}/pay`)).toMatchObject(refused({ type: 'invalid_request' }));
  const [mail = { html: '', text: '' }] = await mailsOf('auto_payment_failed_email');
  for (const part of [mail.html, mail.text]) {
    expect(linksTo(part)).toHaveLength(1);
    expect(part).toContain(`${url}/pay`);
  }
  expect(linksTo(mail.html)).toEqual(linksTo(mail.text));
  expect(mail.text).toContain('Update payment method');
  expect(mail.text).toContain('Pay now');
});

test('all mails to a customer have the same link, also to a customer from before such pages', async () => {
  const card = { method: 'credit_card', gateway_token: VAULTS_THEN_DECLINES, make_default: true };
  await client.make(`/customers/${customer}/payment_sources`, card);
  await api.em.fork().execute('update customer set token = null where id = ?', [customer]);
  for (const { id } of [await invoiceFor(), await invoiceFor()]) await client.post(`/invoices/${id}/pay`);
  const mails = await mailsOf('auto_payment_failed_email');
  expect(mails).toHaveLength(2);
  expect(linksTo(mails.map(({ text }) => text).join('\n'))).toHaveLength(1);
});

test('the notice that a card expires links to the page that updates the payment method', async () => {
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  const source = await client.make(`/customers/${customer}/payment_sources`, card);
  const at = new Date(Date.UTC(source.exp_year, source.exp_month - 1, 20));
  await inTransaction(api.em, (em) => advancePaymentSource(em, { accountId: client.account.id, id: source.id }, at));
  const [mail = { html: '', text: '' }] = await mailsOf('card_expiring_email');
  expect(linksTo(mail.html)).toHaveLength(1);
  expect(linksTo(mail.text)).toEqual(linksTo(mail.html));
});

test('the mail of an invoice has a button to pay it, unless AutoPay will charge it or nothing is left to pay', async () => {
  const manual = await invoiceFor({ autopay: false });
  const send = async (id: number) => client.post(`/invoices/${id}/emails`);
  await send(manual.id);
  const [asked = { html: '', text: '' }] = await mailsOf('new_invoice_email');
  for (const part of [asked.html, asked.text]) {
    expect(part).toContain(`${manual.url}/pay`);
    expect(part).toContain('View invoice');
  }
  const applied_to = [{ type: 'invoice', invoice: manual.id, amount: 20 }];
  await client.make('/payments', { customer, amount: 20, applied_to });
  await send(manual.id);
  const [paid = { html: '', text: '' }] = await mailsOf('paid_invoice_email');
  expect(paid.html + paid.text).not.toContain('/pay"');
  expect(paid.text).not.toContain(`${manual.url}/pay`);
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await client.make(`/customers/${customer}/payment_sources`, card);
  const automatic = await invoiceFor();
  await send(automatic.id);
  const [, charged = { html: '', text: '' }] = await mailsOf('new_invoice_email');
  expect(charged.text).toContain(automatic.url);
  expect(charged.text).not.toContain('Pay now');
});

const NEEDS_CUSTOMER = 'tok_4000000000003220';

test('a charge that the customer has to authenticate is not retried, and its mail leads to the page that pays the invoice', async () => {
  const card = { method: 'credit_card', gateway_token: NEEDS_CUSTOMER, make_default: true };
  await client.make(`/customers/${customer}/payment_sources`, card);
  const { id, url, number } = await invoiceFor();
  const pay = () => client.post(`/invoices/${id}/pay`);
  expect(await pay()).toMatchObject(
    refused({ message: 'The bank asks the card holder to authenticate this payment.' }),
  );
  const [mail = { html: '', text: '' }] = await mailsOf('auto_payment_failed_email');
  const [button, link] = [mail.html.indexOf(`${url}/pay`), mail.html.search(SOURCES)];
  expect(button).toBeGreaterThan(0);
  expect(link).toBeGreaterThan(button); // to pay is the main button
  expect(mail.text).toContain(`Your bank asks you to confirm the payment of invoice ${number}.`);
  expect(mail.text).toContain(`Pay now\n${url}/pay`);
  expect(mail.text).not.toMatch(/declined|try again/);
  expect((await client.get(`/invoices/${id}`)).body).toMatchObject({ next_payment_attempt: null, attempt_count: 1 });
  // AutoPay has stopped for the invoice. A later request to pay it asks the customer again.
  expect(await pay()).toMatchObject(refused({ type: 'invalid_request' }));
  expect(await mailsOf('auto_payment_failed_email')).toHaveLength(2);
});

test('a request to charge that the customer has to authenticate sends no mail', async () => {
  const { id } = await invoiceFor({ autopay: false });
  const charge = { customer, method: 'credit_card', amount: 20, gateway_token: NEEDS_CUSTOMER };
  const asked = { ...charge, applied_to: [{ type: 'invoice', invoice: id, amount: 20 }] };
  expect(await client.post('/charges', asked)).toMatchObject(refused({ type: 'invalid_request' }));
  expect(await mailsOf('auto_payment_failed_email')).toEqual([]);
});
