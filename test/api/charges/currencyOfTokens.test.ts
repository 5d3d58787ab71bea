import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';

/** The currencies in which tokens of pages pay, and in which bank accounts are stored. */

let api: TestApi;
let live: Client;
let customer: number;
let merchant_account: number;

beforeAll(async () => {
  api = await startApi();
  live = (await api.open('Currencies')).live;
  const secrets = { secret_key: 'sk_live_TokenCurrencies', publishable_key: 'pk_live_TokenCurrencies' };
  const merchant = { gateway: 'stripe', name: 'Euros', ...secrets, currencies: ['eur'] };
  merchant_account = (await live.make('/merchant_accounts', merchant)).id;
  customer = (await live.make('/customers', { name: 'Payer', currency: 'gbp', ach_gateway: merchant_account })).id;
});
afterAll(() => api.close());

async function tokenOf(more: object = {}, method = 'credit_card'): Promise<string> {
  const gateway_token = method === 'ach' ? 'ctoken_usBankAccount_success' : 'ctoken_card_visa';
  return (await live.make('/service_tokens', { method, gateway_token, merchant_account, ...more })).id;
}

const pay = (service_token: string, currency: string) =>
  live.post('/charges', { customer, method: 'credit_card', amount: 10, applied_to: [], currency, service_token });
const isRefused = (message: string) => refused({ param: 'service_token', message });

test('a token is refused in a currency that its merchant account does not take, and can still be used', async () => {
  const token = await tokenOf();
  const message = 'Service token was made at a merchant account that takes no usd';
  expect(await pay(token, 'usd')).toMatchObject(isRefused(message));
  expect(await pay(token, 'eur')).toMatchObject({ status: 201, body: { charge: { currency: 'eur' } } });
});

test('a token whose request names a currency pays in that one alone', async () => {
  const token = await tokenOf({ currency: 'gbp' });
  expect(await pay(token, 'eur')).toMatchObject(isRefused('Service token is for payments in gbp, not in eur'));
  expect((await pay(token, 'gbp')).status).toBe(201);
  expect(await pay(token, 'eur')).toMatchObject(isRefused('Service token was already used'));
});

test('a token of a page pays in the currency of its invoice alone', async () => {
  const items = [{ name: 'Support', unit_cost: 5 }];
  const { payment_url } = await live.make('/invoices', { customer, currency: 'eur', items });
  const answer = await fetch(`${payment_url.replace(api.deps.publicUrl, api.origin)}/tokens`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ method: 'credit_card', gateway_token: 'ctoken_card_visa' }),
  });
  const { id } = JSON.parse(await answer.text());
  expect(await pay(id, 'gbp')).toMatchObject(isRefused('Service token is for payments in eur, not in gbp'));
  expect((await pay(id, 'eur')).status).toBe(201);
});

test('a token of any currency is stored as a payment source', async () => {
  const source = { method: 'credit_card', service_token: await tokenOf({ currency: 'jpy' }) };
  expect((await live.post(`/customers/${customer}/payment_sources`, source)).status).toBe(201);
});

test('a customer of another currency stores a bank account for payments in a currency that its gateway debits', async () => {
  const source = { method: 'ach', gateway_token: 'pm_usBankAccount_success' };
  const store = (more: object = {}) => live.post(`/customers/${customer}/payment_sources`, { ...source, ...more });
  const message = 'No payment gateway takes a bank account in gbp';
  expect(await store()).toMatchObject(refused({ param: 'gateway_token', message }));
  expect(await store({ currency: 'dollars' })).toMatchObject(refused({ param: 'currency' }));
  expect(await store({ currency: 'usd' })).toMatchObject({
    status: 201,
    body: { object: 'bank_account', last4: '6789' },
  });
});
