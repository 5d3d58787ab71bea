import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';

/** The customer's credit pays an invoice when it is issued. AutoPay collects the rest. */

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await api.sandbox.make('/customers', { name: 'Payer' })).id;
});

const clean = async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]);
const rows = (sql: string, values: unknown[] = []) => api.em.fork().execute(sql, values);
const adjust = (amount: number, more: object = {}) =>
  api.sandbox.post('/credit_balance_adjustments', { customer, amount, ...more });
const issue = (amount: number, more: object = {}) =>
  api.sandbox.make('/invoices', { customer, items: [{ name: 'x', unit_cost: amount }], ...more });
const payments = async () =>
  (await api.sandbox.get(`/payments?filter[customer]=${customer}&include=applied_to`)).body.toReversed();
const balance = async (): Promise<number[]> =>
  (
    await rows(
      `select balance::float8 as balance from credit_balance_change where customer_id = ?
       order by at desc, amount < 0 desc, id desc limit 1`,
      [customer],
    )
  ).map(({ balance }) => balance);

test('credit pays what it covers at issue, by a payment without money', async () => {
  await adjust(40);
  const { sandbox } = api;
  const invoice = await issue(100);
  expect(invoice).toMatchObject({ total: 100, balance: 60, paid: false, status: 'not_sent' }); // 100 - 40
  expect((await sandbox.get(`/invoices/${invoice.id}`)).body).toEqual(invoice);
  const [payment] = await payments();
  expect(payment).toMatchObject({
    amount: 40,
    balance: 0,
    charge: null,
    source: 'api',
    method: 'other',
    applied_to: [{ type: 'applied_credit', document_type: 'invoice', invoice: invoice.id, amount: 40 }],
  });
  const entries = await rows('select ledger_account, amount::float8 as amount from ledger_entry where payment_id = ?', [
    payment.id,
  ]);
  expect(entries).toEqual([
    { ledger_account: 'customer_credits', amount: 40 },
    { ledger_account: 'receivable', amount: -40 },
  ]);
  const types = (await sandbox.get('/events?per_page=2')).body.map(({ type }: { type: string }) => type);
  expect(types).toEqual(['invoice.created', 'payment.created']); // the latest first
  expect(await balance()).toEqual([0]);
  const path = `/payments/${payment.id}`;
  expect((await sandbox.delete(path)).body.voided).toBe(true);
  expect((await sandbox.get(`/invoices/${invoice.id}`)).body.balance).toBe(100);
  expect(await balance()).toEqual([40]);
  await clean();
});

test('an invoice that credit pays in full is paid at issue and not collected', async () => {
  await adjust(40);
  await api.sandbox.patch(`/customers/${customer}`, { autopay: true });
  const invoice = await issue(25);
  expect(invoice).toMatchObject({ balance: 0, paid: true, closed: true, status: 'paid', next_payment_attempt: null });
  expect(await rows('select 1 from wakeup where subject_id = ? and process = ?', [invoice.id, 'invoice'])).toEqual([]);
  const events = (await api.sandbox.get('/events?per_page=3')).body.toReversed();
  expect(events.map(({ type }: { type: string }) => type)).toEqual([
    'payment.created',
    'invoice.created',
    'invoice.paid',
  ]);
  expect(events[1].data.object).toMatchObject({ number: invoice.number, balance: 0 });
  expect((await issue(25)).balance).toBe(10); // 25 - (40 - 25)
  await clean();
});

test('AutoPay collects the rest, and reads anew what was spent since', async () => {
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await api.sandbox.post(`/customers/${customer}/payment_sources`, card);
  await adjust(30);
  const { id, balance: rest } = await issue(100, { autopay: true });
  expect(rest).toBe(70); // 100 - 30
  await adjust(5);
  const applied_to = [{ type: 'applied_credit', invoice: id, amount: 5 }];
  await api.sandbox.post('/payments', { customer, amount: 5, applied_to });
  const key = { accountId: api.sandbox.account.id, id };
  const { call } = await inTransaction(api.em, (em) => advanceInvoice(em, { ...key, lookUpDelay: 60_000 }, new Date()));
  await runAttempt({ ...api.deps, em: api.em }, { ...key, id: call ?? 0 });
  expect((await api.sandbox.get(`/invoices/${id}`)).body).toMatchObject({ balance: 0, paid: true });
  const [charge] = (await api.sandbox.get(`/charges?filter[customer]=${customer}`)).body;
  expect(charge.amount).toBe(65); // 70 - 5
  await clean();
});

test('the invoices of a subscription are paid from credit in their order', async () => {
  await adjust(15);
  const { body } = await api.sandbox.post('/subscriptions', { customer, plan: 'gold' });
  const { accountId, id } = { accountId: api.sandbox.account.id, id: body.id };
  const now = Date.now();
  for (const at of [now, now + 32 * 86_400_000])
    await inTransaction(api.em, (em) => advanceSubscription(em, { accountId, id }, new Date(at)));
  const invoices = (await api.sandbox.get(`/invoices?filter[subscription]=${id}&sort=id`)).body;
  expect(invoices).toMatchObject([
    { total: 10, balance: 0, paid: true }, // 15 - 10 = 5 are left
    { total: 10, balance: 5, paid: false }, // 10 - 5
  ]);
  expect(await balance()).toEqual([0]);
  await clean();
});

test('credit is not applied when the setting is off, in another currency, or before its date', async () => {
  await adjust(40, { currency: 'eur' });
  await adjust(40, { date: Math.floor(Date.now() / 1000) + 86_400 });
  expect((await issue(100)).balance).toBe(100);
  await api.sandbox.patch('/account', { apply_credits_at_issue: false });
  await adjust(40);
  expect((await issue(100)).balance).toBe(100);
  await api.sandbox.patch('/account', { apply_credits_at_issue: null });
  expect((await issue(100, { currency: 'EUR' })).balance).toBe(60); // 100 - 40
  expect((await issue(100)).balance).toBe(60);
  await clean();
});

test('a customer without credit costs no additional statement', async () => {
  await issue(1);
  const plain = async () => (await api.statements(() => issue(100))).length;
  await api.sandbox.patch('/account', { apply_credits_at_issue: false });
  const without = await plain();
  await api.sandbox.patch('/account', { apply_credits_at_issue: null });
  expect(await plain()).toBe(without);
  await api.sandbox.patch('/account', { apply_credits_at_issue: false });
  await adjust(40); // it pays no open invoice
  await api.sandbox.patch('/account', { apply_credits_at_issue: null });
  expect((await issue(40)).paid).toBe(true);
  expect(await plain()).toBeGreaterThan(without); // the query finds no credit in any currency and records that
  expect(await plain()).toBe(without);
});

const noteOver = async (...amounts: number[]) =>
  (await api.sandbox.make('/credit_notes', { customer, items: amounts.map((unit_cost) => ({ unit_cost })) })).id;
const change = (note: number, body: object) => api.sandbox.patch(`/credit_notes/${note}`, body);

/** Ways to use up all credit. Each returns a function that brings credit back; credit that a person takes back waits for the next invoice. */
const returning: [string, 'open' | 'next', () => Promise<() => Promise<unknown>>][] = [
  [
    'a payment by a credit note is voided',
    'next',
    async () => {
      await noteOver(10);
      expect((await issue(10)).paid).toBe(true);
      const [payment] = await payments();
      return () => api.sandbox.delete(`/payments/${payment.id}`);
    },
  ],
  [
    'a closed credit note is opened',
    'open',
    async () => {
      const note = await noteOver(10);
      await change(note, { closed: true });
      return () => change(note, { closed: false });
    },
  ],
  [
    'a credit note over nothing is raised',
    'open',
    async () => {
      const note = await noteOver(0);
      return () => change(note, { items: [{ unit_cost: 10 }] });
    },
  ],
];

test.each(returning)('credit that comes back pays: %s (the %s invoice)', async (_what, pays, spend) => {
  const giveBack = await spend();
  const open = await issue(10);
  expect(open.balance).toBe(10); // there is no credit, which is recorded
  await giveBack();
  const next = await issue(10);
  const balances = [(await api.sandbox.get(`/invoices/${open.id}`)).body.balance, next.balance];
  expect(balances).toEqual(pays === 'open' ? [0, 10] : [10, 0]);
  await clean();
});

test('the timeline of a customer describes credit in words', async () => {
  const { sandbox } = api;
  const noteOf = (amount: number) => sandbox.make('/credit_notes', { customer, items: [{ unit_cost: amount }] });
  await adjust(40);
  const [spent, closed, voided] = [await noteOf(30), await noteOf(5), await noteOf(6)];
  await sandbox.patch(`/credit_notes/${closed.id}`, { closed: true });
  await sandbox.post(`/credit_notes/${voided.id}/void`);
  const { number } = await issue(100);
  const estimate = await sandbox.make('/estimates', { customer, items: [{ unit_cost: 7 }] });
  const draft = await sandbox.post('/credit_notes', { customer, items: [{ unit_cost: 9 }], draft: true });
  const { body: issued } = await sandbox.patch(`/credit_notes/${draft.body.id}`, { draft: false });
  const told = (await sandbox.get(`/customers/${customer}/timeline?filter[upcoming]=false`)).body;
  expect(told.map(({ what }: { what: string }) => what).toSorted()).toEqual(
    [
      'customer Payer created',
      'credit balance adjusted by $40.00',
      ...[spent, closed, voided].map((note) => `credit note ${note.number} issued for $${note.total}.00`),
      `${closed.number} closed: $5.00 are forfeited`,
      `${voided.number} voided`,
      `${spent.number} has $0.00 left, before $30.00`,
      '$70.00 paid from credit', // 30 + 40
      '$9.00 paid from credit',
      `${number} owes $21.00, before $30.00`, // 100 - 70 - 9
      `issued ${number} for $100.00`,
      `estimate ${estimate.number} issued for $7.00`,
      'credit note drafted',
      `${issued.number} issued for $9.00`,
    ].toSorted(),
  );
  await clean();
});

test('two simultaneous invoices spend the credit once', async () => {
  await adjust(40);
  const both = await Promise.all([issue(40), issue(40)]);
  expect(both.map(({ balance }) => balance).sort()).toEqual([0, 40]);
  expect(await balance()).toEqual([0]);
  await clean();
});
