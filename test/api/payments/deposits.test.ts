import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { type Credits, cash, credit, startCredits } from '../../support/credits.ts';

/** Deposits of estimates: paying them, using them for the invoice, undoing them, and their ledger entries. */

let on: Credits;
beforeAll(async () => {
  on = await startCredits();
});
afterAll(() => on.api.close());
beforeEach(async () => {
  await on.begin();
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: false });
});

const make = (amount: number, deposit: number, more: object = {}) =>
  on.api.sandbox.make('/estimates', {
    customer: on.customer,
    deposit,
    items: [{ name: 'x', unit_cost: amount }],
    ...more,
  });
const read = async (id: number) => (await on.api.sandbox.get(`/estimates/${id}`)).body;
const toInvoice = (id: number) => on.api.sandbox.post(`/estimates/${id}/invoice`);
const aside = (estimate: number, amount: number) => ({ type: 'estimate', estimate, amount });
const shown = async (payment: number) =>
  (await on.api.sandbox.get(`/payments/${payment}?include=applied_to`)).body.applied_to;
const balance = async () => (await on.api.sandbox.get(`/customers/${on.customer}/balance`)).body;

test("a deposit pays only the estimate's own invoice", async () => {
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: true });
  const { id } = await make(100, 40);
  let payment = { id: 0 };
  const entries = await on.entriesOf(async () => {
    const { status, body } = await on.pay(45, [aside(id, 40)]);
    expect([status, body.balance]).toEqual([201, 5]);
    payment = body;
  });
  expect(entries).toEqual([
    'application customer_credits:deposits -40',
    'application unapplied 40',
    'receipt cash 45',
    'receipt unapplied -45',
  ]);
  expect(await read(id)).toMatchObject({ deposit: 40, deposit_paid: true, status: 'not_sent' });
  expect(await shown(payment.id)).toMatchObject([
    { type: 'estimate', estimate: id, invoice: null, credit_note: null, document_type: null, amount: 40 },
  ]);
  expect(await balance()).toMatchObject({ available_credits: 0 }); // it is reserved
  expect(await on.readInvoice(await on.invoice(30))).toMatchObject({ balance: 30, paid: false });
  await on.expectCleanBooks();

  let invoice = { id: 0 };
  const issued = await on.entriesOf(async () => {
    invoice = (await toInvoice(id)).body;
  });
  expect(invoice).toMatchObject({ total: 100, balance: 60 }); // 100 - 40
  expect(issued).toEqual([
    'application customer_credits:deposits 40',
    'application receivable -40',
    'issue receivable 100',
    'issue revenue -100',
  ]);
  const [paid] = (await on.api.sandbox.get('/payments?sort=id desc&per_page=1')).body;
  expect(paid).toMatchObject({ amount: 40, balance: 0, charge: null });
  const applied = { type: 'applied_credit', estimate: id, invoice: invoice.id, document_type: 'invoice', amount: 40 };
  expect(await shown(paid.id)).toMatchObject([applied]);
  await on.expectCleanBooks();

  // A deposit that has paid an invoice must be removed from the invoice before it can be undone.
  const refusal = await on.api.sandbox.delete(`/payments/${payment.id}`);
  expect(refusal.body.message).toMatch(/^The deposit of estimate EST-\d+ has paid invoice \d+: remove it there first$/);
  expect((await on.api.sandbox.delete(`/payments/${paid.id}`)).body).toMatchObject({ voided: true });
  expect(await on.readInvoice(invoice.id)).toMatchObject({ balance: 100 });
  expect((await on.pay(30, [{ ...applied, amount: 30 }])).status).toBe(201);
  expect(await on.readInvoice(invoice.id)).toMatchObject({ balance: 70 }); // 100 - 30
  expect(await on.pay(15, [{ ...applied, amount: 15 }])).toMatchObject(
    refused({ param: 'applied_to[0][amount]', message: expect.stringContaining('has 10.00 of its deposit left') }),
  );
  await on.expectCleanBooks();
});

test('the deposit pays before other credit, and the rest of the invoice is owed', async () => {
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: true });
  const { id } = await make(100, 40);
  await on.pay(100, [aside(id, 100)]);
  await on.adjust(50);
  const { body } = await toInvoice(id);
  expect(body).toMatchObject({ balance: 0, paid: true, status: 'paid' });
  expect(await on.balances()).toEqual([50]);
  await on.expectCleanBooks();
});

test('a deposit can arrive in parts; it is paid once complete, and unpaid when a part is taken back', async () => {
  const { id } = await make(100, 40);
  const { body: first } = await on.pay(15, [aside(id, 15)]);
  expect(await read(id)).toMatchObject({ deposit_paid: false });
  await on.pay(25, [aside(id, 25)]);
  expect(await read(id)).toMatchObject({ deposit_paid: true });
  await on.api.sandbox.patch(`/payments/${first.id}`, { applied_to: [aside(id, 10)] });
  expect(await read(id)).toMatchObject({ deposit_paid: false }); // 10 + 25
  await on.api.sandbox.patch(`/payments/${first.id}`, { amount: 15, date: 1_700_000_000 });
  await on.api.sandbox.delete(`/payments/${first.id}`);
  const events = (await on.api.sandbox.get(`/events?related_to=estimate,${id}`)).body.toReversed();
  expect(events.map(({ data }: { data: { previous?: object } }) => data.previous)).toEqual([
    undefined,
    { deposit_paid: false },
    { deposit_paid: true },
  ]);
  await on.expectCleanBooks();
});

test('the credit balance and a credit note can pay a deposit', async () => {
  const { id } = await make(100, 40);
  await on.adjust(20);
  const { body: note } = await on.note(30);
  const entries = await on.entriesOf(async () => {
    const { body, status } = await on.pay(40, [
      { type: 'applied_credit', document_type: 'estimate', estimate: id, amount: 15 },
      { type: 'credit_note', credit_note: note.id, estimate: id, amount: 25 },
    ]);
    expect([status, body.balance]).toEqual([201, 0]);
    expect(await shown(body.id)).toMatchObject([
      { type: 'applied_credit', estimate: id, invoice: null, document_type: 'estimate' },
      { type: 'credit_note', estimate: id, invoice: null, credit_note: note.id, document_type: 'estimate' },
    ]);
  });
  expect(entries).toEqual([
    'application customer_credits 15',
    'application customer_credits:deposits -40', // 15 + 25
    'application customer_credits:notes 25',
  ]);
  expect(await on.balances()).toEqual([20, 5]);
  expect(await on.readNote(note.id)).toMatchObject({ balance: 5 });
  expect(await read(id)).toMatchObject({ deposit_paid: true });
  await on.expectCleanBooks();
});

test('a card pays a deposit; money that the estimate no longer takes stays unapplied', async () => {
  const { id } = await make(100, 40);
  const card = { customer: on.customer, method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const charge = (amount: number, applied_to: object[]) =>
    on.api.sandbox.post('/charges', { ...card, amount, applied_to });
  const { status, body } = await charge(40, [aside(id, 40)]);
  expect([status, body.balance]).toEqual([201, 0]);
  expect(await shown(body.id)).toMatchObject([{ type: 'estimate', estimate: id, amount: 40 }]);
  expect(await read(id)).toMatchObject({ deposit_paid: true });
  expect(await charge(70, [aside(id, 70)])).toMatchObject(refused({ param: 'applied_to[0][amount]' }));
  const byCredit = { type: 'applied_credit', document_type: 'estimate', estimate: id, amount: 1 };
  expect(await charge(2, [byCredit])).toMatchObject(refused({ param: 'applied_to[0][estimate]' }));
  await on.expectCleanBooks();
});

test('an estimate with a deposit cannot be voided, deleted or repriced, and does not expire, until the deposit is taken off', async () => {
  const { id } = await make(100, 40, { expiration_date: Math.floor(Date.now() / 1000) + 90_000 });
  const waits = () => on.rows(`select 1 from wakeup where process = 'estimate' and subject_id = ?`, [id]);
  expect(await waits()).toHaveLength(1);
  const { body: payment } = await on.pay(10, [aside(id, 10)]);
  expect(await waits()).toHaveLength(0);
  for (const refusal of [
    await on.api.sandbox.post(`/estimates/${id}/void`),
    await on.api.sandbox.delete(`/estimates/${id}`),
  ])
    expect(refusal).toMatchObject(refused({ message: expect.stringContaining('has 10.00 usd of its deposit paid') }));
  expect(await on.api.sandbox.patch(`/estimates/${id}`, { items: [] })).toMatchObject(
    refused({ param: 'items', message: expect.stringContaining('has a deposit paid') }),
  );
  await on.api.sandbox.delete(`/payments/${payment.id}`);
  expect(await waits()).toHaveLength(1);
  expect((await on.api.sandbox.post(`/estimates/${id}/void`)).status).toBe(200);
  await on.expectCleanBooks();
});

test('voiding or deleting the invoice restores the estimate with its deposit, and it can be invoiced again', async () => {
  const { id } = await make(100, 40);
  await on.pay(40, [aside(id, 40)]);
  for (const revoke of [
    (invoice: number) => on.api.sandbox.post(`/invoices/${invoice}/void`),
    (invoice: number) => on.api.sandbox.delete(`/invoices/${invoice}`),
  ]) {
    const { body: invoice } = await toInvoice(id);
    const [paid] = (await on.api.sandbox.get('/payments?sort=id desc&per_page=1')).body;
    await on.api.sandbox.delete(`/payments/${paid.id}`);
    expect((await revoke(invoice.id)).status).toBeLessThan(300);
    expect(await read(id)).toMatchObject({ status: 'not_sent', invoice: null, closed: false, deposit_paid: true });
    await on.expectCleanBooks();
  }
  expect((await toInvoice(id)).body).toMatchObject({ balance: 60 });
  await on.expectCleanBooks();
});

test.each<[what: string, of: object, application: object, param: string, message: string]>([
  ['a draft estimate', { draft: true }, {}, 'estimate', 'is a draft'],
  ['a declined estimate', { closed: true }, {}, 'estimate', 'is declined'],
  ['an estimate in another currency', { currency: 'eur' }, {}, 'estimate', 'is in eur, not usd'],
  ["more than the estimate's total", {}, { amount: 100.01 }, 'amount', 'takes a deposit of 100.00 more at most'],
  ['an unknown estimate', {}, { estimate: 999_999 }, 'estimate', 'not found'],
  ['no estimate', {}, { estimate: null }, 'estimate', 'missing'],
  ['an estimate and an invoice', {}, { invoice: 1 }, 'invoice', 'does not belong'],
  ['using a deposit for another invoice', {}, { type: 'applied_credit', invoice: 1 }, 'estimate', 'its own invoice'],
  ['an estimate with the type of a credit', {}, { type: 'credit', estimate: 1 }, 'estimate', 'does not belong'],
])('a payment of a deposit is refused: %s', async (_what, of, application, param, message) => {
  const other = await on.invoice(1000);
  const { id } = await make(100, 10, of);
  const sent = { ...aside(id, 10), ...application, ...('invoice' in application ? { invoice: other } : {}) };
  expect(await on.pay(200, [sent])).toMatchObject(
    refused({ param: `applied_to[0][${param}]`, message: expect.stringContaining(message) }),
  );
});

test('an estimate that is invoiced, or of another customer, takes no deposit', async () => {
  const { id } = await make(100, 10);
  await toInvoice(id);
  const refusal = (message: string) =>
    refused({ param: 'applied_to[0][estimate]', message: expect.stringContaining(message) });
  expect(await on.pay(10, [aside(id, 10)])).toMatchObject(refusal('is invoiced: pay its invoice'));
  await on.begin();
  expect(await on.pay(10, [aside(id, 10)])).toMatchObject(refusal('was not found'));
});

test('a payment applies money and credit to several objects, each once', async () => {
  const { id } = await make(100, 40);
  const invoice = await on.invoice(50);
  const { body } = await on.pay(100, [cash(invoice, 50), aside(id, 30), credit(20)]);
  expect(body.balance).toBe(0);
  expect(await on.pay(20, [aside(id, 10), aside(id, 10)])).toMatchObject(
    refused({ param: 'applied_to', message: 'estimate is named twice' }),
  );
  const answers = await Promise.all([1, 2, 3].map(() => on.pay(70, [aside(id, 70)])));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  await on.expectCleanBooks();
});
