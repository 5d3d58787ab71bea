import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import {
  approvedEstimate,
  cardTokens,
  formOn,
  payOn,
  sendForm,
  serviceToken,
  visitPage,
} from '../../support/payPage.ts';

/** What the pages of a payment tell of addresses, and what they keep for a payer who tries again. */

let api: TestApi;
let client: Client;
let count = 0;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  await client.patch('/account', { partial_payments: true });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

/** A customer with an address of its own and an invoice. */
async function billed(more: object = {}) {
  count += 1;
  const email = `payer${count}@old.example`;
  const customer = (await client.make('/customers', { name: 'Ann', email, ...more })).id;
  const items = [{ name: 'Support', unit_cost: 100 }];
  const { payment_url: url } = await client.make('/invoices', { customer, items });
  return { customer, email, url };
}
const see = (url: string | null) => visitPage(api, url ?? '');
const pay = (url: string, card: string, fields: Record<string, string> = {}) => payOn(api, url, { card, fields });

test('whoever has the link learns no address but the one that the payer typed, also after the customer’s changed', async () => {
  const { customer, email, url } = await billed();
  await client.make(`/customers/${customer}/contacts`, { name: 'Eve', email: 'eve@contact.example', primary: true });
  const { location } = await pay(url, cardTokens.good);
  const told = async () => (await see(location)).html;
  expect(await told()).toMatch(/Receipt sent to<\/dt><dd>the usual address/);
  await client.patch(`/customers/${customer}`, { email: 'new@new.example' });
  for (const address of [email, 'old.example', 'new.example', 'contact.example'])
    expect([address, (await told()).includes(address)]).toEqual([address, false]);
  expect((await client.get(`/charges?filter[customer]=${customer}`)).body).toMatchObject([{ receipt_email: email }]);

  const typed = await billed();
  const other = await pay(typed.url, cardTokens.good, { email: typed.email });
  await client.patch(`/customers/${typed.customer}`, { email: 'new@new.example' });
  expect((await see(other.location)).html).toContain(typed.email);
});

test('a receipt that cannot be delivered is not said to be sent', async () => {
  const { customer, url } = await billed();
  const { location } = await pay(url, cardTokens.good);
  await api.em.fork().execute("update email set state = 'failed' where customer_id = ?", [customer]);
  const { html } = await see(location);
  expect([html.includes('Receipt sent to'), html.includes('could not be delivered by email')]).toEqual([false, true]);
  const without = await billed({ email: null });
  const none = await pay(without.url, cardTokens.good);
  expect((await see(none.location)).html).toContain('No receipt is sent by email');
});

test('after a decline the form keeps what its payer typed, and nothing that was not', async () => {
  const { customer, url } = await billed();
  const first = await pay(url, cardTokens.hard);
  await client.patch(`/customers/${customer}`, { email: 'new@new.example' });
  expect(formOn(await see(first.location))).toMatchObject({ email: '', name: '' });
  const own = await billed();
  const second = await pay(own.url, cardTokens.hard, { email: own.email });
  expect(formOn(await see(second.location)).email).toBe(own.email);
});

test('another method after a decline keeps name, address and part, of a payment of this document alone', async () => {
  const { url } = await billed();
  const entered = { name: 'Bob', email: 'bob@example.com', amount: '40' };
  const declined = await pay(url, cardTokens.hard, entered);
  const { html } = await see(declined.location);
  const link = (/href="([^"]*\?method=ach[^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
  const form = formOn(await see(link));
  expect(form).toMatchObject({ ...entered, amount: '40.00', shown_amount: '40', method: 'ach' });
  const other = await billed();
  const key = /after=([0-9a-f-]+)/.exec(link)?.[1] ?? '';
  const none = { name: '', email: '', amount: '100.00' };
  for (const after of [key, 'x', `${key}'`])
    expect(formOn(await see(`${other.url}?method=ach&after=${after}`))).toMatchObject(none);
  const bank = await serviceToken(client, 'tok_110000000_123456789');
  const made = await sendForm(api, url, { ...form, service_token: bank });
  expect((await see(made.location)).html).toContain('Acme has received $40.00.');
  const paid = /payments\/([0-9a-f-]+)/.exec(made.location ?? '')?.[1] ?? '';
  expect(formOn(await see(`${url}?after=${paid}`))).not.toMatchObject({ name: 'Bob' });
});

test('a deposit has the panel for transfers, with what is left of it and the number of the estimate', async () => {
  await client.patch('/account', {
    bank_details: [{ currency: 'usd', account_number: '12345678', bank_name: 'Bank' }],
  });
  await client.patch('/payment_methods/wire_transfer', { enabled: true });
  const { customer } = await billed();
  const asked = { customer, deposit: 30, items: [{ name: 'Work', unit_cost: 100 }] };
  const { payment_url, number } = await approvedEstimate(api, asked);
  const { html } = await see(`${payment_url}?method=wire_transfer`);
  const copied = [...html.matchAll(/data-copy="([^"]*)"/g)].map(([, value]) => value);
  expect(copied).toEqual(expect.arrayContaining(['12345678', number, '30.00']));
  await pay(payment_url, cardTokens.good, { amount: '10' });
  expect((await see(`${payment_url}?method=wire_transfer`)).html).toContain('data-copy="20.00"');
});
