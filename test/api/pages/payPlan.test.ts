import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { cardTokens, formOn, payOn, sendForm, serviceToken, visitPage } from '../../support/payPage.ts';
import { textOf } from '../../support/sourcePage.ts';
import { upload } from '../../support/upload.ts';

/** The pages of an invoice on a payment plan. */

let api: TestApi;
let client: Client;
let invoice: { id: number; url: string; payment_url: string };
/** Milliseconds by which the product's time is ahead. */
let later = 0;

const DAY = 86_400;
const start = Math.floor(Date.now() / 1000) + DAY;
const parts = (...amounts: number[]) => amounts.map((amount, index) => ({ date: start + index * 30 * DAY, amount }));

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(Date.now() + later) });
  client = api.sandbox;
});
afterAll(() => api.close());
beforeEach(async () => {
  later = 0;
  await client.patch('/account', { partial_payments: false });
  const customer = (await client.make('/customers', { name: 'Ada' })).id;
  invoice = await client.make('/invoices', { customer, items: [{ name: 'Roof', unit_cost: 90 }] });
});

const put = (installments: object[], more: object = {}) =>
  client.request('PUT', `/invoices/${invoice.id}/payment_plan`, { installments, ...more });
const see = () => visitPage(api, invoice.payment_url);
const shown = async () => textOf(await see());
const pay = (fields: Record<string, string> = {}) => payOn(api, invoice.payment_url, { card: cardTokens.good, fields });
const balances = async () => {
  const { installments } = (await client.get(`/invoices/${invoice.id}/payment_plan`)).body;
  return installments.map(({ balance }: { balance: number }) => balance);
};
const allowParts = () => client.patch('/account', { partial_payments: true });

test('the next installment is the amount to pay, unless its payer chooses the balance', async () => {
  await put(parts(20, 30, 40));
  const page = await see();
  expect(formOn(page)).toMatchObject({ choice: '20.00' });
  expect(textOf(page)).toMatch(/\$20\.00 Due .*Due next \$20\.00.*\$30\.00.*\$40\.00/);
  expect(textOf(page)).toContain('The next installment $20.00');
  expect(textOf(page)).toContain('The whole balance $90.00');
  expect(textOf(page)).not.toContain('Another amount');
  expect(await pay()).toMatchObject({ status: 303 });
  expect(await balances()).toEqual([0, 30, 40]);
  expect(await shown()).toMatch(/Paid \$20\.00.*Due next \$30\.00/);
  expect(formOn(await see())).toMatchObject({ choice: '30.00' });
  expect(await pay({ choice: '70.00' })).toMatchObject({ status: 303 });
  expect(await balances()).toEqual([0, 0, 0]);
  expect(await shown()).toContain('This invoice is paid');
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('missed installments and the next one are asked for together', async () => {
  await put(parts(20, 30, 40));
  later = 3 * DAY * 1000;
  const page = await see();
  expect(textOf(page)).toContain('The missed installments and the next one $50.00');
  expect(textOf(page)).toMatch(/Missed.*Due next/);
  expect(await pay()).toMatchObject({ status: 303 });
  expect(await balances()).toEqual([0, 0, 40]);
});

test('a part of an installment is paid only where parts are allowed', async () => {
  await put(parts(20, 30, 40));
  for (const choice of ['19.99', '20.01', '45', '90.01', '0', '-20', '1e1', '']) {
    const answer = await pay({ choice, amount: choice });
    expect([choice, answer.status, answer.html.includes('Please enter an amount')]).toEqual([choice, 400, true]);
  }
  expect(await pay({ choice: 'other', amount: '45' })).toMatchObject({ status: 400 });
  expect(await balances()).toEqual([20, 30, 40]);
  await allowParts();
  expect(await shown()).toContain('Another amount');
  expect(await pay({ choice: 'other', amount: '25' })).toMatchObject({ status: 303 });
  expect(await balances()).toEqual([0, 25, 40]);
  expect(await shown()).toContain('$25.00 left');
  const wrong = await pay({ choice: 'other', amount: '66' });
  expect(wrong.status).toBe(400);
  expect(formOn(wrong)).toMatchObject({ choice: 'other', amount: '66' });
});

test('several installments can be paid together', async () => {
  await put(parts(20, 30, 40));
  expect(await pay({ choice: '50' })).toMatchObject({ status: 303 }); // 20 + 30
  expect(await balances()).toEqual([0, 0, 40]);
});

test('a page whose plan has changed since says so, and nothing is charged', async () => {
  await put(parts(20, 70));
  const form = formOn(await see());
  await put(parts(20, 30, 40));
  const { seen = '' } = form;
  const answer = await pay({ seen, choice: '20.00' });
  expect(answer.status).toBe(400);
  expect(answer.html).toContain('This invoice has changed');
  expect(await balances()).toEqual([20, 30, 40]);
});

test('a method whose maximum is below the balance pays an installment', async () => {
  await put(parts(20, 70));
  await client.patch('/payment_methods/credit_card', { max: 50 });
  const page = await see();
  await client.patch('/payment_methods/credit_card', { max: null });
  expect(formOn(page)).toMatchObject({ amount: '20.00' }); // nothing to choose
  expect(page.html).toContain('Pay $20.00');
});

test('a plan that waits for its approval, or is canceled, leaves the page as it was', async () => {
  const before = formOn(await see());
  expect(before).toMatchObject({ amount: '90.00' });
  await put(parts(20, 70), { require_approval: true });
  expect(formOn(await see())).toMatchObject({ amount: '90.00' });
  await client.delete(`/invoices/${invoice.id}/payment_plan`);
  expect(formOn(await see())).toMatchObject({ amount: '90.00' });
  expect(await shown()).not.toContain('Installments');
});

test('the installments of a customer on a test clock are missed by its time', async () => {
  const clock = await client.make('/test_clocks', { frozen_time: start - 40 * DAY });
  const customer = (await client.make('/customers', { name: 'Bob', test_clock: clock.id })).id;
  invoice = await client.make('/invoices', { customer, items: [{ name: 'Roof', unit_cost: 90 }] });
  const dates = [start - 30 * DAY, start - 9 * DAY];
  await put(dates.map((date) => ({ date, amount: 45 })));
  expect(formOn(await see())).toMatchObject({ choice: '45.00' });
  expect(await shown()).not.toContain('Missed');
});

test('the page of the invoice shows the installments of its plan', async () => {
  const seePage = async () => textOf(await visitPage(api, invoice.url));
  expect(await seePage()).not.toContain('Installments');
  await put(parts(20, 30, 40));
  await pay();
  expect(await seePage()).toMatch(/Installments .* · Paid \$20\.00 .* · Due next \$30\.00 .* \$40\.00/);
  await client.delete(`/invoices/${invoice.id}/payment_plan`);
  expect(await seePage()).not.toContain('Installments');
});

test('the page of a document links to its attachments, and shows their names as text', async () => {
  const name = '<b>Plan\u202e.pdf';
  const linked = await client.make('/files', { url: 'https://docs.example/plan.pdf?a=1&b=2', name });
  const { body: bytes } = await upload(client, [{ name: 'file', filename: 'Roof.txt', content: 'Roof' }]);
  const customer = (await client.make('/customers', { name: 'Ada' })).id;
  const items = [{ name: 'Roof', unit_cost: 90 }];
  for (const path of ['/invoices', '/estimates']) {
    const document = await client.make(path, { customer, items, attachments: [linked.id, bytes.id] });
    const page = await visitPage(api, document.url);
    expect(page.html).toContain('<a href="https://docs.example/plan.pdf?a=1&amp;b=2"><bdi>&lt;b&gt;Plan.pdf</bdi></a>');
    expect(page.html).toContain(`<a href="${bytes.url}"><bdi>Roof.txt</bdi></a>`);
    expect(textOf(await visitPage(api, bytes.url))).toBe('Roof');
    await client.patch(`${path}/${document.id}`, { attachments: [] });
    expect((await visitPage(api, document.url)).html).not.toContain('Attachments');
  }
});

test('an amount that the button did not name, as without a script, is shown before it is charged', async () => {
  await allowParts();
  const form = { ...formOn(await see()), amount: '30', service_token: await serviceToken(client, cardTokens.good) };
  const asked = await sendForm(api, invoice.payment_url, form);
  expect(asked.status).toBe(200);
  for (const text of ['Please confirm the amount', 'Nothing has been charged yet', 'Pay $30.00'])
    expect(asked.html).toContain(text);
  expect((await client.get(`/invoices/${invoice.id}`)).body).toMatchObject({ balance: 90 });
  expect((await sendForm(api, invoice.payment_url, formOn(asked))).status).toBe(303);
  expect((await client.get(`/invoices/${invoice.id}`)).body).toMatchObject({ balance: 60 });
  const tooMuch = { ...form, ...formOn(await see()), amount: '60.01', shown_amount: '60.00', service_token: 'any' };
  expect((await sendForm(api, invoice.payment_url, tooMuch)).status).toBe(400);
});
