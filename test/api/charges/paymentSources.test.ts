import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

let api: TestApi;
let path: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const store = (gateway_token: string, more: object = {}, headers = {}) =>
  api.sandbox.post(`${path}/payment_sources`, { method: 'credit_card', gateway_token, ...more }, headers);

test('cards and bank accounts can be stored, listed, chosen as default and deleted', async () => {
  const { sandbox } = api;
  path = `/customers/${(await sandbox.make('/customers', { name: 'Vault' })).id}`;
  const card = await store('tok_5454545454545454');
  expect(card.status).toBe(201);
  expect(missingFields('card', card.body)).toEqual([]);
  expect(card.body).toMatchObject({ object: 'card', brand: 'Mastercard', last4: '5454' });
  const bank = await store('tok_110000000_123456789', { method: 'ach', make_default: true });
  expect(missingFields('bank_account', bank.body)).toEqual([]);
  expect(bank.body).toMatchObject({ object: 'bank_account', last4: '6789', routing_number: '110000000' });
  expect((await sandbox.get(`${path}/payment_sources`)).body).toEqual([card.body, bank.body]);
  expect((await sandbox.get(path)).body.payment_source).toEqual(bank.body);

  const chosen = await sandbox.patch(`${path}/cards/${card.body.id}`, { make_default: true });
  expect(chosen).toMatchObject({ status: 200, body: { id: card.body.id } });
  expect((await sandbox.get(path)).body.payment_source).toMatchObject({ object: 'card' });
  expect((await sandbox.delete(`${path}/bank_accounts/${card.body.id}`)).status).toBe(404);
  expect(await sandbox.delete(`${path}/cards/${card.body.id}`)).toMatchObject({ status: 204, body: null });
  expect((await sandbox.delete(`${path}/cards/${card.body.id}`)).status).toBe(404);
  expect((await sandbox.get(path)).body.payment_source).toBeNull();
  expect((await sandbox.get(`${path}/payment_sources`)).body).toEqual([bank.body]);
});

test('a card that the gateway refuses is not stored', async () => {
  const before = (await api.sandbox.get(`${path}/payment_sources`)).body;
  expect(await store('tok_4000000000000127')).toMatchObject(refused({ type: 'invalid_request' }));
  expect((await api.sandbox.get(`${path}/payment_sources`)).body).toEqual(before);
});

test('a source is deleted only when its charges have an outcome', async () => {
  const { sandbox } = api;
  const customer = (await sandbox.make('/customers', { name: 'Debtor' })).id;
  const own = `/customers/${customer}`;
  const bank = { method: 'ach', gateway_token: 'tok_123123123_123123893' }; // pending for two days
  const { id: payment_source_id } = await sandbox.make(`${own}/payment_sources`, bank);
  const charged = { customer, method: 'ach', payment_source_type: 'bank_account', payment_source_id };
  const { charge } = await sandbox.make('/charges', { ...charged, amount: 5, applied_to: [] });
  expect(charge.status).toBe('pending');
  const message = 'A charge of the payment source is under way: delete it once its outcome is known';
  expect(await sandbox.delete(`${own}/bank_accounts/${payment_source_id}`)).toMatchObject(refused({ message }));
  expect((await sandbox.get(`${own}/payment_sources`)).body).toMatchObject([{ id: payment_source_id }]);
});

test('a source with a charge that the gateway has not answered is not deleted', async () => {
  const impatient = await startApi({ gatewayDeadline: 2000 });
  const { sandbox } = impatient;
  const customer = (await sandbox.make('/customers', { name: 'Silent' })).id;
  const own = `/customers/${customer}`;
  const card = { method: 'credit_card', gateway_token: 'tok_script_timeout_taken' };
  const { id: payment_source_id } = await sandbox.make(`${own}/payment_sources`, card);
  const charged = { customer, method: 'credit_card', payment_source_type: 'card', payment_source_id };
  const { charge } = await sandbox.make('/charges', { ...charged, amount: 5, applied_to: [] });
  expect(charge.status).toBe('pending');
  const message = 'A charge of the payment source is under way: delete it once its outcome is known';
  expect(await sandbox.delete(`${own}/cards/${payment_source_id}`)).toMatchObject(refused({ message }));
  await impatient.close();
});

test('a repeated request stores one card', async () => {
  const key = { 'Idempotency-Key': 'vault' };
  const [one, other] = await Promise.all([
    store('tok_4242424242424242', {}, key),
    store('tok_4242424242424242', {}, key),
  ]);
  expect(one).toMatchObject({ status: 201, body: other.body });
  const { body } = await api.sandbox.get(`${path}/payment_sources`);
  expect(body.filter((source: { last4: string }) => source.last4 === '4242')).toHaveLength(1);
});

test.each([
  [{}, 'gateway_token'],
  [{ gateway_token: 'tok_4242424242424242', service_token: 'st' }, 'gateway_token'],
  [{ service_token: 'st' }, 'service_token'],
  [{ gateway_token: 'tok_4242424242424242', method: 'cash' }, 'method'],
  [{ gateway_token: 'tok_4242424242424242', method: null }, 'method'],
  [{ gateway_token: 'tok_4242424242424242', default: true }, 'default'],
])('%j is refused, naming %s', async (body, param) => {
  const answer = await api.sandbox.post(`${path}/payment_sources`, { method: 'credit_card', ...body });
  expect(answer).toMatchObject(refused({ param }));
});
