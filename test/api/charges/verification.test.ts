import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Answer, refused, startApi, type TestApi } from '../../support/api.ts';

/** Bank accounts that have to be verified by their micro-deposits, which are 0.35 and 0.45. */

const UNKNOWN = 'tok_110000000_000123456789';

let api: TestApi;
let customer: number;
let bank: Answer['body'];
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await api.sandbox.make('/customers', { name: 'Debtor' })).id;
  const account = { method: 'ach', gateway_token: UNKNOWN, make_default: true };
  bank = await api.sandbox.make(`/customers/${customer}/payment_sources`, account);
});

const path = () => `/customers/${customer}/bank_accounts/${bank.id}`;
const verify = (amounts: unknown, headers: Record<string, string> = {}) =>
  api.sandbox.post(`${path()}/verify`, { amounts }, headers);
const debit = () => {
  const source = { payment_source_type: 'bank_account', payment_source_id: bank.id };
  return api.sandbox.post('/charges', { customer, method: 'ach', amount: 5, applied_to: [], ...source });
};
const defaultSource = async () => (await api.sandbox.get(`/customers/${customer}`)).body.payment_source;

test('a bank account can be debited once its micro-deposits are named', async () => {
  const { sandbox } = api;
  expect(bank).toMatchObject({ verified: false });
  expect(await defaultSource()).toBeNull();
  const unverified = { message: `Bank account ${bank.id} is not verified`, param: 'payment_source_id' };
  expect(await debit()).toMatchObject(refused(unverified));
  expect(await sandbox.patch(path(), { make_default: true })).toMatchObject(refused({ param: 'make_default' }));
  const wrong = 'The bank account was not verified: The deposits had other amounts.';
  expect(await verify([0.1, 0.2])).toMatchObject(refused({ message: wrong }));
  const verified = await verify([0.45, 0.35]); // in any order
  expect(verified).toMatchObject({ status: 200, body: { id: bank.id, object: 'bank_account', verified: true } });
  expect(await defaultSource()).toEqual(verified.body);
  expect((await debit()).status).toBe(201);
  expect(await verify([0.35, 0.45])).toMatchObject(refused({ message: 'Bank account is already verified' }));
  const [event] = (await sandbox.get(`/events?related_to=payment_source,${bank.id}&type=payment_source.updated`)).body;
  expect(event.data).toMatchObject({ object: { verified: true, chargeable: true }, previous: { verified: false } });
});

test('three wrong tries end the verification', async () => {
  for (const amounts of [
    [0.1, 0.2],
    [0.35, 0.35],
    [0.45, 0.46],
  ])
    expect((await verify(amounts)).status).toBe(400);
  const message = 'Bank account can no longer be verified: store it again';
  expect(await verify([0.35, 0.45])).toMatchObject(refused({ message }));
  expect((await api.sandbox.delete(path())).status).toBe(204);
});

test('tries at once are no more than tries one after another', async () => {
  const guesses = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6].map((amount) => [amount, amount]);
  const answers = await Promise.all([...guesses, [0.35, 0.45]].map((amounts) => verify(amounts)));
  const tried = answers.filter(
    ({ body }) => !/being verified|no longer be verified|already verified/.test(body?.message ?? ''),
  );
  expect(tried.length).toBeLessThanOrEqual(3);
  const { verified } = (await api.sandbox.get(`/customers/${customer}/payment_sources`)).body[0];
  expect(verified).toBe(tried.some(({ status }) => status === 200));
});

test('with a key, a repeated wrong try counts once', async () => {
  const key = { 'Idempotency-Key': `try ${bank.id}` };
  for (let count = 0; count < 4; count++) expect((await verify([0.1, 0.2], key)).status).toBe(400);
  expect((await verify([0.35, 0.45])).status).toBe(200);
});

test.each([
  ['one amount', [0.35]],
  ['three amounts', [0.35, 0.45, 0.55]],
  ['an amount of zero', [0, 0.45]],
  ['a text', 'both'],
  ['nothing', undefined],
])('a verification with %s is refused', async (_, amounts) => {
  expect(await verify(amounts)).toMatchObject(refused({ param: expect.stringMatching(/^amounts/) }));
});

test('only bank accounts of the customer are verified, and the token of an unverified one cannot be charged', async () => {
  const { sandbox } = api;
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const { id } = await sandbox.make(`/customers/${customer}/payment_sources`, card);
  const asked = { amounts: [0.35, 0.45] };
  expect((await sandbox.post(`/customers/${customer}/bank_accounts/${id}/verify`, asked)).status).toBe(404);
  const other = (await sandbox.make('/customers', { name: 'Other' })).id;
  expect((await sandbox.post(`/customers/${other}/bank_accounts/${bank.id}/verify`, asked)).status).toBe(404);
  const charge = { customer, method: 'ach', amount: 5, applied_to: [], gateway_token: UNKNOWN };
  expect(await sandbox.post('/charges', charge)).toMatchObject(
    refused({ message: 'The bank account is not verified.' }),
  );
});
