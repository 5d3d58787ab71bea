import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { cardTokens, payOn, visitPage } from '../../support/payPage.ts';

/** A payer who left the page of the bank, and opens the pay page again. */

let api: TestApi;
let customer: number;
let now = Date.now();
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  customer = (await api.sandbox.make('/customers', { name: 'Ann' })).id;
});
afterAll(() => api.close());

const MINUTE = 60_000;
const see = (url: string) => visitPage(api, url);
const post = (url: string) => visitPage(api, url, { method: 'POST' });

/** An invoice whose payer was led to the bank, and has not confirmed. */
async function leftAtBank() {
  const items = [{ name: 'Support', unit_cost: 40 }];
  const invoice = await api.sandbox.make('/invoices', { customer, items });
  const { location } = await payOn(api, invoice.payment_url, { card: cardTokens.authentication });
  const page = await see(location ?? '');
  const reference = page.headers.get('Refresh')?.split('/').at(-1) ?? '';
  return { invoice, location: location ?? '', reference };
}

const chargesOf = (invoice: number) =>
  api.em.fork().execute<{ status: string }[]>(
    `select c.status from charge c join attempt_invoice i on i.account_id = c.account_id and i.attempt_id = c.attempt_id
     where i.invoice_id = ? and c.status = 'succeeded'`,
    [invoice],
  );

test('a payer who opens the page again chooses between the bank and another way', async () => {
  const { invoice, location, reference } = await leftAtBank();
  now += 2 * MINUTE;
  for (const url of [invoice.payment_url, location]) {
    const page = await see(url);
    expect([page.headers.get('Refresh'), page.html.includes(`challenges/${reference}"`)]).toEqual([null, true]);
    expect(page.html).toContain('Pay another way');
  }
  const left = await post(location);
  expect(left).toMatchObject({ status: 303, location: new URL(invoice.payment_url).pathname });
  await payOn(api, invoice.payment_url, { card: cardTokens.good });
  await api.gateway.challenges.answer(reference, true); // too late: it was given up at the gateway
  await see(`${location}?returned=1`);
  expect(await chargesOf(invoice.id)).toHaveLength(1);
  expect((await api.sandbox.get(`/invoices/${invoice.id}`)).body).toMatchObject({ paid: true, balance: 0 });
});

test('a payer who confirmed at the bank and never came back finds the payment made, on either page', async () => {
  for (const opens of ['payment_url', 'result'] as const) {
    const { invoice, location, reference } = await leftAtBank();
    await api.gateway.challenges.answer(reference, true);
    now += 10_000;
    const page = await see(opens === 'result' ? location : invoice.payment_url);
    expect([page.headers.get('Refresh'), page.html.includes('Pay another way')]).toEqual([null, false]);
    expect(page.html).toContain('Thank you for your payment');
    expect(await chargesOf(invoice.id)).toHaveLength(1);
  }
});

test('a payer whose bank refused the confirmation, and who never came back, can pay again', async () => {
  const { invoice, reference } = await leftAtBank();
  await api.gateway.challenges.answer(reference, false);
  expect((await see(invoice.payment_url)).html).toContain('Nothing was charged.');
  await payOn(api, invoice.payment_url, { card: cardTokens.good });
  expect(await chargesOf(invoice.id)).toHaveLength(1);
});

test('a payer who confirms in one window and gives up in another one is charged once', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { invoice, location, reference } = await leftAtBank();
    const [left] = await Promise.all([
      post(location),
      api.gateway.challenges.answer(reference, true).then(() => see(`${location}?returned=1`)),
    ]);
    expect(left?.status).toBe(303);
    const shown = await see(invoice.payment_url);
    if (!shown.html.includes('This invoice is paid')) await payOn(api, invoice.payment_url, { card: cardTokens.good });
    expect(await chargesOf(invoice.id)).toHaveLength(1);
    expect((await api.sandbox.get(`/invoices/${invoice.id}`)).body).toMatchObject({ paid: true, balance: 0 });
  }
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});
