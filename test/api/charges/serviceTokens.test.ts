import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { readServiceToken } from '../../../commands/charges/serviceTokens.ts';
import { deleteExpired } from '../../../db/queries/processes/expired.ts';
import { connect } from '../../../workers/connection.ts';
import { type Answer, basic, type Client, refused, send, startApi, type TestApi } from '../../support/api.ts';

/** Tokens that pages make by a publishable key: who makes them, and that each pays or is stored once. */

const CARD = 'tok_4242424242424242';
const HOUR = 3_600_000;
let api: TestApi;
let shop: Client;
let customer: number;
let publishable: string;
let now: Date | null = null;

beforeAll(async () => {
  api = await startApi({ systemNow: () => now ?? new Date() });
  shop = api.sandbox;
  customer = (await shop.make('/customers', { name: 'Payer', country: 'US', state: 'TX' })).id;
  publishable = (await shop.make('/api_keys', { name: 'Page', kind: 'publishable' })).key;
});
afterAll(() => api.close());

const page = { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'cross-site' };
const fromPage = (method: string, path: string, body?: object): Promise<Answer> =>
  send(`${shop.url}${path}`, { method, body, headers: { ...basic(publishable), ...page } });

async function tokenOf(gateway_token = CARD, method = 'credit_card'): Promise<string> {
  const { status, body } = await fromPage('POST', '/service_tokens', { method, gateway_token });
  expect([status, body]).toEqual([201, body]);
  return body.id;
}

const charged = (service_token: string, more: object = {}) => ({
  customer,
  method: 'credit_card',
  amount: 10,
  applied_to: [],
  service_token,
  ...more,
});
const charge = (token: string, more: object = {}, by = shop) => by.post('/charges', charged(token, more));
const isRefused = (message: string) => refused({ param: 'service_token', message: expect.stringContaining(message) });

test('a page of any origin makes a token, which says what it stands for; its text is shown once and stored as a hash', async () => {
  const asked = { method: 'credit_card', gateway_token: CARD };
  const { status, body, headers } = await fromPage('POST', '/service_tokens', asked);
  expect([status, headers.get('Access-Control-Allow-Origin')]).toEqual([201, '*']);
  const { id, created_at, expires_at, ...rest } = body;
  expect(id).toMatch(/^svt_[0-9A-Za-z]{40}$/);
  expect(expires_at - created_at).toBe(7200);
  expect(rest).toEqual({
    object: 'service_token',
    method: 'credit_card',
    gateway: 'test',
    merchant_account: null,
    type: 'card',
    brand: 'Visa',
    funding: 'credit',
    last4: '4242',
  });
  const rows = await api.em.fork().execute('select * from service_token');
  expect(JSON.stringify(rows)).not.toMatch(/4242424242424242|svt_/);
});

test('a token charges once, and what it stored can be charged again', async () => {
  const token = await tokenOf();
  const { status, body } = await charge(token, { vault_method: true });
  expect([status, body.charge.payment_source.last4]).toEqual([201, '4242']);
  expect(await charge(token)).toMatchObject(isRefused('already used'));
  const [stored] = (await shop.get(`/customers/${customer}/payment_sources`)).body;
  const source = { payment_source_type: 'card', payment_source_id: stored.id };
  const again = await shop.post('/charges', { ...charged(''), ...source });
  expect([again.status, again.body]).toEqual([201, again.body]);
});

test('a token is stored once as a payment source', async () => {
  const bank = await tokenOf('tok_110000000_123456789', 'ach');
  const path = `/customers/${customer}/payment_sources`;
  const store = () => shop.post(path, { method: 'ach', service_token: bank });
  expect(await store()).toMatchObject({ status: 201, body: { object: 'bank_account', last4: '6789' } });
  expect(await store()).toMatchObject(isRefused('already used'));
  const both = { method: 'ach', service_token: bank, gateway_token: CARD };
  for (const body of [both, { method: 'ach' }])
    expect(await shop.post(path, body)).toMatchObject(refused({ param: 'gateway_token' }));
});

test('one of eight charges at the same time with one token is made', async () => {
  const before = (await shop.get('/charges?per_page=1')).headers.get('X-Total-Count');
  const token = await tokenOf();
  const customers = [customer, (await shop.make('/customers', { name: 'Other' })).id];
  const all = Array.from({ length: 8 }, (_, n) => charge(token, { customer: customers[n % 2] }));
  const answers = await Promise.all(all);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 201))
    expect(answer).toMatchObject(isRefused('already used'));
  const after = (await shop.get('/charges?per_page=1')).headers.get('X-Total-Count');
  expect(Number(after) - Number(before)).toBe(1);
});

test('a refused request leaves the token, a declined one uses it up', async () => {
  const token = await tokenOf('tok_4000000000000069');
  const wrong = { applied_to: [{ type: 'invoice', invoice: 2_000_000_000, amount: 10 }] };
  expect(await charge(token, wrong)).toMatchObject(refused({ param: 'applied_to[0][invoice]' }));
  expect(await charge(token, { amount: -1 })).toMatchObject(refused({ param: 'amount' }));
  const declined = await charge(token);
  expect(declined).toMatchObject(refused({ message: expect.stringContaining('insufficient funds') }));
  expect(await charge(token)).toMatchObject(isRefused('already used'));
});

test('a request that is repeated with its Idempotency-Key gets the same answer', async () => {
  const token = await tokenOf();
  const headers = { 'Idempotency-Key': 'once' };
  const first = await shop.post('/charges', charged(token), headers);
  const again = await shop.post('/charges', charged(token), headers);
  expect([again.status, again.body]).toEqual([201, first.body]);
  const asked = { method: 'credit_card', gateway_token: CARD };
  const made = await shop.post('/service_tokens', asked, { 'Idempotency-Key': 'token' });
  expect((await shop.post('/service_tokens', asked, { 'Idempotency-Key': 'token' })).body).toEqual(made.body);
  const kept = await api.em.fork().execute('select * from idempotency');
  expect(JSON.stringify(kept)).not.toContain('svt_');
});

test('a token of another account, an unknown one, and one for the other method are refused', async () => {
  const token = await tokenOf();
  const rival = (await api.open('Rival')).sandbox;
  const theirs = (await rival.make('/customers', { name: 'Theirs' })).id;
  expect(await charge(token, { customer: theirs }, rival)).toMatchObject(isRefused('was not found'));
  expect(await charge(token.toLowerCase())).toMatchObject(isRefused('was not found'));
  expect(await charge("svt_' or 1=1 --")).toMatchObject(isRefused('was not found'));
  expect(await charge(token, { method: 'ach' })).toMatchObject(isRefused('is for a card'));
  const live = (await api.live.make('/customers', { name: 'Live' })).id;
  expect(await charge(token, { customer: live }, api.live)).toMatchObject(isRefused('was not found'));
  expect((await charge(token)).status).toBe(201);
});

test('exactly one of the three options is needed', async () => {
  const token = await tokenOf();
  for (const more of [{ gateway_token: CARD }, { payment_source_type: 'card', payment_source_id: 1 }])
    expect(await charge(token, more)).toMatchObject(refused({ param: 'payment_source_id' }));
  expect(await charge('')).toMatchObject(refused({ param: 'payment_source_id' }));
});

test('a token expires after two hours of real time, and is then deleted', async () => {
  const token = await tokenOf();
  const late = await tokenOf();
  const made = Date.now();
  now = new Date(made + 2 * HOUR - 60_000);
  expect((await charge(token)).status).toBe(201);
  now = new Date(made + 2 * HOUR + 60_000);
  expect(await charge(late)).toMatchObject(isRefused('has expired'));
  const sql = await connect(api.databaseUrls.system);
  while ((await deleteExpired(sql, { now, limit: 100 })) > 0);
  await sql.close();
  expect(await charge(late)).toMatchObject(isRefused('was not found'));
  now = null;
});

test('a page reads what will pay without using the token up', async () => {
  const token = await tokenOf('tok_4000056655665556');
  const named = { accountId: shop.account.id, token, method: 'credit_card' as const, currency: 'usd' };
  const read = () => readServiceToken(api.em.fork(), named, new Date());
  expect(await read()).toMatchObject({ brand: 'Visa', funding: 'debit', last4: '5556' });
  expect((await charge(token)).status).toBe(201);
  await expect(read()).rejects.toThrow('Service token was already used');
});

test('the card of a token decides about the convenience fee', async () => {
  await shop.patch('/account', { convenience_fee_percent: 3, convenience_fee_places: ['US-TX'] });
  const fee = { amount: 103, applied_to: [{ type: 'convenience_fee', amount: 3 }] };
  const debit = await tokenOf('tok_4000056655665556');
  expect(await charge(debit, fee)).toMatchObject(refused({ param: 'applied_to[0][type]' }));
  expect((await charge(debit)).status).toBe(201);
  expect((await charge(await tokenOf(), fee)).body.charge).toMatchObject({ convenience_fee: 3 });
  await shop.patch('/account', { convenience_fee_percent: null, convenience_fee_places: null });
});

test('tokens go to the merchant account whose fields the page mounts, and fail once it is deleted', async () => {
  const { live } = await api.open('Stripe');
  const { key } = await live.make('/api_keys', { name: 'Page', kind: 'publishable' });
  const ask = (path: string, body?: object) =>
    send(`${live.url}${path}`, { method: body ? 'POST' : 'GET', body, headers: { ...basic(key), ...page } });
  const wanted = { method: 'credit_card', currency: 'usd' };
  expect(await ask('/payment_fields?method=credit_card')).toMatchObject(refused({ param: 'currency' }));
  expect(await ask('/service_tokens', { ...wanted, gateway_token: 'ctoken_1' })).toMatchObject(
    refused({ param: 'currency' }),
  );
  const added = { gateway: 'stripe', name: 'Main', secret_key: 'sk_live_TokenMain', publishable_key: 'pk_live_Main' };
  const first = (await live.make('/merchant_accounts', { ...added, currencies: ['eur'] })).id;
  const bare = { gateway: 'stripe', name: 'Second', secret_key: 'sk_live_TokenSecond' };
  const second = (await live.make('/merchant_accounts', bare)).id;
  const fields = { method: 'credit_card', gateway: 'stripe' };
  expect((await ask('/payment_fields?method=credit_card&currency=EUR')).body).toEqual({
    ...fields,
    currency: 'eur',
    merchant_account: first,
    publishable_key: 'pk_live_Main',
  });
  const unset = refused({ message: `Merchant account ${second} has no publishable_key` });
  expect(await ask('/payment_fields?method=ach&currency=usd')).toMatchObject(unset);
  expect(await ask(`/payment_fields?method=ach&merchant_account=${first}`)).toMatchObject({
    body: { merchant_account: first, currency: 'usd' },
  });
  const asked = { ...wanted, gateway_token: 'ctoken_1', merchant_account: first };
  const { body } = await ask('/service_tokens', asked);
  expect(body).toMatchObject({ gateway: 'stripe', merchant_account: first });
  await live.delete(`/merchant_accounts/${first}`);
  const payer = (await live.make('/customers', { name: 'Payer' })).id;
  expect(await charge(body.id, { customer: payer }, live)).toMatchObject(isRefused('was deleted'));
  expect(await ask('/service_tokens', asked)).toMatchObject(refused({ param: 'merchant_account' }));
  const theirs = { ...wanted, gateway_token: CARD, merchant_account: second };
  expect(await fromPage('POST', '/service_tokens', theirs)).toMatchObject(refused({ param: 'merchant_account' }));
});

test('Stripe tells the funding of its tokens, so that they can pay a convenience fee', async () => {
  const { live } = await api.open('Fees');
  await live.patch('/account', { convenience_fee_percent: 3, convenience_fee_places: ['US-TX'] });
  await live.make('/merchant_accounts', { gateway: 'stripe', name: 'Main', secret_key: 'sk_live_TokenFees' });
  const payer = (await live.make('/customers', { name: 'Payer', country: 'US', state: 'TX' })).id;
  const fee = { customer: payer, amount: 103, applied_to: [{ type: 'convenience_fee', amount: 3 }] };
  const svt = async (gateway_token: string) =>
    (await live.make('/service_tokens', { method: 'credit_card', gateway_token })).id;
  const none = refused({ param: 'applied_to[0][type]', message: expect.stringContaining('debit') });
  expect(await charge(await svt('ctoken_card_mastercard'), fee, live)).toMatchObject(none);
  const paid = { status: 201, body: { charge: { gateway: 'stripe', amount: 103, convenience_fee: 3 } } };
  expect(await charge(await svt('ctoken_card_visa'), fee, live)).toMatchObject(paid);
  expect(await charge('', { ...fee, gateway_token: 'pm_card_visa' }, live)).toMatchObject(paid);
  expect(await charge('', { ...fee, gateway_token: 'pm_card_mastercard' }, live)).toMatchObject(none);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test.each([
  [{}, 'method'],
  [{ method: 'check', gateway_token: CARD }, 'method'],
  [{ method: 'credit_card' }, 'gateway_token'],
  [{ method: 'ach', gateway_token: CARD }, 'method'],
  [{ method: 'credit_card', gateway_token: 'tok_110000000_123456789' }, 'method'],
  [{ method: 'credit_card', gateway_token: 'x'.repeat(256) }, 'gateway_token'],
  [{ method: 'credit_card', gateway_token: 'a\0b' }, 'gateway_token'],
  [{ method: 'credit_card', gateway_token: CARD, currency: 'dollars' }, 'currency'],
  [{ method: 'credit_card', gateway_token: CARD, merchant_account: 77_777 }, 'merchant_account'],
])('the body %j is refused, naming %s', async (body, param) => {
  expect(await fromPage('POST', '/service_tokens', body)).toMatchObject(refused({ param }));
});

test.each([
  [{ number: '4242 4242 4242 4242' }, CARD],
  [{ number: '3782-822463-10005', exp_month: 12, exp_year: 2034, cvc: '1234' }, 'tok_378282246310005'],
  [{ routing_number: '110000000', account_number: '000123456789' }, 'tok_110000000_000123456789'],
])('the sandbox turns %j into a token of its gateway', async (body, gateway_token) => {
  const answer = await fromPage('POST', '/test_gateway/tokens', body);
  expect([answer.status, answer.body]).toEqual([201, { gateway_token }]);
});

test.each([
  [{ number: '4111111111111112' }, 'number'],
  [{ number: '4242' }, 'number'],
  [{ number: '4242424242424242x' }, 'number'],
  [{}, 'number'],
  [{ number: '4242424242424242', routing_number: '110000000' }, 'number'],
  [{ routing_number: '110000000' }, 'account_number'],
  [{ account_number: '123456789' }, 'routing_number'],
  [{ routing_number: '110000000', account_number: '999999999' }, 'account_number'],
  [{ number: '4242424242424242', exp_month: 13 }, 'exp_month'],
  [{ number: '4242424242424242', cvc: 'abc' }, 'cvc'],
])('it refuses %j, naming %s, and no message repeats the number', async (body, param) => {
  const answer = await fromPage('POST', '/test_gateway/tokens', body);
  expect(answer).toMatchObject(refused({ param }));
  expect(answer.body.message).not.toMatch(/\d{4}/);
});

test('live has no test gateway', async () => {
  const { key } = await api.live.make('/api_keys', { name: 'Page', kind: 'publishable' });
  const asked = { method: 'POST', body: { number: '4242424242424242' }, headers: basic(key) };
  const nothing = refused({ message: 'There is nothing at POST /test_gateway/tokens' }, 404);
  expect(await send(`${api.live.url}/test_gateway/tokens`, asked)).toMatchObject(nothing);
  const token = { method: 'credit_card', gateway_token: CARD };
  expect(await api.live.post('/service_tokens', token)).toMatchObject(refused({ param: 'currency' }));
});

test('a publishable key charges nothing, and all books agree', async () => {
  const token = await tokenOf();
  expect((await fromPage('POST', '/charges', charged(token))).status).toBe(403);
  expect((await charge(token)).status).toBe(201);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});
