import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

let merchants = 0;
/** Adds a merchant account with a key of its own. */
async function merchantOf(client: Client, more: object = {}) {
  merchants += 1;
  const mode = client === api.live ? 'live' : 'test';
  const body = { gateway: 'stripe', name: 'Stripe', secret_key: `sk_${mode}_Merchant${merchants}`, ...more };
  return client.make('/merchant_accounts', body);
}

test('a merchant account is checked at the gateway, and its secrets are never returned', async () => {
  const { sandbox } = await api.open('Checked');
  const secrets = { secret_key: 'sk_test_Secret2027', event_secret: 'whsec_Hidden2027' };
  const asked = {
    gateway: 'stripe',
    name: 'Stripe',
    ...secrets,
    publishable_key: 'pk_test_Shown2027',
    currencies: ['EUR'],
  };
  const made = await sandbox.make('/merchant_accounts', asked);
  expect(made).toEqual({
    id: expect.any(Number),
    object: 'merchant_account',
    gateway: 'stripe',
    name: 'Stripe',
    gateway_account: 'acct_Secret2027',
    publishable_key: 'pk_test_Shown2027',
    currencies: ['eur'],
    receives_events: true,
    events_url: expect.stringMatching(new RegExp(`/gateway_events/stripe_${sandbox.account.id}_${made.id}$`)),
    created_at: expect.any(Number),
    updated_at: expect.any(Number),
  });
  expect((await sandbox.get(`/merchant_accounts/${made.id}`)).body).toEqual(made);
  expect((await sandbox.get('/merchant_accounts')).body).toEqual([made]);
  const [row] = await api.em.fork().execute('select * from merchant_account where id = ?', [made.id]);
  expect(JSON.stringify(row)).not.toMatch(/sk_test|whsec|Hidden2027/);
});

test('the secret key is replaced by another one of the same account; other fields change without asking the gateway', async () => {
  const { sandbox } = await api.open('Changed');
  const { id, gateway_account } = await merchantOf(sandbox);
  const asked = api.stripe.asked.length;
  const changed = await sandbox.patch(`/merchant_accounts/${id}`, { name: 'Main', currencies: ['usd', 'cad'] });
  expect(changed).toMatchObject({ status: 200, body: { name: 'Main', currencies: ['usd', 'cad'], gateway_account } });
  expect(api.stripe.asked).toHaveLength(asked);
  const other = await sandbox.patch(`/merchant_accounts/${id}`, { secret_key: 'sk_test_Elsewhere' });
  expect(other).toMatchObject(
    refused({ param: 'secret_key', message: `Secret key is not of account ${gateway_account}: add another one` }),
  );
  const key = `sk_test_${gateway_account.replace('acct_', '')}`;
  expect(await sandbox.patch(`/merchant_accounts/${id}`, { secret_key: key })).toMatchObject({ status: 200 });
});

test.each<[string, object, string, string]>([
  ['an unknown key', { secret_key: 'sk_test_unknown123' }, 'secret_key', 'Stripe does not accept the secret key'],
  ['another text', { secret_key: 'hunter2' }, 'secret_key', 'Secret key must be one of Stripe'],
  [
    'a publishable key as the secret',
    { secret_key: 'pk_test_Shown2027' },
    'secret_key',
    'Secret key must be one of Stripe',
  ],
  [
    'a live key in the sandbox',
    { secret_key: 'sk_live_Real2027' },
    'secret_key',
    'Secret key moves real money: use a test key in the sandbox',
  ],
  [
    'the publishable key of live',
    { publishable_key: 'pk_live_Shown' },
    'publishable_key',
    'Publishable key must begin with pk_test_',
  ],
  [
    'another secret for events',
    { event_secret: 'sk_test_Right2027' },
    'event_secret',
    'Event secret must begin with whsec_, without spaces',
  ],
  [
    'a secret of events with a space',
    { event_secret: 'whsec_Right 2027' },
    'event_secret',
    'Event secret must begin with whsec_, without spaces',
  ],
  ['an unknown gateway', { gateway: 'piggybank' }, 'gateway', 'Gateway must be one of stripe: piggybank'],
  ['an unknown currency', { currencies: ['zzz'] }, 'currencies[0]', 'must be an ISO 4217 currency code: zzz'],
])('%s is refused, and nothing is stored', async (_, wrong, param, message) => {
  const { sandbox } = await api.open('Refused');
  const body = { gateway: 'stripe', name: 'Stripe', secret_key: 'sk_test_Right2027', ...wrong };
  const answer = await sandbox.post('/merchant_accounts', body);
  expect(answer).toMatchObject(refused({ param, message: expect.stringContaining(message) }));
  expect((await sandbox.get('/merchant_accounts')).body).toEqual([]);
});

test('live refuses test keys, the test gateway, and tokens without a merchant account', async () => {
  const { live } = await api.open('Live');
  const test = { gateway: 'stripe', name: 'Stripe', secret_key: 'sk_test_Right2027' };
  expect(await live.post('/merchant_accounts', test)).toMatchObject(
    refused({ param: 'secret_key', message: 'Secret key is for tests: use a live key, or the sandbox' }),
  );
  const { id } = await live.make('/customers', { name: 'Ada' });
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  expect(await live.post(`/customers/${id}/payment_sources`, card)).toMatchObject(
    refused({ message: 'No payment gateway is configured for this account' }),
  );
});

test('an account of the gateway is added once', async () => {
  const { sandbox } = await api.open('Once');
  const body = { gateway: 'stripe', name: 'Stripe', secret_key: 'sk_test_Only2027' };
  const answers = await Promise.all([1, 2, 3].map(() => sandbox.post('/merchant_accounts', body)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
});

test('a card stored at Stripe is charged and refunded there', async () => {
  const { live } = await api.open('Paid');
  const merchant = await live.make('/merchant_accounts', {
    gateway: 'stripe',
    name: 'S',
    secret_key: 'sk_live_Paid2027',
  });
  const customer = await live.make('/customers', { name: 'Ada' });
  const source = await live.make(`/customers/${customer.id}/payment_sources`, {
    method: 'credit_card',
    gateway_token: 'pm_card_visa',
    make_default: true,
  });
  expect(source).toMatchObject({ object: 'card', last4: '4242' });
  const invoice = await live.make('/invoices', { customer: customer.id, items: [{ unit_cost: 25 }], autopay: true });
  const paid = await live.post(`/invoices/${invoice.id}/pay`);
  expect(paid).toMatchObject({ status: 200, body: { paid: true, balance: 0 } });
  const [payment] = (await live.get('/payments')).body;
  expect(payment.charge).toMatchObject({ gateway: 'stripe', amount: 25 });
  expect(payment.charge.payment_source).toMatchObject({ gateway: 'stripe', merchant_account: merchant.id });
  const refund = await live.make(`/charges/${payment.charge.id}/refunds`, { amount: 10 });
  expect(refund).toMatchObject({ status: 'succeeded', gateway: 'stripe', amount: 10 });
  const [made] = api.stripe.world.payments.values();
  expect(made).toMatchObject({ amount: 2500, currency: 'usd', status: 'succeeded' });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('a merchant account is deleted once nothing needs it, and its secrets with it', async () => {
  const impatient = await startApi({ gatewayDeadline: 5000 });
  const { sandbox } = impatient;
  const merchant = await merchantOf(sandbox, { event_secret: 'whsec_Gone' });
  const path = `/merchant_accounts/${merchant.id}`;
  const customer = await sandbox.make('/customers', { name: 'Ada', cc_gateway: merchant.id });
  const sources = `/customers/${customer.id}/payment_sources`;
  const source = await sandbox.make(sources, { method: 'credit_card', gateway_token: 'pm_card_visa' });
  expect(await sandbox.delete(path)).toMatchObject(
    refused({ message: 'Merchant account stores payment sources: delete the 1 first' }),
  );
  await sandbox.delete(`/customers/${customer.id}/cards/${source.id}`);
  expect(await sandbox.delete(path)).toMatchObject(
    refused({ message: `Customer ${customer.id} has the merchant account: choose another one for it first` }),
  );
  await sandbox.patch(`/customers/${customer.id}`, { cc_gateway: null });
  const by = { customer: customer.id, method: 'credit_card', gateway_token: 'pm_card_visa', applied_to: [] };
  const { charge } = await sandbox.make('/charges', { ...by, amount: 7 });
  impatient.stripe.fail({ request: /POST .*confirm/, how: 'silent_after', times: 3 });
  expect(await sandbox.post('/charges', { ...by, amount: 5 })).toMatchObject({ status: 201 });
  expect(await sandbox.delete(path)).toMatchObject(
    refused({ message: 'Operations of the merchant account have no outcome yet: delete it once they have' }),
  );
  await impatient.em
    .fork()
    .execute(`update attempt set state = 'abandoned' where account_id = ? and state = 'unknown'`, [sandbox.account.id]);
  expect(await sandbox.delete(path)).toMatchObject({ status: 204 });
  expect(await sandbox.get(path)).toMatchObject({ status: 404 });
  const secrets = 'select sealed_secret_key, sealed_event_secret from merchant_account where id = ?';
  expect(await impatient.em.fork().execute(secrets, [merchant.id])).toEqual([
    { sealed_secret_key: null, sealed_event_secret: null },
  ]);
  expect(await sandbox.post(`/charges/${charge.id}/refunds`, { amount: 7 })).toMatchObject(
    refused({ message: expect.stringContaining(`of charge ${charge.id} is not configured`) }),
  );
  const reserved = 'select refund_reserved::float8 as reserved from charge where id = ?';
  expect(await impatient.em.fork().execute(reserved, [charge.id])).toEqual([{ reserved: 0 }]);
  // The key can be added again, as another merchant account.
  const again = { gateway: 'stripe', name: 'Again', secret_key: `sk_test_${merchant.gateway_account.slice(5)}` };
  expect(await sandbox.post('/merchant_accounts', again)).toMatchObject({ status: 201 });
  await impatient.close();
});

test('new sources go to the merchant account of the customer, else to the first one that takes the currency', async () => {
  const { sandbox } = await api.open('Routed');
  const euro = await merchantOf(sandbox, { currencies: ['eur'] });
  const rest = await merchantOf(sandbox);
  const banks = await merchantOf(sandbox, { currencies: ['gbp'] });
  const stored = async (person: object, source: object = {}) => {
    const { id } = await sandbox.make('/customers', { name: 'Ada', ...person });
    const asked = { method: 'credit_card', gateway_token: 'pm_card_visa', ...source };
    await sandbox.make(`/customers/${id}/payment_sources`, asked);
    const [row] = await api.em.fork().execute('select gateway from payment_source where customer_id = ?', [id]);
    return row?.gateway;
  };
  expect(await stored({ currency: 'eur' })).toBe(`stripe_${euro.id}`);
  expect(await stored({ currency: 'usd' })).toBe(`stripe_${rest.id}`);
  expect(await stored({ currency: 'usd', cc_gateway: banks.id, ach_gateway: rest.id })).toBe(`stripe_${banks.id}`);
  expect(await stored({ currency: 'eur', cc_gateway: banks.id }, { gateway_token: 'tok_4242424242424242' })).toBe(
    'test',
  );
  const debit = { method: 'ach', gateway_token: 'pm_usBankAccount_success' };
  expect(await stored({ currency: 'usd', cc_gateway: rest.id, ach_gateway: banks.id }, debit)).toBe(
    `stripe_${banks.id}`,
  );
  const foreign = await sandbox.post('/customers', { name: 'Eve', cc_gateway: (await merchantOf(api.sandbox)).id });
  expect(foreign).toMatchObject(refused({ param: 'cc_gateway', message: expect.stringContaining('was not found') }));
});

test('an event of Stripe is received at the address of its merchant account only, and signed by its secret', async () => {
  const { sandbox } = await api.open('Events');
  const merchant = await merchantOf(sandbox, { event_secret: 'whsec_of_the_tests' });
  const silent = await merchantOf(sandbox);
  const body = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'charge.updated',
    data: { object: { object: 'charge' } },
  });
  const send = (url: string, secret: string) => {
    const { pathname } = new URL(url);
    const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
    const headers = { 'content-type': 'application/json', 'stripe-signature': header };
    return fetch(`${api.origin}${pathname}`, { method: 'POST', headers, body }).then(({ status }) => status);
  };
  expect(await send(merchant.events_url, 'whsec_of_the_tests')).toBe(200);
  expect(await send(merchant.events_url, 'whsec_of_another')).toBe(400);
  expect(await send(silent.events_url, 'whsec_of_the_tests')).toBe(404);
  const other = await merchantOf(sandbox, { event_secret: 'whsec_of_the_other' });
  expect(await send(other.events_url, 'whsec_of_the_other')).toBe(200); // an id is of its merchant account
  expect(await send(other.events_url, 'whsec_of_the_other')).toBe(200);
  const stored = 'select configuration, event_id, state from gateway_event where account_id = ? order by id';
  expect(await api.em.fork().execute(stored, [sandbox.account.id])).toEqual([
    { configuration: `stripe_${sandbox.account.id}_${merchant.id}`, event_id: 'evt_1', state: 'ignored' },
    { configuration: `stripe_${sandbox.account.id}_${other.id}`, event_id: 'evt_1', state: 'ignored' },
  ]);
});
