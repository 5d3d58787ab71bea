import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';
import { byNote, type Credits, cash, noteToBalance, spend, startCredits } from '../../support/credits.ts';

/** Credit notes, with or without an invoice: applying, voiding, deleting, and their ledger entries. */

let on: Credits;
beforeAll(async () => {
  on = await startCredits();
  await on.api.sandbox.post('/items', { id: 'work', name: 'Work', unit_cost: 10, gl_account: '4000' });
  await on.api.sandbox.post('/tax_rates', { id: 'vat', name: 'VAT', value: 20, is_percent: true });
});
afterAll(() => on.api.close());
beforeEach(() => on.begin());

test('a credit note of an open invoice pays it first, and the rest goes to the credit balance', async () => {
  const invoice = await on.invoice(100);
  await on.pay(70, [cash(invoice, 70)]);
  let id = 0;
  const entries = await on.entriesOf(async () => {
    // 2 x 10.00 + 25.00 = 45.00, with 20 % tax 54.00; the invoice owes 100 - 70 = 30, so 24.00 are left
    const items = [
      { catalog_item: 'work', quantity: 2 },
      { name: 'Goodwill', unit_cost: 25 },
    ];
    const { status, body } = await on.note(0, { invoice, items, taxes: ['vat'] });
    expect(status).toBe(201);
    expect(missingFields('credit_note', body)).toEqual([]);
    expect(body).toMatchObject({
      object: 'credit_note',
      customer: on.customer,
      invoice,
      name: 'Credit Note',
      number: 'CN-00001',
      subtotal: 45,
      total: 54,
      balance: 0,
      paid: true,
      closed: true,
      draft: false,
      status: 'paid',
      taxes: [{ amount: 9, tax_rate: { id: 'vat' } }],
    });
    id = body.id;
  });
  expect(entries).toEqual([
    'application customer_credits -24', // 54 - 30
    'application customer_credits:notes 54',
    'application receivable -30',
    'issue customer_credits:notes -54',
    'issue revenue 25',
    'issue revenue:4000 20',
    'issue tax_payable:vat 9',
  ]);
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 0, paid: true, status: 'paid' });
  expect(await on.balances()).toEqual([24]);
  const [payment] = (await on.api.sandbox.get(`/payments?include=applied_to&sort=id desc&per_page=1`)).body;
  expect(payment).toMatchObject({ amount: 54, balance: 0, charge: null });
  expect(payment.applied_to).toMatchObject([
    { type: 'credit_note', credit_note: id, invoice, document_type: 'invoice', amount: 30 },
    { type: 'credit', credit_note: id, invoice: null, document_type: null, amount: 24 },
  ]);
  await on.expectCleanBooks();

  const refusal = await on.api.sandbox.post(`/credit_notes/${id}/void`);
  const message = `Credit note is applied by payment ${payment.id} and cannot be voided: void that payment first`;
  expect(refusal).toMatchObject(refused({ message }));
  expect((await on.api.sandbox.delete(`/credit_notes/${id}`)).status).toBe(400);
  const undone = await on.entriesOf(() => on.api.sandbox.delete(`/payments/${payment.id}`));
  expect(undone).toEqual([
    'unapply customer_credits 24',
    'unapply customer_credits:notes -54',
    'unapply receivable 30',
  ]);
  expect(await on.readNote(id)).toMatchObject({ balance: 54, paid: false, closed: false, status: 'open' });
  const voided = await on.entriesOf(() => on.api.sandbox.post(`/credit_notes/${id}/void`));
  expect(voided).toEqual([
    'void customer_credits:notes 54',
    'void revenue -25',
    'void revenue:4000 -20',
    'void tax_payable:vat -9',
  ]);
  expect(await on.readNote(id)).toMatchObject({ balance: 0, paid: false, closed: true, status: 'voided' });
  expect((await on.api.sandbox.post(`/credit_notes/${id}/void`)).body.message).toBe('Credit note is already voided');
  await on.expectCleanBooks();
});

test('a credit note of a paid invoice goes to the credit balance, and cannot be taken back once spent', async () => {
  const invoice = await on.invoice(50);
  await on.pay(50, [cash(invoice, 50)]);
  const { body } = await on.note(40, { invoice });
  expect(body).toMatchObject({ balance: 0, status: 'paid' });
  expect(await on.balances()).toEqual([40]);
  const other = await on.invoice(15);
  await on.pay(15, [spend(other, 15)]);
  const [payment] = await on.rows('select payment_id from payment_application where credit_note_id = ?', [body.id]);
  // 40 - 15 = 25
  expect(await on.api.sandbox.delete(`/payments/${payment?.payment_id}`)).toMatchObject(
    refused({ message: expect.stringContaining('40.00 usd of credit cannot be taken back: only 25.00 is left') }),
  );
  await on.expectCleanBooks();
});

test('a credit note without an invoice stays open until it is applied, in parts, to invoices and the credit balance', async () => {
  const { body: note } = await on.note(100);
  expect(note).toMatchObject({ invoice: null, balance: 100, status: 'open', paid: false, closed: false });
  const [first, second] = [await on.invoice(60), await on.invoice(60)];
  const applied = await on.entriesOf(async () => {
    // 60 from the note and 20 in money
    const { body } = await on.pay(80, [byNote(note.id, first, 60), cash(second, 20)]);
    expect(body).toMatchObject({ amount: 80, balance: 0, credit: 60 });
  });
  expect(applied).toEqual([
    'application customer_credits:notes 60',
    'application receivable -80',
    'application unapplied 20',
    'receipt cash 20',
    'receipt unapplied -20',
  ]);
  expect(await on.readNote(note.id)).toMatchObject({ balance: 40, status: 'open' }); // 100 - 60
  expect((await on.pay(15, [noteToBalance(note.id, 15)])).status).toBe(201);
  expect(await on.balances()).toEqual([15]);
  const last = await on.pay(25, [byNote(note.id, second, 25)]);
  expect(last.status).toBe(201);
  expect(await on.readNote(note.id)).toMatchObject({ balance: 0, paid: true, closed: true, status: 'paid' });
  expect(await on.readInvoice(second)).toMatchObject({ balance: 15 }); // 60 - 20 - 25
  const path = `/payments/${last.body.id}`;
  expect((await on.api.sandbox.patch(path, { amount: 5, applied_to: [byNote(note.id, second, 5)] })).status).toBe(200);
  expect(await on.readNote(note.id)).toMatchObject({ balance: 20, paid: false, status: 'open' }); // 25 - 5
  await on.expectCleanBooks();
});

test('credit pays a new invoice in the order of its arrival', async () => {
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: true });
  await on.adjust(50);
  const { body: younger } = await on.note(30);
  const { body: older } = await on.note(20, { date: younger.date - 86_400 });
  const euro = await on.note(20, { currency: 'eur' });
  const invoice = await on.invoice(60); // 20 of the older note, then 40 of the adjustment, which came before the other note
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 0, paid: true });
  const [payment] = (await on.api.sandbox.get(`/payments?include=applied_to&sort=id desc&per_page=1`)).body;
  expect(payment).toMatchObject({
    amount: 60,
    applied_to: [
      { type: 'credit_note', credit_note: older.id, amount: 20 },
      { type: 'applied_credit', credit_note: null, amount: 40 },
    ],
  });
  expect(await on.balances()).toEqual([50, 10]); // 50 - 40
  expect(await on.readNote(euro.body.id)).toMatchObject({ balance: 20, status: 'open' });
  expect(await on.readInvoice(await on.invoice(20))).toMatchObject({ paid: true });
  expect(await on.readNote(younger.id)).toMatchObject({ balance: 20, status: 'open' }); // 30 - (20 - 10)
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: false });
  await on.expectCleanBooks();
});

test('available credit is the spendable credit balance and the open credit notes', async () => {
  const available = async () => (await on.api.sandbox.get(`/customers/${on.customer}/balance`)).body.available_credits;
  expect(await available()).toBe(0);
  await on.adjust(50);
  await on.adjust(7, { date: Math.floor(Date.now() / 1000) + 86_400 }); // tomorrow
  expect(await available()).toBe(50);
  const { body: note } = await on.note(30);
  await on.note(3, { draft: true });
  await on.note(4, { closed: true });
  await on.note(5, { currency: 'eur' });
  expect(await available()).toBe(80); // 50 + 30
  const invoice = await on.invoice(100);
  await on.pay(30, [byNote(note.id, invoice, 10), spend(invoice, 20)]);
  expect(await available()).toBe(50); // 80 - 10 - 20
  const { history } = (await on.api.sandbox.get(`/customers/${on.customer}/balance`)).body;
  expect(history.map(({ balance }: { balance: number }) => balance)).toEqual([37, 30, 50]); // the latest first
  await on.expectCleanBooks();
});

test('a charge pays with a credit note beside its money, without the part that the note no longer has', async () => {
  const { body: note } = await on.note(40);
  const invoice = await on.invoice(100);
  const card = { customer: on.customer, method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const charge = (amount: number, applied_to: object[]) =>
    on.api.sandbox.post('/charges', { ...card, amount, applied_to });
  expect(await charge(100, [cash(invoice, 50), byNote(note.id, invoice, 50)])).toMatchObject(
    refused({ param: 'applied_to[1][amount]', message: expect.stringContaining('balance of 40.00, less than 50.00') }),
  );
  expect(await charge(50, [noteToBalance(note.id, 40)])).toMatchObject(
    refused({ param: 'applied_to[0][credit_note]' }),
  );
  const { body } = await charge(100, [cash(invoice, 60), byNote(note.id, invoice, 40)]);
  expect(body).toMatchObject({ amount: 100, balance: 0, charge: { amount: 60 } });
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 0, paid: true });
  expect(await on.readNote(note.id)).toMatchObject({ balance: 0, status: 'paid' });
  await on.expectCleanBooks();
});

test('a closed credit note is forfeited and cannot be applied; a returned application opens it again', async () => {
  const invoice = await on.invoice(100);
  const closed = await on.entriesOf(async () => {
    const { body } = await on.note(25, { closed: true });
    expect(body).toMatchObject({ status: 'closed', closed: true, paid: false, balance: 25 });
    expect(await on.pay(5, [byNote(body.id, invoice, 5)])).toMatchObject(
      refused({ param: 'applied_to[0][credit_note]', message: `Credit note ${body.number} is closed` }),
    );
  });
  expect(closed).toEqual([
    'issue customer_credits:notes -25',
    'issue revenue 25',
    'write_off customer_credits:notes 25',
    'write_off forfeited_credits -25',
  ]);
  await on.expectCleanBooks();
});

test('a draft credits nothing, has no number, and is removed when deleted', async () => {
  const invoice = await on.invoice(30);
  const entries = await on.entriesOf(async () => {
    const { body } = await on.note(25, { draft: true, invoice });
    expect(body).toMatchObject({ draft: true, status: 'draft', number: null, total: 25, balance: 25, paid: false });
    expect(await on.pay(5, [byNote(body.id, invoice, 5)])).toMatchObject(
      refused({ param: 'applied_to[0][credit_note]' }),
    );
    expect((await on.api.sandbox.delete(`/credit_notes/${body.id}`)).status).toBe(204);
    expect((await on.api.sandbox.get(`/credit_notes/${body.id}`)).status).toBe(404);
  });
  expect(entries).toEqual([]);
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 30 });
  await on.expectCleanBooks();
});

test('an issued credit note keeps its number when deleted, and its series continues without a gap', async () => {
  const first = (await on.note(1)).body;
  expect((await on.api.sandbox.delete(`/credit_notes/${first.id}`)).status).toBe(204);
  expect((await on.api.sandbox.get(`/credit_notes/${first.id}`)).status).toBe(404);
  const listed = (await on.api.sandbox.get(`/credit_notes?filter[customer]=${on.customer}`)).body;
  expect(listed).toEqual([]);
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, n) => (n % 3 === 1 ? on.note(-1) : on.note(1, n % 3 === 2 ? { draft: true } : {}))),
  );
  const numbers = answers.flatMap(({ body }) => body.number ?? []).sort();
  const after = (n: number) => `CN-${String(Number(first.number.slice(3)) + n).padStart(5, '0')}`;
  expect(numbers).toEqual([after(1), after(2), after(3)]);
  expect((await on.note(1, { number: first.number })).body).toMatchObject({ param: 'number' });
  await on.expectCleanBooks();
});

test('each change has an event with the previous values', async () => {
  const { body: note } = await on.note(25);
  const invoice = await on.invoice(25);
  const { body: payment } = await on.pay(10, [byNote(note.id, invoice, 10)]);
  await on.api.sandbox.delete(`/payments/${payment.id}`);
  await on.api.sandbox.post(`/credit_notes/${note.id}/void`);
  await on.api.sandbox.delete(`/credit_notes/${note.id}`);
  const events = (await on.api.sandbox.get(`/events?related_to=credit_note,${note.id}`)).body.toReversed();
  const told = events.map(({ type, data }: { type: string; data: { previous?: object } }) => [type, data.previous]);
  expect(told).toEqual([
    ['credit_note.created', undefined],
    ['credit_note.updated', { balance: 25 }],
    ['credit_note.updated', { balance: 15 }],
    ['credit_note.updated', { balance: 25, closed: false, status: 'open' }],
    ['credit_note.deleted', {}],
  ]);
  expect(events[0].data.object).toMatchObject({ number: note.number, customer: { name: 'Payer' } });
});

test('taxes are those of customer and items, and none where the customer has none', async () => {
  const { sandbox } = on.api;
  await sandbox.patch(`/customers/${on.customer}`, { taxes: ['vat'] });
  expect((await on.note(100)).body).toMatchObject({ subtotal: 100, total: 120, taxes: [{ amount: 20 }] });
  expect((await on.note(100, { calculate_taxes: false })).body).toMatchObject({ total: 100, taxes: [] });
  expect((await on.note(100, { discounts: [{ amount: 10 }] })).body).toMatchObject({ total: 108 }); // 90 + 18
  await sandbox.patch(`/customers/${on.customer}`, { taxable: false });
  expect((await on.note(100)).body).toMatchObject({ total: 100, taxes: [] });
  await on.expectCleanBooks();
});

test("a credit note of an invoice is taxed at the invoice's address", async () => {
  const { sandbox } = on.api;
  await sandbox.post('/tax_rules', { tax_rate: 'vat', country: 'FR' });
  // 100.00 and 20 % by the shipping address; no tax rule applies to the customer's own country
  const invoice = await on.invoice(100, { ship_to: { country: 'FR' } });
  expect(await on.readInvoice(invoice)).toMatchObject({ total: 120 });
  expect((await on.note(10, { invoice })).body).toMatchObject({ subtotal: 10, total: 12 });
  const { body: draft } = await on.note(10, { invoice, draft: true, calculate_taxes: false });
  expect(draft.total).toBe(10);
  expect((await sandbox.patch(`/credit_notes/${draft.id}`, { calculate_taxes: true })).body.total).toBe(12);
  expect((await on.note(10)).body).toMatchObject({ total: 10 });
  await on.expectCleanBooks();
});

test('a credit note of zero is paid at once', async () => {
  expect((await on.note(0)).body).toMatchObject({ total: 0, balance: 0, paid: true, status: 'paid' });
  await on.expectCleanBooks();
});
