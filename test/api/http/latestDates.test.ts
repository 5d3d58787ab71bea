import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { advanceEstimate } from '../../../commands/estimates/steps.ts';
import type { StepOutcome } from '../../../commands/kernel/stepOutcome.ts';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';

/** The latest date is in 2199, also for dates that are derived from others. */

const seconds = (iso: string) => Date.parse(iso) / 1000;
const LAST = seconds('2199-12-31T23:59:59Z');
let now = seconds('2027-03-01T00:00:00Z');
let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  const intervals = { day: 'day', month: 'month', year: 'year' };
  for (const [id, interval] of Object.entries(intervals))
    await api.sandbox.post('/plans', { id, name: id, amount: 1, interval });
  await api.sandbox.post('/plans', { id: 'age', name: 'Age', amount: 1, interval: 'year', interval_count: 365 });
});
beforeEach(async () => {
  now = seconds('2027-03-01T00:00:00Z');
  customer = (await api.sandbox.make('/customers', { name: 'Late' })).id;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  await api.close();
});

const subscribe = (body: object) => api.sandbox.post('/subscriptions', { customer, ...body });
const items = [{ unit_cost: 10 }];

test.each([
  [{ plan: 'age' }, 'plan'],
  [{ plan: 'month', start_date: seconds('2199-12-15T00:00:00Z') }, 'start_date'],
  [{ plan: 'day', start_date: LAST }, 'start_date'],
  [{ plan: 'month', cycles: 10_000 }, 'cycles'],
  [{ plan: 'year', cycles: 10_000 }, 'cycles'],
  [{ plan: 'year', cycles: 173 }, 'cycles'],
])('a subscription %j that would end later is refused, naming %s', async (body, param) => {
  const answer = await subscribe(body);
  expect(answer).toMatchObject(refused({ param, message: expect.stringContaining('must end before 2200') }));
});

test('a contract can have as many cycles as end before the latest date', async () => {
  const { status, body } = await subscribe({ plan: 'year', cycles: 172 }); // 2027 + 172 = 2199
  expect([status, body.contract_period_end]).toEqual([201, seconds('2199-03-01T00:00:00Z')]);
});

type Step = (
  em: EntityManager,
  key: { accountId: number; id: number; lookUpDelay: number },
  at: Date,
) => Promise<StepOutcome>;

/** Takes steps of an object until none is due. Returns the time of its next wake-up. */
async function run(step: Step, id: number): Promise<number | null> {
  const key = { accountId: api.sandbox.account.id, id, lookUpDelay: 60_000 };
  for (let tries = 0; tries < 20; tries++) {
    const { wakeAt } = await inTransaction(api.em, (em) => step(em, key, new Date(now * 1000)));
    if (wakeAt === null || wakeAt > now * 1000) return wakeAt;
  }
  throw new Error('it goes on and on');
}

test('a subscription finishes after the last period that ends before the latest date', async () => {
  now = seconds('2199-10-15T00:00:00Z');
  const { id } = (await subscribe({ plan: 'month' })).body;
  now = LAST;
  expect(await run(advanceSubscription, id)).toBeNull();
  expect((await api.sandbox.get(`/subscriptions/${id}`)).body).toMatchObject({ status: 'finished' });
  const { body: bills } = await api.sandbox.get(`/invoices?filter[subscription]=${id}&sort=id asc`);
  const dates = bills.map(({ date }: { date: number }) => new Date(date * 1000).toISOString().slice(0, 10));
  expect(dates).toEqual(['2199-10-15', '2199-11-15']);
});

test('due dates and first charges are capped at the last second, and the work that is due then still happens', async () => {
  now = seconds('2199-12-20T00:00:00Z');
  const { body: invoice } = await api.sandbox.post('/invoices', { customer, items, payment_terms: 'NET 30' });
  expect(invoice.due_date).toBe(LAST);
  const far = await api.sandbox.post('/invoices', { customer, items, date: LAST, payment_terms: 'NET 999' });
  expect(far.body.due_date).toBe(LAST);
  await api.sandbox.patch('/account', { autopay_delay_days: 365 });
  const source = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await api.sandbox.post(`/customers/${customer}/payment_sources`, source);
  const charged = await api.sandbox.make('/invoices', { customer, items, autopay: true });
  const [planned] = await api.em
    .fork()
    .execute('select extract(epoch from next_payment_attempt_at)::float8 as at from invoice where id = ?', [
      charged.id,
    ]);
  expect(planned?.at).toBe(LAST);
  now = LAST;
  await run(advanceInvoice, invoice.id);
  expect((await api.sandbox.get(`/invoices/${invoice.id}`)).body.status).toBe('past_due');
});

test('an estimate that is valid until the last day expires at its last second', async () => {
  const { body: estimate } = await api.sandbox.post('/estimates', { customer, items, expiration_date: LAST });
  now = LAST;
  await run(advanceEstimate, estimate.id);
  expect((await api.sandbox.get(`/estimates/${estimate.id}`)).body.status).toBe('declined');
});
