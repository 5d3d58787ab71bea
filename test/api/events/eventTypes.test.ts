import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { openDatabaseAsOwner } from '../../../db/migrate.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';
import { appendOnce } from '../../support/eventLog.ts';
import { fortyDaysAgo } from '../../support/subscriptionSteps.ts';

/** The event of each change: one event, with the previous values. */

let api: TestApi;
let customer: number;
/** Id of the last event before the test. */
let last = 0;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await api.sandbox.make('/customers', { name: 'Told' })).id;
  last = (await api.sandbox.get('/events?per_page=1')).body[0].id;
});

interface Told {
  id: number;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: data of every shape
  data: { object: any; previous?: any };
  user: object;
}

/** Events since the start of the test, oldest first. */
const told = async (): Promise<Told[]> =>
  (await api.sandbox.get('/events')).body.filter(({ id }: Told) => id > last).toReversed();
const types = async () => (await told()).map(({ type }) => type);
const issue = (amount: number) =>
  api.sandbox.make('/invoices', { customer, items: [{ name: 'x', unit_cost: amount }] });
const pay = (amount: number, invoice: number) =>
  api.sandbox.post('/payments', { customer, amount, applied_to: [{ type: 'invoice', invoice, amount }] });

test('a partial payment writes invoice.updated, the rest invoice.paid instead, and reopening invoice.updated', async () => {
  const { id } = await issue(10);
  await pay(4, id);
  const { body: rest } = await pay(6, id);
  await api.sandbox.delete(`/payments/${rest.id}`);
  const events = await told();
  expect(events.map(({ type }) => type)).toEqual([
    'invoice.created',
    'invoice.updated',
    'payment.created',
    'invoice.paid',
    'payment.created',
    'invoice.updated',
    'payment.deleted',
  ]);
  const [, part, , paid, , owed, gone] = events;
  expect(part?.data).toMatchObject({ object: { balance: 6, customer: { name: 'Told' } }, previous: { balance: 10 } });
  expect(Object.keys(part?.data.previous)).toEqual(['balance']);
  const asPaid = { balance: 0, paid: true, closed: true, status: 'paid' };
  const before = { balance: 6, paid: false, closed: false, status: 'not_sent' };
  expect(paid?.data).toMatchObject({ object: asPaid, previous: before });
  expect(owed?.data).toMatchObject({ object: before, previous: asPaid });
  expect(gone?.data).toMatchObject({ object: { voided: true, balance: 0 }, previous: { voided: false } });
});

test('voiding an invoice writes invoice.updated', async () => {
  const { id } = await issue(10);
  await api.sandbox.post(`/invoices/${id}/void`);
  expect(await types()).toEqual(['invoice.created', 'invoice.updated']);
  const [, voided] = await told();
  expect(voided?.data).toMatchObject({ object: { status: 'voided' }, previous: { status: 'not_sent', balance: 10 } });
});

test('events of a changed and canceled subscription expand its plan and customer', async () => {
  const { body } = await api.sandbox.post('/subscriptions', { customer, plan: 'gold', start_date: 4_000_000_000 });
  await api.sandbox.patch(`/subscriptions/${body.id}`, { cancel_at_period_end: true });
  await api.sandbox.delete(`/subscriptions/${body.id}`);
  const events = await told();
  expect(events.map(({ type }) => type)).toEqual([
    'subscription.created',
    'subscription.updated',
    'subscription.deleted',
  ]);
  for (const { data } of events) {
    expect(missingFields('plan', data.object.plan)).toEqual([]);
    expect(data.object).toMatchObject({ plan: { id: 'gold' }, customer: { id: customer, name: 'Told' } });
  }
  expect(events[1]?.data.previous).toEqual({ cancel_at_period_end: false });
  expect(events[2]?.data).toMatchObject({ object: { status: 'canceled' }, previous: { status: 'not_started' } });
});

test('a stored, chosen and deleted source writes its own events and those of its customer', async () => {
  const sources = `/customers/${customer}/payment_sources`;
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const { body: first } = await api.sandbox.post(sources, card);
  const bank = { method: 'ach', gateway_token: 'tok_110000000_123456789' };
  const { body: second } = await api.sandbox.post(sources, bank);
  for (
    let time = 0;
    time < 2;
    time += 1 // the second time changes nothing
  )
    await api.sandbox.patch(`/customers/${customer}/bank_accounts/${second.id}`, { make_default: true });
  await api.sandbox.delete(`/customers/${customer}/bank_accounts/${second.id}`);
  const events = await told();
  expect(events.map(({ type }) => type)).toEqual([
    'payment_source.created',
    'customer.updated',
    'payment_source.created',
    'payment_source.updated',
    'customer.updated',
    'payment_source.deleted',
    'customer.updated',
  ]);
  const embedded = { chargeable: true, gateway: 'test', gateway_id: expect.any(String), failure_reason: null };
  const absent = { gateway_customer: null, merchant_account: null, receipt_email: null };
  expect(events[0]?.data.object).toEqual({
    ...first,
    ...embedded,
    ...absent,
    customer,
    created_at: expect.any(Number),
    gateway_customer: events[0]?.data.object.gateway_customer,
  });
  expect(events[3]?.data).toMatchObject({ object: { object: 'bank_account', id: second.id, customer }, previous: {} });
  expect(events[5]?.data).toMatchObject({
    object: { object: 'bank_account', id: second.id, chargeable: false, failure_reason: 'deleted' },
    previous: { chargeable: true, failure_reason: null },
  });
  expect(events[6]?.data).toMatchObject({
    object: { payment_source: null },
    previous: { payment_source: { last4: '6789' } },
  });
});

test('an event names its user: the API or the product', async () => {
  const body = await api.sandbox.make('/subscriptions', { customer, plan: 'gold', start_date: fortyDaysAgo() });
  const key = { accountId: api.sandbox.account.id, id: body.id };
  await inTransaction(api.em, (em) => advanceSubscription(em, key, new Date()));
  const events = await told();
  for (const event of events) expect(event).toMatchObject({ object: 'event', id: expect.any(Number) });
  const who = events.map(({ type, user }) => [type, Reflect.get(user, 'id')]);
  expect(who).toEqual([
    ['subscription.created', -2],
    ['subscription.updated', -2],
    ['invoice.created', -2],
    ['subscription.updated', -1],
    ['invoice.created', -1],
  ]);
  for (const { user } of events) expect(missingFields('user', user)).toEqual([]);
});

test("an event of a gateway request names the request's user, whoever records the outcome", async () => {
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  await api.sandbox.post(`/customers/${customer}/payment_sources`, card);
  await api.sandbox.post('/charges', { customer, ...card, amount: 3, applied_to: [] });
  const who = (await told()).map(({ type, user }) => [type, Reflect.get(user, 'id')]);
  expect(who).toEqual([
    ['payment_source.created', -2],
    ['customer.updated', -2],
    ['payment.created', -2],
  ]);
});

test('a change is rolled back when its event cannot be written, and its key is free for a retry', async () => {
  const owner = await openDatabaseAsOwner(api.databaseUrl);
  await owner.em.execute("alter table event add constraint planted check (type <> 'customer.created') not valid");
  const make = () => api.sandbox.post('/customers', { name: 'Together' }, { 'Idempotency-Key': 'together' });
  const failed = await make();
  await owner.em.execute('alter table event drop constraint planted');
  await owner.close(true);
  expect(failed).toMatchObject({ status: 500, body: { object: 'error', type: 'api' } });
  expect(JSON.stringify(failed.body)).not.toMatch(/planted|constraint|event/);
  expect((await api.sandbox.get('/customers?filter[name]=Together')).body).toEqual([]);
  const made = await make();
  expect([made.status, made.headers.get('Idempotent-Replayed')]).toEqual([201, null]);
  expect(await types()).toEqual(['customer.created']);
});

test('an endpoint receives only the types that it asked for', async () => {
  const url = 'http://127.0.0.1:9/';
  const { body: some } = await api.sandbox.post('/webhooks', { url, events: ['invoice.created', 'invoice.paid'] });
  const { body: all } = await api.sandbox.post('/webhooks', { url, events: '*' });
  const { body: none } = await api.sandbox.post('/webhooks', { url, events: '*', enabled: false });
  await appendOnce(api.databaseUrl);
  const { id } = await issue(10);
  await pay(10, id);
  await appendOnce(api.databaseUrl);
  const sent = async (webhook: number) =>
    api.em
      .fork()
      .execute(
        `select e.type from webhook_delivery d join event e on e.account_id = d.account_id and e.id = d.event_id
         where d.webhook_id = ? and e.id > ? order by e.id`,
        [webhook, last],
      )
      .then((rows) => rows.map(({ type }) => type));
  expect(await sent(some.id)).toEqual(['invoice.created', 'invoice.paid']);
  expect(await sent(all.id)).toEqual(['invoice.created', 'invoice.paid', 'payment.created']);
  expect(await sent(none.id)).toEqual([]);
});
