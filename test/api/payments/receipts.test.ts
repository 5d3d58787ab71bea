import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import { receiptRow } from '../../../db/queries/documents/printed.ts';
import { readingOf } from '../../../db/queries/kernel/reading.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { basic, refused, startApi, type TestApi } from '../../support/api.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2027-03-01T09:00:00Z');
let now = NOW;
let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  customer = (await api.sandbox.make('/customers', { name: 'Ada', email: 'ada@example.com' })).id;
});
afterAll(() => api.close());

const receipt = async (id: number) => {
  const headers = { ...basic(api.sandbox.key), Accept: 'application/pdf' };
  const answer = await fetch(`${api.sandbox.url}/payments/${id}`, { headers });
  const isPdf = answer.headers.get('Content-Type') === 'application/pdf';
  return { status: answer.status, message: isPdf ? null : ((await answer.json()) as { message: string }).message };
};

/** The URLs that a receipt of the payment would have: page and PDF. */
async function addresses(id: number): Promise<string[]> {
  const [row] = await api.em
    .fork()
    .execute<{ account_id: number; token: string }[]>('select account_id, token from payment where id = ?', [id]);
  const page = `${api.origin}/documents/${row?.account_id}/payment/${id}/${row?.token}`;
  return [page, `${page}/pdf`];
}

const statuses = async (id: number) =>
  Promise.all((await addresses(id)).map(async (address) => (await fetch(address)).status));

async function expectNone(id: number, message: string): Promise<void> {
  const { body: read } = await api.sandbox.get(`/payments/${id}`);
  expect(read.pdf_url).toBeNull();
  const { body: listed } = await api.sandbox.get('/payments');
  expect(listed.find((payment: { id: number }) => payment.id === id).pdf_url).toBeNull();
  expect(await receipt(id)).toEqual({ status: 400, message });
  expect(await api.sandbox.post(`/payments/${id}/emails`, {})).toMatchObject(refused({ message }));
  expect(await statuses(id)).toEqual([404, 404]);
  expect((await api.sandbox.get('/emails')).body).toEqual([]);
}

/** Lets days pass and looks up the last debit at the gateway. */
async function look(): Promise<void> {
  const [row] = await api.em.fork().execute<{ id: number }[]>('select max(id) as id from attempt');
  now += 5 * DAY;
  await runAttempt({ ...api.deps, em: api.em }, { accountId: api.sandbox.account.id, id: row?.id ?? 0 });
  now = NOW;
}

const debit = async (gateway_token: string) =>
  (await api.sandbox.post('/charges', { customer, method: 'ach', gateway_token, amount: 40, applied_to: [] })).body;

test('a failed debit never has a receipt', async () => {
  const { id, pdf_url } = await debit('tok_123123123_000222222227');
  expect(pdf_url).toBeNull();
  await expectNone(id, 'Payment is pending: it has a receipt once it has succeeded');
  await look();
  await expectNone(id, 'Payment is voided: it has no receipt');
});

test('a payment of credit only has no receipt', async () => {
  await api.sandbox.post('/credit_balance_adjustments', { customer, amount: 20 });
  await api.sandbox.patch('/account', { apply_credits_at_issue: false });
  const { id } = await api.sandbox.make('/invoices', { customer, items: [{ unit_cost: 30 }] });
  const spent = { type: 'applied_credit', invoice: id, amount: 20 };
  const { body: payment } = await api.sandbox.post('/payments', { customer, amount: 20, applied_to: [spent] });
  expect(payment).toMatchObject({ amount: 20, credit: 20, pdf_url: null });
  await expectNone(payment.id, 'Payment consists of credits only: a receipt is for received money');
  // With 5.00 in money it has a receipt.
  const change = { amount: 25, applied_to: [spent, { type: 'invoice', invoice: id, amount: 5 }] };
  const { body: changed } = await api.sandbox.patch(`/payments/${payment.id}`, change);
  expect(changed.pdf_url).toMatch(/\/pdf$/);
  expect([await receipt(payment.id), await statuses(payment.id)]).toEqual([{ status: 200, message: null }, [200, 200]]);
});

test('a voided payment loses its receipt', async () => {
  const { id, pdf_url } = await api.sandbox.make('/payments', { customer, amount: 1 });
  expect(pdf_url).toMatch(/\/pdf$/);
  expect(await statuses(id)).toEqual([200, 200]);
  const voided = await api.sandbox.delete(`/payments/${id}`);
  expect(voided.body).toMatchObject({ voided: true, pdf_url: null });
  await expectNone(id, 'Payment is voided: it has no receipt');
});

test('a debit has a receipt and sends it once its money has arrived', async () => {
  const { id, pdf_url } = await debit('tok_123123123_123123893');
  expect(pdf_url).toBeNull();
  await expectNone(id, 'Payment is pending: it has a receipt once it has succeeded');
  await look();
  const { body: arrived } = await api.sandbox.get(`/payments/${id}`);
  expect([arrived.charge.status, arrived.pdf_url]).toEqual([
    'succeeded',
    (await addresses(id))[1]?.replace(api.origin, 'https://billing.example'),
  ]);
  expect([await receipt(id), await statuses(id)]).toEqual([{ status: 200, message: null }, [200, 200]]);
  expect((await api.sandbox.get('/emails')).body).toMatchObject([{ template: 'payment_receipt_email' }]);
  expect((await api.sandbox.post(`/payments/${id}/emails`, {})).status).toBe(200);
});

test('a receipt reads all details of its customer that the parties of a paper have', async () => {
  const details = {
    name: 'Grace',
    email: 'grace@example.com',
    attention_to: 'Ada',
    tax_id: 'DE811907980',
    language: 'de',
  };
  const address = {
    address1: 'Hauptstr. 1',
    address2: 'Hof',
    city: 'Berlin',
    state: 'BE',
    postal_code: '10115',
    country: 'DE',
  };
  const { id } = await api.sandbox.make('/customers', { ...details, ...address, taxable: false });
  const payment = await api.sandbox.make('/payments', { customer: id, amount: 5, method: 'check' });
  const accountId = api.sandbox.account.id;
  const em = api.em.fork();
  const row = (await readingOf(em, accountId).byId(Customer, [id])).get(id);
  const shown = (await receiptRow(em, { accountId, id: payment.id }))?.customer;
  expect(Object.keys(shown ?? {})).toHaveLength(14);
  expect(row).toMatchObject(shown ?? {});
});
