import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
/** A customer with a card, which is the default source, and a bank account. */
let path: string;
let customer: number;
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was answered
let card: any, bank: any;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await api.sandbox.make('/customers', { name: 'Two sources' })).id;
  path = `/customers/${customer}`;
  card = await store('credit_card', 'tok_4000056655665556');
  bank = await store('ach', 'tok_110000000_123456789');
});

const store = async (method: string, gateway_token: string) =>
  (await api.sandbox.post(`${path}/payment_sources`, { method, gateway_token })).body;
const sources = async () => (await api.sandbox.get(`${path}/payment_sources`)).body;
const chosen = async () => (await api.sandbox.get(path)).body.payment_source;
const deletedAtGateway = async (id: number) =>
  (
    await api.em
      .fork()
      .execute(
        `select g.deleted from test_gateway.source g join payment_source s on s.gateway_id = g.reference where s.id = ?`,
        [id],
      )
  )[0]?.deleted;

test('a card shows its brand, last four digits, expiry and funding; a bank account its bank, routing number and state', async () => {
  expect(card).toMatchObject({ object: 'card', brand: 'Visa', last4: '5556', funding: 'debit' });
  expect(card.exp_month).toBeGreaterThanOrEqual(1);
  expect(card.exp_month).toBeLessThanOrEqual(12);
  expect(card.exp_year).toBeGreaterThan(2026);
  expect(bank).toMatchObject({ object: 'bank_account', last4: '6789', routing_number: '110000000', currency: 'usd' });
  expect(bank.bank_name).toEqual(expect.any(String));
  expect(bank.verified).toEqual(expect.any(Boolean));
  for (const source of [card, bank]) expect(source.updated_at).toEqual(expect.any(Number));
});

test('the first source is the default, until another is chosen', async () => {
  const same = ({ updated_at: _, ...source }: typeof card) => source;
  expect(await chosen()).toMatchObject(same(card));
  const choose = (one: string) => api.sandbox.patch(`${path}/${one}`, { make_default: true });
  expect(await choose(`bank_accounts/${bank.id}`)).toMatchObject({ status: 200, body: same(bank) });
  expect(await chosen()).toMatchObject(same(bank));
  expect(await choose(`cards/${card.id}`)).toMatchObject({ status: 200, body: same(card) });
  expect(await chosen()).toMatchObject(same(card));
  expect((await choose(`cards/${bank.id}`)).status).toBe(404);
  expect((await choose(`bank_accounts/${card.id}`)).status).toBe(404);
});

test('a source sent back as it was answered, or an empty change, leaves it and the default unchanged', async () => {
  const [chosenPath, otherPath] = [`${path}/cards/${card.id}`, `${path}/bank_accounts/${bank.id}`];
  const [chosenBefore, otherBefore] = [
    await chosen(),
    (await sources()).find(({ id }: { id: number }) => id === bank.id),
  ];
  const events = async () => (await api.sandbox.get('/events')).headers.get('X-Total-Count');
  const before = await events();
  for (const sent of [{}, chosenBefore]) {
    expect(await api.sandbox.patch(chosenPath, sent)).toMatchObject({ status: 200, body: chosenBefore });
  }
  for (const sent of [{}, otherBefore, { make_default: false }]) {
    expect(await api.sandbox.patch(otherPath, sent)).toMatchObject({ status: 200, body: otherBefore });
  }
  for (const make_default of [false, null]) {
    const answer = await api.sandbox.patch(chosenPath, { make_default });
    expect(answer).toMatchObject(refused({ param: 'make_default' }));
  }
  expect(await events()).toBe(before);
});

test.each(['cards', 'bank_accounts'])(
  '%s: what is deleted is gone, at the gateway too, and cannot be charged',
  async (kind) => {
    const [own, other] = kind === 'cards' ? [card, bank] : [bank, card];
    const type = kind === 'cards' ? 'card' : 'bank_account';
    expect(await deletedAtGateway(own.id)).toBe(false);
    expect(await api.sandbox.delete(`${path}/${kind}/${own.id}`)).toMatchObject({ status: 204, body: null });
    expect(await sources()).toEqual([other]);
    expect(await deletedAtGateway(own.id)).toBe(true);
    expect((await api.sandbox.delete(`${path}/${kind}/${own.id}`)).status).toBe(404);
    const charge = { customer, method: kind === 'cards' ? 'credit_card' : 'ach', amount: 1, applied_to: [] };
    const refusal = await api.sandbox.post('/charges', {
      ...charge,
      payment_source_type: type,
      payment_source_id: own.id,
    });
    expect(refusal).toMatchObject(refused({ param: 'payment_source_id' }));
    expect(await chosen()).toEqual(kind === 'cards' ? null : card);
  },
);

test('a receipt goes to the recipients of the charge, otherwise to the customer', async () => {
  await api.sandbox.patch(path, { email: 'usual@example.com' });
  const charge = { customer, method: 'credit_card', gateway_token: 'tok_4242424242424242', amount: 4, applied_to: [] };
  const invoice = (await api.sandbox.make('/invoices', { customer, items: [{ unit_cost: 8 }] })).id;
  const half = { ...charge, applied_to: [{ type: 'invoice', invoice, amount: 4 }] };
  await api.sandbox.post('/charges', { ...half, receipt_email: 'this.one@example.com' });
  await api.sandbox.post('/charges', half);
  const mails = await api.em
    .fork()
    .execute('select template, to_address from email where customer_id = ? order by id', [customer]);
  expect(mails).toEqual([
    { template: 'payment_receipt_email', to_address: 'this.one@example.com' },
    { template: 'payment_receipt_email', to_address: 'usual@example.com' },
  ]);
});

test('an attempt charges the amount that is owed when it starts', async () => {
  const items = [{ name: 'x', unit_cost: 20 }];
  const { id } = await api.sandbox.make('/invoices', { customer, autopay: true, items });
  await api.sandbox.post('/payments', {
    customer,
    amount: 8,
    applied_to: [{ type: 'invoice', invoice: id, amount: 8 }],
  });
  expect((await api.sandbox.post(`/invoices/${id}/pay`)).body).toMatchObject({ balance: 0, paid: true });
  const { body: charges } = await api.sandbox.get(`/charges?filter[customer]=${customer}`);
  expect(charges).toMatchObject([{ amount: 12, status: 'succeeded' }]); // 20 - 8
});

const DAY = 86_400;

test('the first automatic charge is autopay_delay_days of the customer or account after the invoice date; without AutoPay there is none', async () => {
  const { sandbox } = await api.open('Delays');
  await sandbox.patch('/account', { autopay_delay_days: 2 });
  const date = 1_893_456_000; // 1 January 2030
  const first = async (delay: number | null, more: object = {}) => {
    const who = { name: 'a', autopay: true, autopay_delay_days: delay, payment_terms: 'NET 7' };
    const { id } = await sandbox.make('/customers', who);
    return await sandbox.make('/invoices', { customer: id, date, items: [{ unit_cost: 1 }], ...more });
  };
  expect(await first(-1)).toMatchObject({ autopay: true, next_payment_attempt: date + 2 * DAY, due_date: null });
  expect(await first(null)).toMatchObject({ next_payment_attempt: date + 2 * DAY });
  expect(await first(5)).toMatchObject({ next_payment_attempt: date + 5 * DAY });
  const byHand = { autopay: false, next_payment_attempt: null, due_date: date + 7 * DAY };
  expect(await first(5, { autopay: false })).toMatchObject(byHand);
  const atOnce = { autopay: false, payment_terms: 'Due on receipt' };
  expect(await first(5, atOnce)).toMatchObject({ ...atOnce, due_date: date });
});
