import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { lockInvoice } from '../../../commands/aggregates/invoice.ts';
import { automaticSource } from '../../../commands/charges/automaticSource.ts';
import { startAutomaticCharge } from '../../../commands/charges/charges.ts';
import { systemCaller } from '../../../commands/kernel/caller.ts';
import { advancePayment } from '../../../commands/payments/certainMatches.ts';
import { updatePayment } from '../../../commands/payments/changes.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Answer, type Client, startApi, type TestApi } from '../../support/api.ts';
import { takeDueWork } from '../../support/dueWork.ts';
import { LOCK_WAITS, until } from '../../support/wait.ts';

/** Payments that pay their invoices by themselves. Each test has a business of its own, because all open invoices of a business are looked through. */

let api: TestApi;
let client: Client;
let customer: number;
let businesses = 0;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  businesses += 1;
  client = (await api.open(`Business ${businesses}`)).sandbox;
  customer = (await client.make('/customers', { name: 'Payer Inc' })).id;
  expect((await client.patch('/account', { auto_apply_matches: true })).status).toBe(200);
});

const invoiceOf = (amount: number, more: object = {}): Promise<Answer['body']> =>
  client.make('/invoices', { customer, items: [{ name: 'x', unit_cost: amount }], ...more });

const mapping = { date: 'Date', amount: 'Amount', reference: 'Text' };
const csvOf = (rows: [amount: string, text: string][]) =>
  ['Date,Amount,Text', ...rows.map(([amount, text]) => `2027-03-01,${amount},${text}`)].join('\n');

async function imported(rows: [amount: string, text: string][], more: object = {}): Promise<Answer['body'][]> {
  const { status, body } = await client.post('/payments/import', { csv: csvOf(rows), mapping, ...more });
  expect(status).toBe(200);
  return body.rows;
}

/** Takes the steps of payments that are due, as their processes would. */
async function work(): Promise<string[]> {
  const took: string[] = [];
  await takeDueWork(api, {
    accountId: client.account.id,
    now: () => Date.now() / 1000,
    choose: (due) => due.find(({ process }) => process === 'payment'),
    around: async (take) => void took.push((await take()).did ?? 'nothing'),
  });
  return took;
}

const read = async (id: number) => (await client.get(`/payments/${id}?include=applied_to`)).body;
const balanceOf = async ({ id }: { id: number }) => (await client.get(`/invoices/${id}`)).body.balance;
const appliedOf = async (id: number): Promise<[number, number][]> =>
  (await read(id)).applied_to.map((one: { invoice: number; amount: number }) => [one.invoice, one.amount]);

test('an imported payment pays the invoices that it names, if their balances are its amount', async () => {
  const [first, second] = [await invoiceOf(100), await invoiceOf(150)];
  await client.make('/payments', {
    customer,
    amount: 10,
    applied_to: [{ type: 'invoice', invoice: second.id, amount: 10 }],
  });
  const rows = await imported([
    ['240.00', `${first.number} and ${second.number}`], // 100 + (150 - 10)
    ['99.00', `${first.number}`], // not its balance
    ['100.00', 'thanks'], // names nothing
  ]);
  const [whole, less, nameless] = rows.map(({ payment }) => payment);
  expect(await work()).toEqual(['applied to 2 of its invoices', 'left to a person: nothing is certain']);
  expect(await appliedOf(whole)).toEqual([
    [first.id, 100],
    [second.id, 140],
  ]);
  expect(await read(whole)).toMatchObject({ customer, balance: 0, matched: false });
  for (const id of [less, nameless]) expect(await read(id)).toMatchObject({ customer: null, applied_to: [] });
  expect([await balanceOf(first), await balanceOf(second)]).toEqual([0, 0]);
  const { body: timeline } = await client.get(`/invoices/${first.id}/timeline`);
  expect(timeline).toContainEqual(
    expect.objectContaining({
      what: `${first.number} paid`,
      why: 'a payment names it, and its amount is the sum of the balances',
    }),
  );
  const { body: events } = await client.get(`/customers/${customer}/timeline`);
  expect(events).toContainEqual(expect.objectContaining({ what: 'payment of $240.00 applied by itself' }));
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('a keyed payment pays by itself, also one with a customer; without the setting it does not', async () => {
  const [first, second] = [await invoiceOf(30), await invoiceOf(40)];
  const nobody = await client.make('/payments', { amount: 30, reference: first.number });
  const known = await client.make('/payments', { customer, amount: 40, notes: `for ${second.number}` });
  const other = (await client.make('/customers', { name: 'Other' })).id;
  const third = await invoiceOf(50);
  const foreign = await client.make('/payments', { customer: other, amount: 50, reference: third.number });
  await work();
  expect(await appliedOf(nobody.id)).toEqual([[first.id, 30]]);
  expect(await appliedOf(known.id)).toEqual([[second.id, 40]]);
  expect(await appliedOf(foreign.id)).toEqual([]);
  await client.patch('/account', { auto_apply_matches: false });
  const off = await client.make('/payments', { amount: 50, reference: third.number });
  expect(await work()).toEqual([]);
  expect(await appliedOf(off.id)).toEqual([]);
});

test('rivals leave a payment to a person: two customers, a paid invoice, another currency, a name, a number beyond what is read', async () => {
  const other = (await client.make('/customers', { name: 'Other' })).id;
  const [mine, theirs] = [await invoiceOf(60), await invoiceOf(40, { customer: other })];
  const paid = await invoiceOf(20);
  await client.make('/payments', {
    customer,
    amount: 20,
    applied_to: [{ type: 'invoice', invoice: paid.id, amount: 20 }],
  });
  const foreign = await invoiceOf(25, { currency: 'eur' });
  const rows = await imported([
    ['100.00', `${mine.number} ${theirs.number}`],
    ['60.00', `${mine.number} ${paid.number}`],
    ['25.00', foreign.number],
    ['60.00', `Other ${mine.number}`], // the name of another customer
    ['60.00', `${mine.number}${' and'.repeat(60)} INV-99999`],
    ['60.00', mine.number.replace(/^\D+/, '')], // digits alone
  ]);
  await work();
  for (const { payment } of rows) expect(await appliedOf(payment)).toEqual([]);
});

test('of two payments for one invoice, the first pays it', async () => {
  const invoice = await invoiceOf(75);
  const rows = await imported([
    ['75.00', `${invoice.number} a`],
    ['75.00', `${invoice.number} b`],
  ]);
  await work();
  expect(await Promise.all(rows.map(({ payment }) => appliedOf(payment)))).toEqual([[[invoice.id, 75]], []]);
});

test('what is taken back stays so: after another import, a change of the notes, and another look', async () => {
  const invoice = await invoiceOf(80);
  const rows: [string, string][] = [['80.00', invoice.number]];
  const [{ payment }] = await imported(rows);
  await work();
  expect(await balanceOf(invoice)).toBe(0);
  expect((await client.patch(`/payments/${payment}`, { applied_to: [] })).status).toBe(200);
  expect(await balanceOf(invoice)).toBe(80);
  expect(await imported(rows)).toEqual([{ row: 2, status: 'duplicate', payment }]);
  await client.patch(`/payments/${payment}`, { notes: `again ${invoice.number}` });
  expect(await work()).toEqual([]);
  const look = (em: Parameters<typeof advancePayment>[0]) =>
    advancePayment(em, { accountId: client.account.id, id: payment }, new Date());
  const { did } = await withAccount(client.account.id, () => inTransaction(api.deps.em, look));
  expect(did).toBeNull();
  expect(await appliedOf(payment)).toEqual([]);
});

test('a dry run says what would be applied, each invoice once', async () => {
  const invoice = await invoiceOf(75);
  const rows: [string, string][] = [
    ['75.00', `${invoice.number} a`],
    ['75.00', `${invoice.number} b`],
    ['74.00', invoice.number],
  ];
  const tried = await imported(rows, { dry_run: true });
  expect(tried.map(({ applied_to }) => applied_to)).toEqual([
    [{ type: 'invoice', invoice: invoice.id, amount: 75 }],
    undefined,
    undefined,
  ]);
  await client.patch('/account', { auto_apply_matches: false });
  for (const row of await imported(rows, { dry_run: true })) expect(row).not.toHaveProperty('applied_to');
  expect(await balanceOf(invoice)).toBe(75);
});

test('a person who applies it at the same moment is not overruled', async () => {
  for (let round = 0; round < 6; round += 1) {
    const [named, chosen] = [await invoiceOf(55), await invoiceOf(90)];
    const [{ payment }] = await imported([['55.00', named.number]]);
    const choice = [{ type: 'invoice', invoice: chosen.id, amount: 55 }];
    const [answer] = await Promise.all([client.patch(`/payments/${payment}`, { applied_to: choice }), work()]);
    expect(answer.status).toBe(200);
    expect(await appliedOf(payment)).toEqual([[chosen.id, 55]]);
    expect([await balanceOf(named), await balanceOf(chosen)]).toEqual([55, 35]); // 90 - 55
  }
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('an invoice that is being charged, or whose debit is on its way, is not paid by itself', async () => {
  const accountId = client.account.id;
  for (const state of ['open', 'pending']) {
    const invoice = await invoiceOf(40);
    await client.patch(`/customers/${customer}`, { autopay: true });
    const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
    await client.post(`/customers/${customer}/payment_sources`, card);
    const charged = await inTransaction(api.em, async (em) => {
      const at = await lockInvoice(em, { caller: await systemCaller(em, accountId), id: invoice.id }, new Date());
      const source = await automaticSource(em, at, null);
      if (!source) throw new Error('no source');
      return startAutomaticCharge(em, at, { lookUpDelay: 60_000, ...source });
    });
    if (state === 'pending')
      await api.em.fork().nativeUpdate(Invoice, { accountId, id: invoice.id }, { pending: true });
    const [{ payment }] = await imported([['40.00', invoice.number]]);
    await work();
    expect([state, await appliedOf(payment)]).toEqual([state, []]);
    expect(charged.id).toBeGreaterThan(0);
  }
});

test('what a person did before the process came stays so', async () => {
  const [invoice, other] = [await invoiceOf(80), await invoiceOf(81)];
  const [first, second] = await imported([
    ['80.00', invoice.number],
    ['81.00', other.number],
  ]);
  const part = [{ type: 'invoice', invoice: invoice.id, amount: 80 }];
  for (const applied_to of [part, []]) await client.patch(`/payments/${first.payment}`, { applied_to });
  await client.delete(`/payments/${second.payment}/matches`);
  await client.patch(`/payments/${second.payment}`, { notes: 'asked the payer' });
  expect(await work()).toEqual([]);
  for (const { payment } of [first, second]) expect(await appliedOf(payment)).toEqual([]);
});

test('a change that changes nothing leaves a payment to people, too', async () => {
  const invoice = await invoiceOf(82);
  const [{ payment }] = await imported([['82.00', invoice.number]]);
  expect((await client.patch(`/payments/${payment}`, { applied_to: [] })).status).toBe(200);
  expect(await work()).toEqual([]);
  expect(await appliedOf(payment)).toEqual([]);
});

test('a payment whose notes somebody changes while its process waits for the lock stays as it is', async () => {
  const invoice = await invoiceOf(83);
  const [{ payment }] = await imported([['83.00', invoice.number]]);
  const [working] = await withAccount(client.account.id, () =>
    inTransaction(api.em, async (em) => {
      const caller = await systemCaller(em, client.account.id);
      await updatePayment(em, { caller, id: payment, fields: { notes: 'asked the payer' } }, new Date());
      await em.write();
      const waiting = work();
      const waits = async () => (await api.em.fork().execute(LOCK_WAITS)).length > 0;
      await until(waits, { what: 'the process to wait for the change' });
      return [waiting];
    }),
  );
  await working;
  expect(await appliedOf(payment)).toEqual([]);
  expect(await balanceOf(invoice)).toBe(83);
});

test('a payment of a deleted test clock leaves no work behind', async () => {
  const clock = await client.make('/test_clocks', { frozen_time: Math.floor(Date.now() / 1000) });
  const { id } = await client.make('/customers', { name: 'On a clock', test_clock: clock.id });
  const invoice = await invoiceOf(90, { customer: id });
  await client.make('/payments', { customer: id, amount: 90, reference: invoice.number });
  expect((await client.delete(`/test_clocks/${clock.id}`)).status).toBeLessThan(300);
  expect(await work()).toEqual([]);
});
