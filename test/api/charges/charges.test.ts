import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readTestGatewayRecord } from '../../../adapters/gateways/test/record.ts';
import { armFailpoints } from '../../../db/failpoint.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

const VISA = 'tok_4242424242424242';

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ gatewayDeadline: 300 });
  customer = (await api.sandbox.make('/customers', { name: 'Cardholder', email: 'c@example.com' })).id;
});
afterAll(() => api.close());

const invoiceOf = (amount: number, more: object = {}) =>
  api.sandbox.make('/invoices', { customer, items: [{ name: 'x', unit_cost: amount }], ...more });

const chargeOf = (invoice: { id: number; total: number }, more: object = {}) => ({
  customer,
  method: 'credit_card',
  amount: invoice.total,
  gateway_token: VISA,
  applied_to: [{ type: 'invoice', invoice: invoice.id, amount: invoice.total }],
  ...more,
});

test('a charge of a card pays the invoice and can be read', async () => {
  const { sandbox } = api;
  const invoice = await invoiceOf(40);
  const answer = await sandbox.post('/charges', chargeOf(invoice, { receipt_email: 'r@example.com' }));
  expect(answer.status).toBe(201);
  expect(missingFields('payment', answer.body)).toEqual([]);
  expect(missingFields('charge', answer.body.charge)).toEqual([]);
  expect(answer.body).toMatchObject({ object: 'payment', amount: 40, balance: 0, method: 'credit_card' });
  const known = { status: 'succeeded', gateway: 'test', amount: 40, receipt_email: 'r@example.com' };
  expect(answer.body.charge).toMatchObject({ object: 'charge', ...known, customer, failure_message: null });
  expect((await sandbox.get(`/invoices/${invoice.id}`)).body).toMatchObject({ status: 'paid', attempt_count: 1 });
  expect((await sandbox.get(`/charges/${answer.body.charge.id}`)).body).toEqual(answer.body.charge);
  expect((await sandbox.get(`/charges?filter[customer]=${customer}`)).body).toEqual([answer.body.charge]);
  expect(await sandbox.delete(`/payments/${answer.body.id}`)).toMatchObject({ status: 400 });
});

test('a decline is answered with 400 and kept as a failed charge without a payment', async () => {
  const invoice = await invoiceOf(7);
  const declined = await api.sandbox.post('/charges', chargeOf(invoice, { gateway_token: 'tok_4000000000000069' }));
  expect(declined).toMatchObject(refused({ object: 'error', type: 'invalid_request', code: 'card_declined' }));
  const { body: failed } = await api.sandbox.get('/charges?filter[status]=failed');
  expect(failed).toMatchObject([{ amount: 7, failure_message: declined.body.message, id: declined.body.charge }]);
  expect(declined.body).toMatchObject({ decline_code: 'insufficient_funds', retryable: true });
  expect((await api.sandbox.get(`/invoices/${invoice.id}`)).body).toMatchObject({ balance: 7, status: 'not_sent' });
});

test.each([
  ['tok_4000000000000002', 'source_blocked', false],
  ['tok_4000000000003220', 'authentication_required', false],
  ['tok_4000000000000341', 'generic_decline', true],
])('the decline of %s has the code %s, and retryable %s', async (token, decline_code, retryable) => {
  const invoice = await invoiceOf(3);
  const { body } = await api.sandbox.post('/charges', chargeOf(invoice, { gateway_token: token }));
  expect(body).toMatchObject({ code: 'card_declined', decline_code, retryable, charge: expect.any(Number) });
  expect((await api.sandbox.get(`/charges/${body.charge}`)).body).toMatchObject({ status: 'failed', amount: 3 });
});

test('a card that is not stored is declined without a charge, and other refusals are no declines', async () => {
  const { sandbox } = api;
  const stored = await sandbox.post(`/customers/${customer}/payment_sources`, {
    method: 'credit_card',
    gateway_token: 'tok_4000000000000127',
  });
  expect(stored).toMatchObject(refused({ code: 'card_declined', charge: null, retryable: expect.any(Boolean) }));
  const invoice = await invoiceOf(4);
  await sandbox.post(`/invoices/${invoice.id}/void`, {});
  const late = await sandbox.post('/charges', chargeOf(invoice));
  expect(late).toMatchObject(refused({ code: 'state_conflict', param: 'applied_to[0][invoice]' }));
  expect(late.body).not.toHaveProperty('decline_code');
  const foreign = chargeOf({ id: 999_999, total: 4 });
  expect(await sandbox.post('/charges', foreign)).toMatchObject(refused({ code: 'resource_missing' }));
});

test('without an answer of the gateway in time, the charge is pending', async () => {
  const invoice = await invoiceOf(9);
  const answer = await api.sandbox.post('/charges', chargeOf(invoice, { gateway_token: 'tok_4000000000000119' }));
  expect(answer).toMatchObject({ status: 201, body: { amount: 9, charge: { status: 'pending' } } });
  expect((await api.sandbox.get(`/invoices/${invoice.id}`)).body).toMatchObject({ status: 'pending', balance: 9 });
});

test('with a key, two simultaneous requests capture once and get the same answer', async () => {
  const invoice = await invoiceOf(11);
  const key = { 'Idempotency-Key': 'one charge' };
  const send = () => api.sandbox.post('/charges', chargeOf(invoice), key);
  const [one, other] = await Promise.all([send(), send()]);
  expect([one.status, other.status]).toEqual([201, 201]);
  expect(other.body).toEqual(one.body);
  const replays = [one, other].map((answer) => answer.headers.get('Idempotent-Replayed'));
  expect(replays.sort()).toEqual([null, 'true'].sort());
  expect((await send()).body).toEqual(one.body);
  const record = await readTestGatewayRecord(api.databaseUrl);
  expect(record.filter((charge) => charge.amount.startsWith('11')).map((charge) => charge.captured)).toEqual([1]);
  expect(
    (await api.sandbox.get('/payments')).body.filter((payment: { amount: number }) => payment.amount === 11),
  ).toHaveLength(1);
});

test.each([
  ['charge.prepared', 400, 0], // never confirmed: it ends without the gateway
  ['charge.confirmed', 201, 1], // captured by the gateway: it is looked up, never repeated
])('repeating a request that was cut off at %s finishes it', async (point, status, captures) => {
  const invoice = await invoiceOf(13);
  const send = () => api.sandbox.post('/charges', chargeOf(invoice), { 'Idempotency-Key': point });
  armFailpoints(`${point}=throw`);
  expect((await send()).status).toBe(500);
  armFailpoints('');
  const before = (await readTestGatewayRecord(api.databaseUrl)).length;
  const finished = await send();
  expect(finished.status).toBe(status);
  expect(finished.headers.get('Idempotent-Replayed')).toBe('true');
  expect((await send()).body).toEqual(finished.body);
  const record = await readTestGatewayRecord(api.databaseUrl);
  expect(record).toHaveLength(before);
  expect(record.at(-1)).toMatchObject({ amount: expect.stringMatching(/^13/), captured: captures });
  const { body } = await api.sandbox.get(`/invoices/${invoice.id}`);
  expect(body.paid).toBe(captures === 1);
});

test('a decline is replayed too', async () => {
  const invoice = await invoiceOf(3);
  const declined = { gateway_token: 'tok_4000000000000002' };
  const send = () => api.sandbox.post('/charges', chargeOf(invoice, declined), { 'Idempotency-Key': 'declined' });
  const first = await send();
  const again = await send();
  expect(again).toMatchObject(refused(first.body));
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
});

test('pay charges an invoice on AutoPay now', async () => {
  const { sandbox } = api;
  const invoice = await invoiceOf(21, { autopay: true });
  const path = `/invoices/${invoice.id}/pay`;
  expect(await sandbox.post(path)).toMatchObject(refused({ message: 'Customer has no payment source' }));
  await sandbox.post(`/customers/${customer}/payment_sources`, { method: 'credit_card', gateway_token: VISA });
  const key = { 'Idempotency-Key': 'pay' };
  const paid = await sandbox.post(path, undefined, key);
  expect(paid).toMatchObject({ status: 200, body: { object: 'invoice', id: invoice.id, paid: true, balance: 0 } });
  expect(await sandbox.post(path, undefined, key)).toMatchObject({ status: 200, body: paid.body });
  expect((await sandbox.post(path)).status).toBe(400);
  const byHand = await invoiceOf(5);
  expect(await sandbox.post(`/invoices/${byHand.id}/pay`)).toMatchObject({ status: 400 });
});

test('a live account has no test gateway', async () => {
  const { body } = await api.live.post('/customers', { name: 'Live' });
  const charge = { customer: body.id, method: 'credit_card', amount: 1, applied_to: [], gateway_token: VISA };
  expect(await api.live.post('/charges', charge)).toMatchObject(refused({ param: 'gateway_token' }));
});

test.each([
  [{ gateway_token: undefined }, 'payment_source_id'],
  [{ service_token: 'st_1' }, 'payment_source_id'],
  [{ gateway_token: undefined, service_token: 'st_1' }, 'service_token'],
  [{ gateway_token: undefined, payment_source_id: 1 }, 'payment_source_type'],
  [{ gateway_token: undefined, payment_source_type: 'card' }, 'payment_source_id'],
  [{ gateway_token: undefined, payment_source_type: 'card', payment_source_id: 4711 }, 'payment_source_id'],
  [{ customer: 4711 }, 'customer'],
  [{ method: 'cash' }, 'method'],
  [{ method: undefined }, 'method'],
  [{ amount: 0.001 }, 'amount'],
  [{ amount: 0 }, 'amount'],
  [{ applied_to: undefined }, 'applied_to'],
  [{ applied_to: [{ type: 'invoice', invoice: 4711, amount: 1 }] }, 'applied_to[0][invoice]'],
  [{ applied_to: [{ type: 'estimate', estimate: 1, amount: 1 }] }, 'applied_to[0][estimate]'],
  [{ receipt_email: 'nobody' }, 'receipt_email'],
  [{ vault: true }, 'vault'],
])('%j is refused, naming %s', async (body, param) => {
  const charge = { customer, method: 'credit_card', amount: 1, applied_to: [], gateway_token: VISA, ...body };
  expect(await api.sandbox.post('/charges', charge)).toMatchObject(refused({ param }));
});

test('the charged source is shown, default or not; the method has to match it', async () => {
  const { sandbox } = api;
  const holder = (await sandbox.make('/customers', { name: 'Two cards' })).id;
  const vault = (token: string) =>
    sandbox.post(`/customers/${holder}/payment_sources`, { method: 'credit_card', gateway_token: token });
  await vault(VISA); // the first source is the default
  const second = (await vault('tok_5454545454545454')).body;
  const invoice = await sandbox.make('/invoices', { customer: holder, items: [{ name: 'x', unit_cost: 12 }] });
  const source = { payment_source_type: 'card', payment_source_id: second.id };
  const body = { ...chargeOf(invoice), customer: holder, gateway_token: undefined, ...source };
  expect(await sandbox.post('/charges', { ...body, method: 'ach' })).toMatchObject(refused({ param: 'method' }));
  const { charge } = (await sandbox.post('/charges', body)).body;
  expect(charge.payment_source).toMatchObject({ ...second, object: 'card', last4: '5454', brand: 'Mastercard' });
  for (const field of [
    'chargeable',
    'created_at',
    'gateway',
    'gateway_customer',
    'gateway_id',
    'merchant_account',
    'receipt_email',
  ])
    expect(charge.payment_source).toHaveProperty(field);
});
