import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { advanceEstimate } from '../../../commands/estimates/steps.ts';
import { reportProblem } from '../../../commands/kernel/problems.ts';
import type { StepOutcome } from '../../../commands/kernel/stepOutcome.ts';
import type { Gateway } from '../../../commands/ports/ports.ts';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { onlyGateways } from '../../support/gateways.ts';

/** Reason codes of events and wake-ups. `test/unit/reasons.test.ts` tests their texts. */

const seconds = (iso: string) => Date.parse(iso) / 1000;
const DAY = 86_400;
const BEGIN = seconds('2027-03-01T00:00:00Z');
let now = BEGIN;
let api: TestApi;
let customer: number;
let isReachable = true;

beforeAll(async () => {
  const gateways = new Map<string, Gateway>();
  api = await startApi({ systemNow: () => new Date(now * 1000), gateways: onlyGateways(gateways) });
  const { prepare } = api.gateway;
  const refuses = () => Promise.reject(new Error('connection refused'));
  gateways.set('test', { ...api.gateway, prepare: (...asked) => (isReachable ? prepare(...asked) : refuses()) });
  await api.sandbox.post('/plans', { id: 'month', name: 'Month', amount: 1, interval: 'month' });
});
afterAll(() => api.close());
beforeEach(async () => {
  now = BEGIN;
  isReachable = true;
  customer = (await api.sandbox.make('/customers', { name: 'Why' })).id;
});

const items = [{ unit_cost: 10 }];

type Step = (
  em: EntityManager,
  key: { accountId: number; id: number; lookUpDelay: number },
  at: Date,
) => Promise<StepOutcome>;

/** Takes the due steps of an object and makes the calls that they request. */
async function run(step: Step, id: number): Promise<string | null> {
  const accountId = api.sandbox.account.id;
  for (let turn = 0; turn < 20; turn++) {
    const key = { accountId, id, lookUpDelay: 60_000 };
    const { wakeAt, next, call } = await inTransaction(api.em, (em) => step(em, key, new Date(now * 1000)));
    if (call !== null) {
      await runAttempt({ ...api.deps, em: api.em }, { accountId, id: call });
      continue;
    }
    if (wakeAt === null || wakeAt > now * 1000) return next;
  }
  throw new Error('it goes on and on');
}

/** The reasons of an object's events, oldest first. Events without a reason are left out. */
async function reasonsOf(type: string, id: number): Promise<unknown[]> {
  const statement =
    'select reason from event where subject_type = ? and subject_id = ? and reason is not null order by id';
  const rows = await api.em.fork().execute<{ reason: string }[]>(statement, [type, String(id)]);
  return rows.map(({ reason }) => reason);
}

/** The invoice's wake-ups: rule, step, reason and reason detail. */
async function waitsOf(id: number): Promise<unknown[]> {
  const statement = `select rule, step, reason, reason_detail from wakeup where process = 'invoice' and subject_id = ? order by rule`;
  return (await api.em.fork().execute(statement, [id])).map((row: object) => Object.values(row));
}

const addCard = (outcomes: string) =>
  api.sandbox.post(`/customers/${customer}/payment_sources`, {
    method: 'credit_card',
    gateway_token: `tok_script_${outcomes}`,
    make_default: true,
  });
const charged = async () => (await api.sandbox.make('/invoices', { customer, items, autopay: true })).id;

test.each([
  ['soft', 'soft_decline', 'insufficient_funds'],
  ['hard', 'hard_decline', 'lost_card'],
  ['needs_customer', 'needs_customer', 'authentication_required'],
])('a charge that is declined: %s', async (outcome, code) => {
  await addCard(outcome);
  const id = await charged();
  const paid = { customer, method: 'credit_card', gateway_token: `tok_script_${outcome}`, amount: 10 };
  // A charge by request does not move AutoPay's next attempt, but changes its reason.
  await api.sandbox.post('/charges', { ...paid, applied_to: [{ type: 'invoice', invoice: id, amount: 10 }] });
  expect(await reasonsOf('invoice', id)).toEqual(['charge_failed']);
  expect(await waitsOf(id)).toEqual([['attempt', 'attempt 2 of 4', code, expect.stringMatching(/^[a-z_]+$/)]]);
});

test('a failure stays the reason of the next attempt when the invoice changes otherwise', async () => {
  await addCard('soft');
  const id = await charged();
  expect(await run(advanceInvoice, id)).toMatch(/^attempt 2 of 4: soft decline [a-z_]+$/);
  const [before] = await waitsOf(id);
  await api.sandbox.post('/payments', {
    customer,
    amount: 1,
    method: 'cash',
    applied_to: [{ type: 'invoice', invoice: id, amount: 1 }],
  });
  expect(await waitsOf(id)).toEqual([before]);
});

test('a charge that the gateway never got', async () => {
  await addCard('succeed');
  const id = await charged();
  isReachable = false;
  await api.sandbox.post(`/invoices/${id}/pay`, {});
  expect(await waitsOf(id)).toEqual([['attempt', 'attempt 1 of 4', 'unreachable', null]]);
  const rows = await api.em.fork().execute('select state, interruption, failure_message from attempt order by id desc');
  expect(rows[0]).toEqual({ state: 'abandoned', interruption: 'unreachable', failure_message: null });
});

test('a payment on its way', async () => {
  const account = { method: 'ach', gateway_token: 'tok_123123123_123123893', make_default: true };
  await api.sandbox.post(`/customers/${customer}/payment_sources`, account);
  const id = await charged();
  await api.sandbox.post(`/invoices/${id}/pay`, {});
  expect(await reasonsOf('invoice', id)).toEqual(['payment_pending']);
});

test('no payment source, then past due', async () => {
  const id = await charged();
  await run(advanceInvoice, id);
  expect(await reasonsOf('invoice', id)).toEqual(['no_payment_source']);
  now += 100 * DAY;
  await run(advanceInvoice, id);
  expect(await reasonsOf('invoice', id)).toEqual(['no_payment_source', 'due_date_passed']);
});

test('the periods of a subscription, its invoices past due and paid, and its end', async () => {
  const { body } = await api.sandbox.post('/subscriptions', { customer, plan: 'month', cycles: 1 });
  await run(advanceSubscription, body.id);
  const [bill] = (await api.sandbox.get(`/invoices?filter[subscription]=${body.id}`)).body;
  now = bill.due_date + 2 * DAY;
  await run(advanceInvoice, bill.id);
  await api.sandbox.post('/payments', {
    customer,
    amount: bill.total,
    method: 'cash',
    applied_to: [{ type: 'invoice', invoice: bill.id, amount: bill.total }],
  });
  now += 60 * DAY;
  await run(advanceSubscription, body.id);
  expect(await reasonsOf('subscription', body.id)).toEqual([
    'period_started',
    'invoice_past_due',
    'no_invoice_past_due',
    'cycles_billed',
  ]);
});

test('a subscription that ends because the next period would end too late', async () => {
  now = seconds('2199-11-15T00:00:00Z');
  const { id } = (await api.sandbox.post('/subscriptions', { customer, plan: 'month' })).body;
  const next = await run(advanceSubscription, id);
  expect(next).toBe('finish: the next period would end after 2199');
  now = seconds('2199-12-31T23:59:59Z');
  await run(advanceSubscription, id);
  expect(await reasonsOf('subscription', id)).toEqual(['period_started', 'latest_date']);
});

test('an estimate that expired; an estimate, an invoice and a credit note that their customer looked at', async () => {
  const { body: estimate } = await api.sandbox.post('/estimates', { customer, items, expiration_date: now + DAY });
  const { body: invoice } = await api.sandbox.post('/invoices', { customer, items });
  const { body: note } = await api.sandbox.post('/credit_notes', { customer, items });
  const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  for (const { url } of [estimate, invoice, note])
    expect((await fetch(new URL(new URL(url).pathname, api.origin), { headers })).status).toBe(200);
  now += 3 * DAY;
  await run(advanceEstimate, estimate.id);
  expect(await reasonsOf('estimate', estimate.id)).toEqual(['on_page', 'expiration_date_passed']);
  expect(await reasonsOf('invoice', invoice.id)).toEqual(['credit_applied', 'on_page']);
  expect(await reasonsOf('credit_note', note.id)).toEqual(['on_page']);
  const [expired] = (await api.sandbox.get(`/customers/${customer}/timeline?filter[upcoming]=false`)).body;
  expect(expired).toMatchObject({
    what: `${estimate.number} expired`,
    why: 'the day of its expiration date has ended',
  });
});

test('a step that was refused', async () => {
  const { body } = await api.sandbox.post('/invoices', { customer, items });
  const problem = { process: 'invoice' as const, id: body.id, step: 'issue', message: 'no plan: gold' };
  const report = { ...problem, accountId: api.sandbox.account.id };
  await inTransaction(api.em, (em) => reportProblem(em, report, new Date(now * 1000)));
  const waits = await waitsOf(body.id);
  expect(waits.at(-1)).toEqual(['problem', 'try again', 'step_failed', 'no plan: gold']);
  const { body: coming } = await api.sandbox.get(`/invoices/${body.id}/timeline?filter[upcoming]=true`);
  expect(coming).toContainEqual(expect.objectContaining({ rule: 'problem', what: 'try again', why: 'no plan: gold' }));
});
