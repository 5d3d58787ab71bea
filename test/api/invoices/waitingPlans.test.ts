import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { approvePlan } from '../../../commands/invoices/planApproval.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { type SeenPage, visitPage } from '../../support/payPage.ts';
import { inputsOf, textOf } from '../../support/sourcePage.ts';

/** Invoices whose payment plan waits for an approval or for a payment source. */

const DAY = 86_400;
const start = Date.parse('2027-01-20T09:00:00Z') / 1000;

let now = start;
let api: TestApi;
let client: Client;
let customer: number;
let invoice: number;

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  client = api.sandbox;
});
afterAll(async () => {
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  await api.close();
});
beforeEach(async () => {
  now = start;
  customer = (await client.make('/customers', { name: 'Ann' })).id;
});

async function owe(more: object): Promise<void> {
  invoice = (await client.make('/invoices', { customer, items: [{ name: 'Roof', unit_cost: 100 }], ...more })).id;
}
const read = async () => (await client.get(`/invoices/${invoice}`)).body;
const readPlan = async () => (await client.get(`/invoices/${invoice}/payment_plan`)).body;
const storeCard = () =>
  client.make(`/customers/${customer}/payment_sources`, {
    method: 'credit_card',
    gateway_token: 'tok_4242424242424242',
    make_default: true,
  });

/** Offers two installments of 50, the first one in 20 days. */
async function offer(more: object = { require_approval: true }) {
  const installments = [20, 50].map((days) => ({ date: start + days * DAY, amount: 50 }));
  return (await client.request('PUT', `/invoices/${invoice}/payment_plan`, { installments, ...more })).body;
}

async function filled(url: string): Promise<Record<string, string>> {
  return { ...inputsOf(await visitPage(api, url)), initials: 'A. L.', consent: 'yes' };
}
const send = (url: string, fields: Record<string, string>): Promise<SeenPage> =>
  visitPage(api, url, { method: 'POST', body: new URLSearchParams(fields) });
const approve = async (url: string) => send(url, await filled(url));

async function stepsOn(day: number): Promise<string[]> {
  now = start + day * DAY;
  const key = { accountId: client.account.id, id: invoice, lookUpDelay: 60_000 };
  const did: string[] = [];
  for (;;) {
    const one = await withAccount(key.accountId, () =>
      inTransaction(api.deps.em, async (em) => (await advanceInvoice(em, key, new Date(now * 1000))).did),
    );
    if (one === null) return did;
    did.push(one);
  }
}

test('a late fee is added to the last installment of a waiting plan, and makes an open page outdated', async () => {
  const late = { name: 'Late', default: true, amount: 2, is_percent: false, currency: 'usd', grace_period_days: 0 };
  const { id: schedule } = await client.make('/late_fee_schedules', late);
  await owe({ due_date: start });
  const { id, approval_url } = await offer();
  const form = await filled(approval_url);
  expect(await stepsOn(1)).toEqual(['past due', 'late fee of 2.00 usd']);
  expect(await readPlan()).toMatchObject({ installments: [{ amount: 50 }, { amount: 52 }], updated_at: now });
  const { body: events } = await client.get(`/events?related_to=payment_plan,${id}&sort=id`);
  expect(events.map(({ type }: { type: string }) => type)).toEqual(['payment_plan.created', 'payment_plan.updated']);
  expect(textOf(await send(approval_url, form))).toContain('The payment plan has changed since you opened this page.');
  expect((await approve(approval_url)).status).toBe(303);
  await client.make('/payments', { customer, amount: 50, applied_to: [{ type: 'invoice', invoice, amount: 50 }] });
  expect(await readPlan()).toMatchObject({ installments: [{ balance: 0 }, { balance: 52 }] });
  await client.delete(`/late_fee_schedules/${schedule}`);
});

test('a plan that was paid before its approval waits for it again when the payment is voided', async () => {
  await storeCard();
  await owe({ autopay: true });
  const terms = { payment_terms: 'AutoPay', due_date: null };
  expect(await read()).toMatchObject(terms);
  await offer();
  const applied_to = [{ type: 'invoice', invoice, amount: 100 }];
  const { id: payment } = await client.make('/payments', { customer, amount: 100, applied_to });
  expect(await readPlan()).toMatchObject({ status: 'finished' });
  await client.delete(`/payments/${payment}`);
  expect(await readPlan()).toMatchObject({ status: 'pending_signup', approval: null });
  expect(await read()).toMatchObject({ ...terms, balance: 100, next_payment_attempt: null });
  expect(await stepsOn(60)).toEqual([]);
  now = start;
  await client.delete(`/invoices/${invoice}/payment_plan`);
  expect(await read()).toMatchObject({ ...terms, next_payment_attempt: expect.any(Number) });
});

test('closing and reopening an invoice whose plan waits for its approval sets no due date', async () => {
  await storeCard();
  await owe({ autopay: true });
  await offer();
  for (const closed of [true, false]) await client.patch(`/invoices/${invoice}`, { closed });
  expect(await read()).toMatchObject({ due_date: null, next_payment_attempt: null, status: 'not_sent' });
});

test('the plan of a closed invoice cannot be approved', async () => {
  await owe({});
  const { approval_url } = await offer();
  const form = await filled(approval_url);
  await client.patch(`/invoices/${invoice}`, { closed: true });
  expect(textOf(await send(approval_url, form))).toContain('This payment plan was canceled');
  expect(textOf(await visitPage(api, approval_url))).toContain('This payment plan was canceled');
  expect(await readPlan()).toMatchObject({ status: 'pending_signup', approval: null });
});

test('an approval that was sent in time, but is recorded after a change, is refused', async () => {
  await owe({});
  const { id, approval_url } = await offer();
  const { seen = '' } = await filled(approval_url);
  const token = approval_url.split('/').at(-2) ?? '';
  const agreed = { text: 'I agree', language: 'en' };
  const sent = {
    account: client.account,
    id,
    token,
    seen,
    initials: 'A. L.',
    ip: '127.0.0.1',
    userAgent: null,
    agreed,
  };
  const record = (change: object) =>
    withAccount(client.account.id, () =>
      inTransaction(api.deps.em, (em) => approvePlan(em, { ...sent, ...change }, new Date(now * 1000))),
    );
  await expect(record({ token: '0'.repeat(32) })).rejects.toThrow(Missing);
  await expect(record({ seen: '0'.repeat(64) })).rejects.toThrow('has changed since it was shown');
  await client.patch(`/invoices/${invoice}`, { closed: true });
  await expect(record({})).rejects.toThrow('is closed: reopen it first');
  await client.patch(`/invoices/${invoice}`, { closed: false });
  await record({});
  expect(await readPlan()).toMatchObject({ status: 'active' });
});

test.each([
  ['the invoice', () => client.patch(`/invoices/${invoice}`, { autopay: false })],
  ['the customer', () => client.patch(`/customers/${customer}`, { autopay: false })],
])('a plan that waits for a source begins when AutoPay of %s is switched off', async (_what, switchOff) => {
  await client.patch(`/customers/${customer}`, { autopay: true });
  await owe({ autopay: true });
  const { approval_url } = await offer();
  await approve(approval_url);
  expect(await readPlan()).toMatchObject({ status: 'pending_signup' });
  await switchOff();
  expect(await readPlan()).toMatchObject({ status: 'active' });
  expect(await read()).toMatchObject({ payment_terms: 'Payment Plan', due_date: start + 20 * DAY, autopay: false });
});

test('the address of an approved plan is renewed by revoke_links, too', async () => {
  await owe({});
  const { approval_url } = await offer();
  await approve(approval_url);
  expect((await visitPage(api, approval_url)).status).toBe(200);
  await client.post(`/customers/${customer}/revoke_links`);
  expect((await visitPage(api, approval_url)).status).toBe(404);
});
