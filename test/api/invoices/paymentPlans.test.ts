import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let client: Client;
let customer: number;
let invoice: number;
/** Milliseconds by which the product's time is ahead. */
let later = 0;

const DAY = 86_400;
const start = Math.floor(Date.now() / 1000) + DAY;
const inDays = (days: number) => start + days * DAY;
const parts = (...amounts: number[]) => amounts.map((amount, index) => ({ date: inDays(index * 30), amount }));
const CARD = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(Date.now() + later) });
  client = api.sandbox;
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await client.make('/customers', { name: 'Ada' })).id;
  invoice = await owe({ payment_terms: 'NET 30' });
});

const owe = async (more: object = {}): Promise<number> =>
  (await client.make('/invoices', { customer, items: [{ name: 'Roof', unit_cost: 90 }], ...more })).id;
const path = (id = invoice) => `/invoices/${id}/payment_plan`;
const put = (installments: object[], headers: Record<string, string> = {}) =>
  client.request('PUT', path(), { installments }, headers);
const plan = async (...amounts: number[]) => (await put(parts(...amounts))).body;
const read = async () => (await client.get(path())).body;
const readInvoice = async (id = invoice) => (await client.get(`/invoices/${id}`)).body;
const pay = (amount: number) =>
  client.make('/payments', { customer, amount, applied_to: [{ type: 'invoice', invoice, amount }] });
const balances = async () => (await read()).installments.map(({ balance }: { balance: number }) => balance);
const eventsOf = async (id: number) =>
  (await client.get(`/events?related_to=payment_plan,${id}&sort=id`)).body.map(({ type }: { type: string }) => type);

test('an invoice of 90 is paid in three installments of 30', async () => {
  const { due_date: formerDue } = await readInvoice();
  const answer = await put(parts(30, 30, 30));
  const id = expect.any(Number);
  const shown = (days: number) => ({ id, object: 'installment', date: inDays(days), amount: 30, balance: 30 });
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body).toEqual({
    id,
    object: 'payment_plan',
    status: 'active',
    installments: [shown(0), shown(30), shown(60)],
    approval: null,
    approval_url: null,
    created_at: id,
    updated_at: id,
  });
  expect(await read()).toEqual(answer.body);
  const planned = await readInvoice();
  expect(planned).toMatchObject({ payment_plan: answer.body.id, payment_terms: 'Payment Plan', due_date: inDays(0) });
  expect(planned.due_date).not.toBe(formerDue);
  const expanded = (await client.get(`/invoices/${invoice}?expand=payment_plan`)).body;
  expect(expanded.payment_plan).toEqual(answer.body);
});

test('payments fill installments in the order of their dates, also in part, and finish the plan', async () => {
  await plan(30, 30, 30);
  await pay(10);
  expect(await balances()).toEqual([20, 30, 30]);
  const { id } = await pay(35); // 10 + 35 = 45: the first is paid, and 15 of the second
  expect(await balances()).toEqual([0, 15, 30]);
  expect(await readInvoice()).toMatchObject({ due_date: inDays(30), balance: 45 });
  await pay(45);
  expect(await balances()).toEqual([0, 0, 0]);
  expect(await read()).toMatchObject({ status: 'finished' });
  expect(await readInvoice()).toMatchObject({ paid: true, payment_terms: 'Payment Plan' });
  await client.request('DELETE', `/payments/${id}`); // 35 are owed again, of the last installments: 30 + 5
  expect(await balances()).toEqual([0, 5, 30]);
  expect(await read()).toMatchObject({ status: 'active' });
  expect(await readInvoice()).toMatchObject({ due_date: inDays(30), balance: 35 });
});

test('the last installment grows when a payment from before the plan is taken back', async () => {
  const { id } = await pay(40);
  await plan(20, 30); // 90 - 40 = 50
  await client.request('DELETE', `/payments/${id}`);
  expect((await read()).installments).toMatchObject([
    { amount: 20, balance: 20 },
    { amount: 70, balance: 70 },
  ]);
});

test('a canceled plan gives the former terms back', async () => {
  const { due_date, payment_terms } = await readInvoice();
  const { id } = await plan(45, 45);
  expect(await client.request('DELETE', path())).toMatchObject({ status: 204 });
  expect(await read()).toMatchObject({ id, status: 'canceled' });
  expect(await readInvoice()).toMatchObject({ due_date, payment_terms, payment_plan: id });
  expect(payment_terms).toBe('NET 30');
  expect(await client.request('DELETE', path())).toMatchObject(
    refused({ message: expect.stringContaining('canceled') }),
  );
  const next = await plan(40, 50);
  expect(next).toMatchObject({ status: 'active' });
  expect(next.id).not.toBe(id);
});

test('PUT on an active plan replaces the unpaid installments and keeps what is paid', async () => {
  const { id, installments } = await plan(30, 30, 30);
  await pay(40); // the first is paid, and 10 of the second: 50 are owed
  const edited = await put([
    { date: inDays(40), amount: 20 },
    { date: inDays(70), amount: 30 },
  ]);
  expect(edited.body).toMatchObject({
    id,
    status: 'active',
    installments: [
      { id: installments[0].id, date: inDays(0), amount: 30, balance: 0 },
      { id: installments[1].id, date: inDays(30), amount: 10, balance: 0 },
      { date: inDays(40), amount: 20, balance: 20 },
      { date: inDays(70), amount: 30, balance: 30 },
    ],
  });
  expect(await readInvoice()).toMatchObject({ due_date: inDays(40) });
  await pay(20);
  expect(await balances()).toEqual([0, 0, 0, 30]);
});

test('PUT of the installments that a plan has changes nothing', async () => {
  const first = await plan(45, 45);
  await pay(50);
  const shown = await read();
  expect(shown.id).toBe(first.id);
  expect((await put(shown.installments)).body).toEqual(shown);
  expect((await eventsOf(first.id)).sort()).toEqual(['payment_plan.created', 'payment_plan.updated']);
});

test('POST does the same as PUT, with the code of a creation', async () => {
  const post = (...amounts: number[]) => client.request('POST', path(), { installments: parts(...amounts) });
  const answer = await post(45, 45);
  expect(answer).toMatchObject({ status: 201, body: { object: 'payment_plan', status: 'active' } });
  expect(await post(40, 50)).toMatchObject({ status: 201, body: { id: answer.body.id } });
  expect(await balances()).toEqual([40, 50]);
});

test('a plan tells when it was created and when it was changed', async () => {
  const { created_at, updated_at } = await plan(45, 45);
  expect(created_at).toBeGreaterThan(start - 2 * DAY);
  expect(updated_at).toBe(created_at);
  later = 3_600_000;
  const changed = await plan(40, 50);
  later = 0;
  expect(changed.created_at).toBe(created_at);
  expect(changed.updated_at - created_at).toBeGreaterThanOrEqual(3600);
});

test('installments and add-ons have an id and a type', async () => {
  await client.make('/plans', { id: 'gold', name: 'Gold', amount: 9, interval: 'month' });
  await client.make('/plans', { id: 'seats', name: 'Seats', amount: 3, interval: 'month' });
  const addons = [{ plan: 'seats' }, { plan: 'seats', quantity: 2 }];
  const subscription = await client.make('/subscriptions', { customer, plan: 'gold', addons });
  const nested: Record<string, { id: number; object: string }[]> = {
    installment: (await plan(45, 45)).installments,
    subscription_addon: subscription.addons,
  };
  for (const [object, members] of Object.entries(nested)) {
    expect(members).toMatchObject([{ object }, { object }]);
    expect(new Set(members.map(({ id }) => id)).size).toBe(2);
    expect(members.every(({ id }) => Number.isInteger(id) && id > 0)).toBe(true);
  }
});

test('events tell of a plan that is created, changed and canceled', async () => {
  const { id } = await plan(45, 45);
  await pay(45);
  await client.request('DELETE', path());
  expect((await eventsOf(id)).sort()).toEqual(['payment_plan.created', 'payment_plan.deleted', 'payment_plan.updated']);
});

test('a repeated PUT with the same Idempotency-Key answers the same', async () => {
  const key = { 'Idempotency-Key': `plan-${invoice}` };
  const first = await put(parts(45, 45), key);
  const second = await put(parts(45, 45), key);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('Idempotent-Replayed')).toBe('true');
  expect(await put(parts(40, 50), key)).toMatchObject({ status: 400 });
});

test('the installments must add up to the balance', async () => {
  await pay(20);
  const param = 'installments';
  const message = 'Installments must add up to the balance of 70.00: they add up to 90.00';
  expect(await put(parts(30, 30, 30))).toMatchObject(refused({ param, message }));
  expect(await client.get(path())).toMatchObject({ status: 404 });
});

test('dates must increase and not be past', async () => {
  const twice = [
    { date: inDays(5), amount: 45 },
    { date: inDays(5), amount: 45 },
  ];
  expect(await put(twice)).toMatchObject(refused({ param: 'installments[1][date]' }));
  const back = [
    { date: inDays(9), amount: 45 },
    { date: inDays(5), amount: 45 },
  ];
  expect(await put(back)).toMatchObject(refused({ param: 'installments[1][date]' }));
  const past = [
    { date: start - 3 * DAY, amount: 45 },
    { date: inDays(5), amount: 45 },
  ];
  expect(await put(past)).toMatchObject(refused({ param: 'installments[0][date]' }));
});

test('amounts must be positive', async () => {
  expect(await put(parts(90, 0))).toMatchObject(refused({ param: 'installments[1][amount]' }));
  expect(await put(parts(100, -10))).toMatchObject(refused({ param: 'installments[1][amount]' }));
});

test('a plan has 2 to 100 installments', async () => {
  expect(await put(parts(90))).toMatchObject(refused({ param: 'installments' }));
  expect(await put([])).toMatchObject(refused({ param: 'installments' }));
  const halves = (count: number) => Array.from({ length: count }, () => 0.5);
  expect(await put(parts(...halves(100), 40))).toMatchObject(refused({ param: 'installments' })); // 100 x 0.50 + 40 = 90
  const hundred = [...halves(99), 40.5]; // 99 x 0.50 + 40.50 = 90
  expect(await put(parts(...hundred))).toMatchObject({ status: 200 });
});

test('an invoice of which nothing can be paid has no plan', async () => {
  const installments = parts(45, 45);
  const refusedFor = async (id: number, word: string) =>
    expect(await client.request('PUT', path(id), { installments })).toMatchObject(
      refused({ message: expect.stringContaining(word) }),
    );
  await refusedFor(await owe({ draft: true }), 'draft');
  const closed = await owe({ closed: true });
  await refusedFor(closed, 'closed');
  const voided = await owe();
  await client.request('POST', `/invoices/${voided}/void`);
  await refusedFor(voided, 'voided');
  await pay(90);
  await refusedFor(invoice, 'paid');
  expect(await client.request('PUT', path(99_999_999), { installments })).toMatchObject({ status: 404 });
});

test('terms, due date and lines stay while a plan is active', async () => {
  await plan(45, 45);
  const change = (body: object) => client.patch(`/invoices/${invoice}`, body);
  expect(await change({ payment_terms: 'NET 10' })).toMatchObject(refused({ param: 'payment_terms' }));
  expect(await change({ due_date: inDays(9) })).toMatchObject(refused({ param: 'due_date' }));
  expect(await change({ items: [{ unit_cost: 3 }] })).toMatchObject(refused({ param: 'items' }));
  const shown = await readInvoice();
  expect(await change({ ...shown, notes: 'Agreed' })).toMatchObject({ status: 200, body: { notes: 'Agreed' } });
});

test('a voided invoice has no active plan', async () => {
  await plan(45, 45);
  expect(await client.post(`/invoices/${invoice}/void`)).toMatchObject({ status: 200 });
  expect(await read()).toMatchObject({ status: 'canceled' });
});

test('a plan waits for a payment source, then AutoPay charges each installment at its date', async () => {
  invoice = await owe({ autopay: true });
  expect(await plan(45, 45)).toMatchObject({ status: 'pending_signup' });
  expect(await readInvoice()).toMatchObject({ payment_terms: 'AutoPay' });
  await client.make(`/customers/${customer}/payment_sources`, { ...CARD, make_default: true });
  expect(await read()).toMatchObject({ status: 'active' });
  expect(await readInvoice()).toMatchObject({ payment_terms: 'Payment Plan', next_payment_attempt: inDays(0) });
});

test('pay collects the next installment', async () => {
  await client.make(`/customers/${customer}/payment_sources`, { ...CARD, make_default: true });
  invoice = await owe({ autopay: true });
  await plan(30, 60);
  expect(await client.post(`/invoices/${invoice}/pay`)).toMatchObject({ status: 200, body: { balance: 60 } });
  expect(await balances()).toEqual([0, 60]);
  expect(await readInvoice()).toMatchObject({ next_payment_attempt: inDays(30) });
  expect(await client.post(`/invoices/${invoice}/pay`)).toMatchObject({ status: 200, body: { paid: true } });
  expect(await read()).toMatchObject({ status: 'finished' });
});

test('another default source does not charge an installment before its date', async () => {
  await client.make(`/customers/${customer}/payment_sources`, { ...CARD, make_default: true });
  invoice = await owe({ autopay: true });
  await plan(30, 60);
  await client.post(`/invoices/${invoice}/pay`);
  const other = { ...CARD, gateway_token: 'tok_5454545454545454', make_default: true };
  await client.make(`/customers/${customer}/payment_sources`, other);
  expect(await readInvoice()).toMatchObject({ next_payment_attempt: inDays(30) });
});

test('without AutoPay an installment is due at its date', async () => {
  await client.make(`/customers/${customer}/payment_sources`, { ...CARD, make_default: true });
  invoice = await owe({ autopay: true });
  await plan(30, 60);
  await client.patch(`/invoices/${invoice}`, { autopay: false });
  expect(await readInvoice()).toMatchObject({ next_payment_attempt: null, due_date: inDays(0) });
});
