import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TimedProcess } from '../../../billing/processes.ts';
import { recordOutcome } from '../../../commands/charges/attemptOutcomes.ts';
import { readProcessFacts } from '../../../db/queries/processes/facts.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { statusInWords } from '../../../present/processes/process.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';

/** The facts about a process's object that Temporal's pages show. */

let api: TestApi;
let sandbox: Client;
let customer: number;
beforeAll(async () => {
  api = await startApi({ gatewayDeadline: 2000 });
  sandbox = api.sandbox;
  await sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 12.5, interval: 'month' });
  customer = (await sandbox.make('/customers', { name: 'Ada', autopay: true })).id;
});
afterAll(() => api.close());

const factsOf = (process: TimedProcess, id: number) =>
  readProcessFacts(api.em.fork(), { accountId: sandbox.account.id, process, id });

const NOTHING = {
  number: null,
  amount: null,
  currency: null,
  kind: null,
  method: null,
  status: null,
  balance: null,
  paused: null,
  cyclesBilled: null,
  onClock: false,
  attemptCount: null,
  attemptKind: null,
  attemptState: null,
  attemptAmount: null,
  failureCode: null,
  failureMessage: null,
  interruption: null,
};

const items = [{ name: 'Work', unit_cost: 30 }];
const card = (token: string) => ({ method: 'credit_card', gateway_token: token });

/** Pays the remaining 25.00 of a new invoice. A check has paid 5.00. Returns the invoice and the attempt. */
async function payInvoice(): Promise<{ invoice: { id: number; number: string }; attempt: number }> {
  const invoice = await sandbox.make('/invoices', { customer, items });
  const applied_to = [{ type: 'invoice', invoice: invoice.id, amount: 5 }];
  await sandbox.post('/payments', { customer, amount: 5, applied_to });
  await sandbox.post(`/invoices/${invoice.id}/pay`);
  const [attempt] = await api.em
    .fork()
    .execute<{ id: number }[]>('select attempt_id as id from attempt_invoice where invoice_id = ?', [invoice.id]);
  return { invoice, attempt: attempt?.id ?? 0 };
}

test('an invoice whose charge was declined shows amounts and reason, and so does the charge', async () => {
  const declining = card('tok_4000000000000069');
  await sandbox.post(`/customers/${customer}/payment_sources`, { ...declining, make_default: true });
  const { invoice, attempt } = await payInvoice();
  const declined = {
    ...NOTHING,
    number: invoice.number,
    currency: 'usd',
    attemptKind: 'charge',
    attemptState: 'failed',
    attemptAmount: '25.0000',
    failureCode: 'insufficient_funds',
    failureMessage: 'The card has insufficient funds.',
  };
  const ofInvoice = { ...declined, amount: '30.0000', status: 'not_sent', balance: '25.0000', attemptCount: 1 };
  expect(await factsOf('invoice', invoice.id)).toEqual(ofInvoice);
  const ofAttempt = { ...declined, amount: '25.0000', kind: 'charge', method: 'credit_card' };
  expect(await factsOf('charge', attempt)).toEqual(ofAttempt);
  await sandbox.post(`/invoices/${invoice.id}/pay`);
  expect(await factsOf('invoice', invoice.id)).toMatchObject({ attemptCount: 2 });
});

test('the status shows the last attempt of an invoice', async () => {
  const { invoice } = await payInvoice();
  const applied_to = [{ type: 'invoice', invoice: invoice.id, amount: 7 }];
  await sandbox.post('/charges', { customer, ...card('tok_4000000000000002'), amount: 7, applied_to });
  const last = { attemptAmount: '7.0000', failureCode: 'lost_card', failureMessage: 'The card was reported lost.' };
  expect(await factsOf('invoice', invoice.id)).toMatchObject({ ...last, balance: '25.0000' });
});

test('the status of a charge that never happened shows why', async () => {
  const body = { customer, ...card('tok_4000000000000119'), amount: 4, applied_to: [] };
  await sandbox.post('/charges', body);
  const accountId = sandbox.account.id;
  const [{ id } = { id: 0 }] = await api.em
    .fork()
    .execute<{ id: number }[]>(`select id from attempt where amount = 4 and state = 'unknown'`);
  await inTransaction(api.em, (em) =>
    recordOutcome(em, { accountId, id, outcome: { status: 'abandoned' } }, new Date()),
  );
  const facts = await factsOf('charge', id);
  const why = 'The payment was not made: the payment gateway was asked and did not do it; nothing was charged';
  expect(facts).toMatchObject({ amount: '4.0000', attemptState: 'abandoned', interruption: 'not_made' });
  expect(facts && statusInWords('charge', facts)).toBe(why);
});

test('subscriptions and estimates show amounts, status, and whose clock wakes them', async () => {
  const clock = (await sandbox.make('/test_clocks', { name: 'Clock', frozen_time: 1_800_000_000 })).id;
  const onClock = (await sandbox.make('/customers', { name: 'Bo', test_clock: clock })).id;
  const asked = { customer: onClock, plan: 'gold', quantity: 2, paused: true };
  const subscription = (await sandbox.make('/subscriptions', asked)).id;
  await api.em.execute('update subscription set cycles_billed = 3 where id = ?', [subscription]);
  expect(await factsOf('subscription', subscription)).toEqual({
    ...NOTHING,
    amount: '25.0000',
    currency: 'usd',
    status: expect.stringMatching(/^(active|not_started)$/),
    paused: true,
    cyclesBilled: 3,
    onClock: true,
  });
  const estimate = (await sandbox.make('/estimates', { customer, number: 'EST-7', items })).id;
  const ofEstimate = { number: 'EST-7', amount: '30.0000', currency: 'usd', status: 'not_sent' };
  expect(await factsOf('estimate', estimate)).toEqual({ ...NOTHING, ...ofEstimate });
});

test('a deleted object, or one of another account, shows nothing', async () => {
  const { sandbox: rival } = await api.open('Rival');
  const theirs = (await rival.make('/customers', { name: 'Eve' })).id;
  const estimate = (await rival.make('/estimates', { customer: theirs, items })).id;
  expect(await factsOf('estimate', estimate)).toBe(null);
  expect(await factsOf('invoice', 999_999_999)).toBe(null);
});
