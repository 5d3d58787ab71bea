import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';

/** Changes of single installments of a payment plan. */

let api: TestApi;
let client: Client;
let customer: number;
let invoice: number;

const DAY = 86_400;
const start = Math.floor(Date.now() / 1000) + DAY;
const inDays = (days: number) => start + days * DAY;
const parts = (...amounts: number[]) => amounts.map((amount, index) => ({ date: inDays(index * 30), amount }));
const CARD = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(async () => {
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  await api.close();
});
beforeEach(async () => {
  customer = (await client.make('/customers', { name: 'Ada' })).id;
  invoice = await owe();
});

const owe = async (more: object = {}): Promise<number> =>
  (await client.make('/invoices', { customer, items: [{ name: 'Roof', unit_cost: 90 }], ...more })).id;
const path = () => `/invoices/${invoice}/payment_plan`;
const put = (installments: object[], more: object = {}) => client.request('PUT', path(), { installments, ...more });
const patch = (body: object, query = '') => client.patch(`${path()}${query}`, body);
const change = (...installments: object[]) => patch({ installments });
const read = async () => (await client.get(path())).body;
const readInvoice = async () => (await client.get(`/invoices/${invoice}`)).body;
const pay = (amount: number) =>
  client.make('/payments', { customer, amount, applied_to: [{ type: 'invoice', invoice, amount }] });
const plan = async (...amounts: number[]): Promise<number[]> =>
  (await put(parts(...amounts))).body.installments.map(({ id }: { id: number }) => id);

test('PATCH changes the installments that it names, adds those without an id, and leaves the others', async () => {
  const [first, second, third] = await plan(30, 30, 30);
  await pay(40); // the first is paid, and 10 of the second
  const changed = await change({ id: third, amount: 20 }, { date: inDays(90), amount: 10 });
  expect(changed).toMatchObject({ status: 200 });
  expect(changed.body.installments).toMatchObject([
    { id: first, date: inDays(0), amount: 30, balance: 0 },
    { id: second, date: inDays(30), amount: 30, balance: 20 },
    { id: third, date: inDays(60), amount: 20, balance: 20 },
    { date: inDays(90), amount: 10, balance: 10 },
  ]);
  expect(await read()).toEqual(changed.body);
  await pay(45);
  expect((await read()).installments.map(({ balance }: { balance: number }) => balance)).toEqual([0, 0, 0, 5]);
});

test('a change of the next date moves the due date or the charge, a change of a later one does not', async () => {
  const [first, second] = await plan(45, 45);
  expect(await readInvoice()).toMatchObject({ due_date: inDays(0) });
  await change({ id: first, date: inDays(5) });
  expect(await readInvoice()).toMatchObject({ due_date: inDays(5) });
  await change({ id: second, date: inDays(50) });
  expect(await readInvoice()).toMatchObject({ due_date: inDays(5) });
  await client.make(`/customers/${customer}/payment_sources`, CARD);
  invoice = await owe({ autopay: true });
  const [next, last] = await plan(45, 45);
  await change({ id: last, date: inDays(70) });
  expect(await readInvoice()).toMatchObject({ next_payment_attempt: inDays(0), due_date: null });
  await change({ id: next, date: inDays(7) });
  expect(await readInvoice()).toMatchObject({ next_payment_attempt: inDays(7), due_date: null });
});

test('PATCH of nothing, or of what is there already, changes nothing', async () => {
  const [first] = await plan(45, 45);
  const shown = await read();
  for (const body of [{}, { installments: [] }, { installments: [{ id: first, amount: 45 }] }, shown])
    expect((await patch(body)).body).toEqual(shown);
  const types = (await client.get(`/events?related_to=payment_plan,${shown.id}`)).body;
  expect(types).toHaveLength(1);
});

test('PUT keeps the ids that it names, and takes a plan that was read back', async () => {
  const [first, second, third] = await plan(30, 30, 30);
  await pay(30);
  const edited = await put([
    { id: third, date: inDays(70), amount: 20 },
    { date: inDays(80), amount: 40 },
  ]);
  const ids = edited.body.installments.map(({ id }: { id: number }) => id);
  expect(ids.slice(0, 2)).toEqual([first, third]);
  expect(ids).not.toContain(second);
  const shown = await read();
  const [paid, , last] = shown.installments;
  const answer = await put([paid, { ...shown.installments[1], date: inDays(75) }, last]);
  expect(answer).toMatchObject({ status: 200, body: { installments: [{ id: first }, { date: inDays(75) }, last] } });
});

test('ids of no unpaid installment of the plan are refused, and nothing changes', async () => {
  const [foreign] = await plan(45, 45);
  invoice = await owe();
  const [first, second] = await plan(30, 60);
  await pay(30);
  const shown = await read();
  for (const send of [(one: object) => change(one), (one: object) => put([one])]) {
    const sent = { date: inDays(40), amount: 60 };
    const param = 'installments[0][id]';
    expect(await send({ ...sent, id: foreign })).toMatchObject(refused({ param }));
    expect(await send({ ...sent, id: first })).toMatchObject(refused({ param }));
    expect(await send({ ...sent, id: 999_999_999 })).toMatchObject(refused({ param }));
    expect(await send({ ...sent, id: '<b>' })).toMatchObject(refused({ param }));
  }
  expect(await change({ id: second, amount: 61 })).toMatchObject(
    refused({
      param: 'installments',
      message: 'Installments must add up to the balance of 60.00: they add up to 61.00',
    }),
  );
  expect(await change({ id: second, date: 1000 })).toMatchObject(refused({ param: 'installments[0][date]' }));
  expect(await read()).toEqual(shown);
});

test('a plan has at most 100 installments, also after a change', async () => {
  const halves = Array.from({ length: 98 }, () => 0.5);
  const ids = await plan(...halves, 30, 11); // 98 x 0.50 + 30 + 11 = 90
  const added = { date: inDays(4000), amount: 1 };
  const message = 'A payment plan has 2 to 100 installments: 101';
  expect(await change({ id: ids.at(-1), amount: 10 }, added)).toMatchObject(
    refused({ param: 'installments', message }),
  );
  const many = Array.from({ length: 101 }, (_, index) => ({ date: inDays(5000 + index), amount: 1 }));
  expect(await patch({ installments: many })).toMatchObject(refused({ param: 'installments' }));
});

test('only a plan that is running is changed', async () => {
  expect(await change()).toMatchObject({ status: 404 });
  await plan(45, 45);
  await client.delete(path());
  expect(await change()).toMatchObject(refused({ message: expect.stringContaining('is canceled') }));
  await plan(45, 45);
  await client.patch(`/invoices/${invoice}`, { closed: true });
  expect(await change()).toMatchObject(refused({ message: expect.stringContaining('closed') }));
  invoice = await owe();
  await plan(45, 45);
  await pay(90);
  expect(await change()).toMatchObject(refused({ message: expect.stringContaining('is finished') }));
  invoice = await owe({ draft: true });
  expect(await change()).toMatchObject({ status: 404 });
});

test('a dry run of PATCH shows the difference and stores nothing', async () => {
  const [, second] = await plan(45, 45);
  const shown = await read();
  const installments = [{ id: second, date: inDays(50) }];
  const dry = await patch({ installments }, '?dry_run=true');
  expect(dry).toMatchObject({
    status: 200,
    body: {
      kept: [{ date: inDays(0), amount: 45 }],
      removed: [{ date: inDays(30), amount: 45 }],
      added: [{ date: inDays(50), amount: 45 }],
    },
  });
  expect(await read()).toEqual(shown);
});

test('PATCH asks for approval of a plan that waits, or gives it up, and every change asks again', async () => {
  const [first] = (await put(parts(45, 45), { require_approval: true })).body.installments;
  const { approval_url } = await read();
  expect((await change({ id: first.id, date: inDays(1) })).body).toMatchObject({
    status: 'pending_signup',
    approval_url,
  });
  expect((await patch({ require_approval: false })).body).toMatchObject({ status: 'active', approval_url: null });
  expect(await patch({ require_approval: true })).toMatchObject(refused({ param: 'require_approval' }));
});
