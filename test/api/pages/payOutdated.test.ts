import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import {
  approvedEstimate,
  cardTokens,
  formOn,
  type SeenPage,
  sendForm,
  serviceToken,
  visitPage,
} from '../../support/payPage.ts';

/** Forms of a pay page whose document has changed since it was shown, and changes that the page does not show. */

let api: TestApi;
let client: Client;
let customer: number;
let invoice: { id: number; url: string; payment_url: string };

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(() => api.close());
beforeEach(async () => {
  await client.patch('/account', { partial_payments: true });
  customer = (await client.make('/customers', { name: 'Ann' })).id;
  invoice = await client.make('/invoices', { customer, items: [{ name: 'Support', unit_cost: 100 }] });
});

const patch = (body: object) => client.patch(`/invoices/${invoice.id}`, body);
const toInvoice = (amount: number) => [{ type: 'invoice', invoice: invoice.id, amount }];
const charge = async (amount: number): Promise<number> => {
  const token = await serviceToken(client, cardTokens.good);
  const applied = { amount, applied_to: toInvoice(amount) };
  return (await client.make('/charges', { customer, method: 'credit_card', service_token: token, ...applied })).charge
    .id;
};

/** The number of reads of a document to be printed, and of locks of a customer. */
const counted = (statements: string[]) => ({
  printed: statements.filter((sql) => sql.includes('as "pdfTemplate"')).length,
  locks: statements.filter((sql) => sql.includes('for no key update of c')).length,
});

/** Reads the form of a page, lets something happen, and sends the form with 40. */
async function payAfter(url: string, happen: () => Promise<unknown>): Promise<SeenPage> {
  const form = { ...formOn(await visitPage(api, url)), amount: '40', shown_amount: '40', choice: '' };
  await happen();
  return sendForm(api, url, { ...form, service_token: await serviceToken(client, cardTokens.good) });
}

const DAY = 86_400;
const tomorrow = Math.floor(Date.now() / 1000) + DAY;
const installments = [40, 60].map((amount, index) => ({ date: tomorrow + index * DAY, amount }));

const changes: [string, () => Promise<unknown>][] = [
  ['its lines', () => patch({ items: [{ name: 'Other work', unit_cost: 100 }] })],
  [
    'the period of a line',
    () => patch({ items: [{ name: 'Support', unit_cost: 100, period_start: 1, period_end: 2 }] }),
  ],
  ['its notes', () => patch({ notes: 'Thank you' })],
  ['its purchase order', () => patch({ purchase_order: 'PO 7' })],
  ['its terms', () => patch({ payment_terms: '2% 10 net 30' })],
  ['its shipping address', () => patch({ ship_to: { name: 'Ann', address1: 'Main Street 1' } })],
  ['a payment', () => client.make('/payments', { customer, method: 'check', amount: 10, applied_to: toInvoice(10) })],
  ['a plan', () => client.request('PUT', `/invoices/${invoice.id}/payment_plan`, { installments })],
  ['being late', () => api.em.execute('update invoice set past_due = true where id = ?', [invoice.id])],
];

test.each(changes)('a form from before %s is shown again, and nothing is charged', async (_what, change) => {
  const answer = await payAfter(invoice.payment_url, change);
  expect([answer.status, answer.html.includes('This invoice has changed')]).toEqual([400, true]);
  const attempts = await api.em.execute('select 1 from attempt_invoice where invoice_id = ?', [invoice.id]);
  expect(attempts).toEqual([]);
});

test('a form from before a refund, which leaves the balance as it is, is shown again', async () => {
  const id = await charge(30);
  const answer = await payAfter(invoice.payment_url, () => client.make(`/charges/${id}/refunds`, { amount: 5 }));
  expect([answer.status, answer.html.includes('This invoice has changed')]).toEqual([400, true]);
});

test('a form from before a payment of the deposit is shown again', async () => {
  const estimate = await approvedEstimate(api, { customer, items: [{ name: 'Roof', unit_cost: 100 }], deposit: 60 });
  const applied = { amount: 20, applied_to: [{ type: 'estimate', estimate: estimate.id, amount: 20 }] };
  const pay = () => client.make('/payments', { customer, method: 'check', ...applied });
  const answer = await payAfter(estimate.payment_url, pay);
  expect([answer.status, answer.html.includes('This estimate has changed')]).toEqual([400, true]);
});

test('that a form is outdated is said before any other error of it', async () => {
  const form = formOn(await visitPage(api, invoice.payment_url));
  await patch({ notes: 'Thank you' });
  const answer = await sendForm(api, invoice.payment_url, { ...form, email: 'nobody', service_token: '' });
  expect([answer.status, answer.html.includes('This invoice has changed')]).toEqual([400, true]);
});

const unseen: [string, () => Promise<unknown>][] = [
  ['a change of its metadata', () => patch({ metadata: { project: '7' } })],
  ['a change of its name', () => patch({ name: 'Project 7' })],
  ['a visit', () => visitPage(api, invoice.url, { headers: { 'User-Agent': 'Mozilla/5.0', Accept: 'text/html' } })],
  ['a change of its customer', () => client.patch(`/customers/${customer}`, { name: 'Anna' })],
];

test.each(unseen)('a form from before %s, which its page does not show, pays', async (_what, change) => {
  expect(await payAfter(invoice.payment_url, change)).toMatchObject({ status: 303 });
});

test('the form of an invoice that is paid in part pays, and locks its customer once before the gateway is called', async () => {
  const id = await charge(10);
  await client.make(`/charges/${id}/refunds`, { amount: 5 });
  await client.make('/payments', { customer, method: 'check', amount: 5, applied_to: toInvoice(5) });
  const form = { ...formOn(await visitPage(api, invoice.payment_url)), amount: '40', shown_amount: '40' };
  const sent = { ...form, service_token: await serviceToken(client, cardTokens.good) };
  const statements = await api.statements(async () => {
    expect(await sendForm(api, invoice.payment_url, sent)).toMatchObject({ status: 303 });
  });
  expect(counted(statements)).toEqual({ printed: 0, locks: 2 }); // the second one records the outcome
});
