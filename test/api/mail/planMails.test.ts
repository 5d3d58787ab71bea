import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { visitPage } from '../../support/payPage.ts';
import { inputsOf } from '../../support/sourcePage.ts';

/** Mails that tell a customer the installments of a payment plan. */

let api: TestApi;
let client: Client;
let customer: number;

const DAY = 86_400;
const start = Math.floor(Date.now() / 1000) + DAY;
const CARD = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await client.make('/customers', { name: 'Ada', email: 'ada@example.com', currency: 'usd' })).id;
});

interface Mail {
  to_address: string;
  subject: string;
  message: string;
  html: string;
  text: string;
}

const mails = () =>
  api.em.fork().execute<Mail[]>(
    `select to_address, subject, message, html, text from email
       where customer_id = ? and template = 'payment_plan_email' order by id`,
    [customer],
  );
const owe = (more: object = {}) =>
  client.make('/invoices', { customer, items: [{ name: 'Roof', unit_cost: 90 }], ...more });
const parts = (...amounts: number[]) => amounts.map((amount, index) => ({ date: start + index * 30 * DAY, amount }));
const put = (invoice: { id: number }, amounts: number[], more: object = {}) =>
  client.request('PUT', `/invoices/${invoice.id}/payment_plan`, { installments: parts(...amounts), ...more });
const longDay = (seconds: number, language = 'en') =>
  new Date(seconds * 1000).toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' });
const rowsOf = ({ text }: Mail) =>
  text
    .replaceAll(/[\u2009\u202f\u00a0]/g, ' ')
    .split('\n')
    .filter((line) => / {2}\S/.test(line))
    .map((line) => line.trim().split(/ {2,}/));

test('a plan that begins is mailed with its installments and the link to pay', async () => {
  const invoice = await owe();
  await put(invoice, [30, 60]);
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    to_address: 'ada@example.com',
    subject: `Payment plan for invoice ${invoice.number} from ${client.account.name}`,
    message: 'Hello Ada, these are your installments. You pay each installment by its date.',
  });
  expect(mail && rowsOf(mail)).toEqual([
    ['Invoice', invoice.number],
    [longDay(start), '$30.00'],
    [longDay(start + 30 * DAY), '$60.00'],
    ['Amount due', '$90.00'],
  ]);
  for (const part of [mail?.html, mail?.text]) expect(part).toContain(`${invoice.url}/pay`);
});

test('a change of the installments is mailed with what is unpaid; a repeated or dry run is not', async () => {
  const invoice = await owe();
  await put(invoice, [30, 60]);
  const applied_to = [{ type: 'invoice', invoice: invoice.id, amount: 30 }];
  await client.make('/payments', { customer, amount: 30, applied_to });
  expect(await put(invoice, [20, 40])).toMatchObject({ status: 200 });
  const shown = (await client.get(`/invoices/${invoice.id}/payment_plan`)).body.installments;
  const path = `/invoices/${invoice.id}/payment_plan`;
  await client.request('PUT', path, { installments: shown }); // the plan as it is
  await client.request('PUT', `${path}?dry_run=true`, { installments: parts(10, 50) });
  expect(await put(invoice, [10, 10])).toMatchObject({ status: 400 });
  const [, changed, ...others] = await mails();
  expect(others).toEqual([]);
  expect(changed?.subject).toBe(`Changed payment plan for invoice ${invoice.number} from ${client.account.name}`);
  expect(changed && rowsOf(changed).map(([, amount]) => amount)).toEqual([
    invoice.number,
    '$20.00',
    '$40.00',
    '$60.00',
  ]);
});

test('a plan that asks for approval is mailed with the page that takes it, and is not mailed again after it', async () => {
  await client.patch(`/customers/${customer}`, { language: 'de', country: 'DE' });
  const invoice = await owe({ autopay: true });
  const { approval_url } = (await put(invoice, [40, 50], { require_approval: true })).body;
  const { number } = invoice;
  const [asked] = await mails();
  expect(asked?.subject).toBe(
    `Bitte stimmen Sie der Ratenzahlung für Rechnung ${number} von ${client.account.name} zu`,
  );
  for (const part of [asked?.html, asked?.text]) {
    expect(part).toContain(approval_url);
    expect(part).not.toContain(`${invoice.url}/pay`);
  }
  expect(asked?.text).toContain(longDay(start, 'de'));
  await put(invoice, [50, 40]);
  const fields = { ...inputsOf(await visitPage(api, approval_url)), initials: 'A. L.', consent: 'yes' };
  await visitPage(api, approval_url, { method: 'POST', body: new URLSearchParams(fields) });
  const status = async () => (await client.get(`/invoices/${invoice.id}/payment_plan`)).body.status;
  expect(await status()).toBe('pending_signup');
  await client.make(`/customers/${customer}/payment_sources`, CARD); // the customer knows the plan, which begins now
  expect(await status()).toBe('active');
  const told = await mails();
  expect(told).toHaveLength(2); // the second one asks to approve the changed installments
  expect(told[1]?.text).toContain(approval_url);
});

test('a plan that waits for a payment source is mailed with the page that adds it, and again when it begins', async () => {
  const invoice = await owe({ autopay: true });
  expect((await put(invoice, [40, 50])).body).toMatchObject({ status: 'pending_signup' });
  const [waiting] = await mails();
  expect(waiting?.message).toContain('One step is left: add the card or bank account that is charged.');
  expect(waiting?.text).toMatch(/Add a payment method\nhttps:\/\/billing\.example\/sources\//);
  await client.make(`/customers/${customer}/payment_sources`, CARD);
  const [, begun, ...others] = await mails();
  expect(others).toEqual([]);
  expect(begun?.message).toContain('Each installment is charged to your stored payment method on its date.');
  expect(begun?.text).toContain(`View invoice\n${invoice.url}\n`);
  expect(begun?.text).not.toContain('Pay now');
});

test('ten equal requests at once are one mail for each person', async () => {
  await client.make(`/customers/${customer}/contacts`, { name: 'Bob', email: 'bob@example.com', primary: true });
  const invoice = await owe();
  await Promise.all(Array.from({ length: 10 }, () => put(invoice, [40, 50])));
  expect((await mails()).map(({ to_address }) => to_address)).toEqual(['ada@example.com', 'bob@example.com']);
});

test('names in the mail are text, and a customer without an address gets none', async () => {
  const hostile = '</td><script>x</script>\u202e{number}';
  await client.patch(`/customers/${customer}`, { name: hostile });
  await put(await owe(), [40, 50], { require_approval: true });
  const [mail] = await mails();
  expect(mail?.html).toContain('&lt;script&gt;');
  expect(mail?.html).not.toMatch(/<script/);
  expect(`${mail?.html}${mail?.text}`).not.toContain('\u202e');
  await client.patch(`/customers/${customer}`, { email: null });
  expect(await put(await owe(), [40, 50])).toMatchObject({ status: 200 });
  expect(await mails()).toHaveLength(1);
});
