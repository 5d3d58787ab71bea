import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceSubscription } from '../../commands/subscriptionSteps.ts';
import { inTransaction } from '../../db/transaction.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { missingFields } from '../support/apiFields.ts';

let api: TestApi;
let customer: number;
let subscription: number;
let invoice: number;
beforeAll(async () => {
  api = await startApi();
  const { sandbox } = api;
  customer = (await sandbox.post('/customers', { name: 'Related' })).body.id;
  await sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  subscription = (await sandbox.post('/subscriptions', { customer, plan: 'gold' })).body.id;
  const key = { accountId: sandbox.account.id, id: subscription };
  await inTransaction(api.em, (em) => advanceSubscription(em, key, new Date()));
  invoice = (await sandbox.get('/invoices')).body[0].id;
  const applied_to = [{ type: 'invoice', invoice, amount: 4 }];
  await sandbox.post('/payments', { customer, amount: 4, applied_to });
});
afterAll(() => api.close());

const read = async (path: string) => (await api.sandbox.get(path)).body;

test('a path with dots expands an object within an expanded object, alone and in a list', async () => {
  const one = await read(`/invoices/${invoice}?expand=subscription.plan`);
  expect(missingFields('subscription', one.subscription)).toEqual([]);
  expect(missingFields('plan', one.subscription.plan)).toEqual([]);
  expect(one).toMatchObject({
    customer,
    subscription: { id: subscription, customer, plan: { id: 'gold', amount: 10 } },
  });
  expect(await read('/invoices?expand=subscription.plan')).toEqual([one]);
});

test('several relations at once, each as far as it is asked for', async () => {
  const both = await read(`/invoices/${invoice}?expand=customer,subscription.customer`);
  const who = { object: 'customer', id: customer, name: 'Related' };
  expect(both).toMatchObject({ customer: who, subscription: { plan: 'gold', customer: who } });
  expect(await read(`/invoices/${invoice}?expand=subscription`)).toMatchObject({
    ...{ customer, subscription: { object: 'subscription', customer, plan: 'gold' } },
  });
});

test('what is unknown in expand and include changes nothing', async () => {
  const plain = await read(`/invoices/${invoice}`);
  for (const query of ['expand=nothing,items.price,x.y', 'include=applied_to,nothing', 'expand=&include='])
    expect(await read(`/invoices/${invoice}?${query}`)).toEqual(plain);
  const [payment] = await read('/payments');
  expect(payment).not.toHaveProperty('applied_to');
  const [included] = await read('/payments?include=nothing,applied_to&expand=customer.nothing');
  expect(included).toMatchObject({ customer: { id: customer }, applied_to: [{ invoice, amount: 4 }] });
});
