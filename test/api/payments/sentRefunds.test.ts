import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { basic, refused } from '../../support/api.ts';
import { type Credits, cash, credit, spend, startCredits } from '../../support/credits.ts';
import { readPdf } from '../../support/readPdf.ts';

/** Refunds that no gateway sends: of payments. */

let books: Credits;
const now = new Date('2027-03-10T10:00:00Z');
const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000;
beforeAll(async () => {
  books = await startCredits(() => now);
});
afterAll(() => books.api.close());
beforeEach(() => books.begin());

const refund = (payment: number, amount: number, more: object = {}, headers: Record<string, string> = {}) =>
  books.api.sandbox.post('/refunds', { payment, amount, method: 'wire_transfer', ...more }, headers);
const transfer = async (amount: number, applied_to: object[] = []) =>
  (await books.pay(amount, applied_to, { method: 'wire_transfer', reference: 'IN-1', date: day('2027-03-02') })).body
    .id;
const read = async (payment: number) => (await books.api.sandbox.get(`/payments/${payment}`)).body;
const statement = async () => (await books.api.sandbox.get(`/customers/${books.customer}/statement`)).body;

test('a refund of a transfer takes unapplied money, then unspent credit, then is an expense, with method, date and reference', async () => {
  const invoice = await books.invoice(40);
  const payment = await transfer(100, [cash(invoice, 40), credit(25)]);
  const asked = { payment, amount: 45, method: 'check', date: day('2027-03-05'), reference: 'CHK-7' };
  const entries = await books.entriesOf(async () => {
    const made = await books.api.sandbox.post('/refunds', asked);
    expect(made).toMatchObject({
      status: 201,
      body: { object: 'refund', ...asked, customer: books.customer, status: 'succeeded', gateway: null, charge: null },
    });
  });
  expect(entries.filter((entry) => entry.startsWith('refund'))).toEqual(['refund cash -45', 'refund unapplied 45']); // 35 + 10 of 25
  expect(await books.balances()).toEqual([15]);
  const other = await books.invoice(12);
  await books.pay(12, [spend(other, 12)]);
  const last = await books.entriesOf(() => refund(payment, 55)); // 3 of the credit, 52 of what paid invoices
  expect(last.filter((entry) => entry.startsWith('refund'))).toEqual([
    'refund cash -55',
    'refund refunds 52',
    'refund unapplied 3',
  ]);
  expect(await read(payment)).toMatchObject({ balance: 0, amount_refunded: 100, refunds: [asked, { amount: 55 }] });
  expect(await books.readInvoice(invoice)).toMatchObject({ status: 'paid' });
  const listed = await books.api.sandbox.get(`/refunds?filter[payment]=${payment}`);
  expect(listed.body).toHaveLength(2);
  expect(listed.body).toContainEqual(expect.objectContaining({ ...asked, customer: books.customer }));
  await books.expectCleanBooks();
});

test('the account statement shows it with date, method and reference, and the timeline says it', async () => {
  const payment = await transfer(100);
  await refund(payment, 30, { date: day('2027-03-05'), reference: 'OUT-9' });
  const { lines, closing_balance } = await statement();
  expect(lines).toMatchObject([
    { type: 'payment', amount: -100 },
    { type: 'refund', amount: 30, date: day('2027-03-05'), payment, refund: expect.any(Number) },
  ]);
  expect(closing_balance).toBe(-70);
  const { body: timeline } = await books.api.sandbox.get(`/customers/${books.customer}/timeline`);
  expect(JSON.stringify(timeline)).toContain('refund of $30.00 by wire transfer (OUT-9) recorded');
});

test('never more is refunded than was received and not yet refunded, also when requests race or are repeated', async () => {
  const payment = await transfer(100);
  const keyed = { 'Idempotency-Key': `once-${payment}` };
  const [first, again] = [await refund(payment, 40, {}, keyed), await refund(payment, 40, {}, keyed)];
  expect(again.body).toEqual(first.body);
  const raced = await Promise.all([0, 1, 2, 3].map(() => refund(payment, 25)));
  expect(raced.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400]); // 60 are left
  const beyond = await refund(payment, 10.01);
  expect(beyond).toMatchObject(
    refused({ param: 'amount', message: expect.stringContaining('10.00 usd left to refund') }),
  );
  expect(await read(payment)).toMatchObject({ balance: 10, amount_refunded: 90 });
  await books.expectCleanBooks();
});

test('a refund beside an application of the same money: each is whole, and together they are the payment at most', async () => {
  const invoice = await books.invoice(80);
  const payment = await transfer(100);
  const apply = () => books.api.sandbox.patch(`/payments/${payment}`, { applied_to: [cash(invoice, 80)] });
  const [refunded, applied] = await Promise.all([refund(payment, 50), apply()]);
  expect(refunded.status).toBe(201);
  const { balance, amount } = await books.readInvoice(invoice);
  if (applied.status === 200)
    expect(await read(payment)).toMatchObject({ balance: 0 }); // applied first: 30 of the 50 are an expense
  else expect({ balance, amount }).toMatchObject({ balance: 80 });
  await books.expectCleanBooks();
});

test('bad input is refused with the field at fault, and nothing changes', async () => {
  const payment = await transfer(100);
  const cases: [object, string][] = [
    [{ amount: 0 }, 'amount'],
    [{ amount: 1.001 }, 'amount'],
    [{ method: 'pigeon' }, 'method'],
    [{ method: null }, 'method'],
    [{ date: day('2027-03-11') }, 'date'],
    [{ date: day('2027-03-01') }, 'date'],
    [{ payment: 999_999 }, 'payment'],
    [{ currency: 'eur' }, 'currency'],
    [{ customer: 999_999 }, 'customer'],
    [{ payment: null }, 'payment'],
    [{ reference: 'x'.repeat(256) }, 'reference'],
  ];
  for (const [wrong, param] of cases) {
    const answer = await books.api.sandbox.post('/refunds', { payment, amount: 5, method: 'check', ...wrong });
    expect({ wrong, ...answer }).toMatchObject(refused({ param }));
  }
  expect(await read(payment)).toMatchObject({ balance: 100, refunds: [] });
});

test('money that nobody claimed is sent back', async () => {
  const { body: unknown } = await books.api.sandbox.post('/payments', { amount: 70 });
  expect(await refund(unknown.id, 70)).toMatchObject({ status: 201, body: { customer: null, payment: unknown.id } });
  expect(await read(unknown.id)).toMatchObject({ balance: 0, matched: false });
  await books.expectCleanBooks();
});

test('a recorded refund that did not leave is undone: the payment has its money and its credit again', async () => {
  const payment = await transfer(100, [credit(25)]);
  const { body: made } = await refund(payment, 90);
  const undone = await books.api.sandbox.delete(`/refunds/${made.id}`);
  expect(undone).toMatchObject({ status: 200, body: { status: 'failed', amount: 90 } });
  expect(await read(payment)).toMatchObject({ balance: 75, amount_refunded: 0 });
  expect(await books.balances()).toEqual([25]);
  expect((await statement()).lines).toMatchObject([{ type: 'payment', amount: -100 }]);
  expect(await books.api.sandbox.delete(`/refunds/${made.id}`)).toMatchObject(refused({}));
  await books.expectCleanBooks();
});

test('a payment is voided once all of it was refunded, and no part of it', async () => {
  const invoice = await books.invoice(40);
  const payment = await transfer(40, [cash(invoice, 40)]);
  await refund(payment, 15);
  const early = await books.api.sandbox.delete(`/payments/${payment}`);
  expect(early).toMatchObject(refused({ message: expect.stringContaining('15.00 usd were refunded') }));
  const changed = await books.api.sandbox.patch(`/payments/${payment}`, { amount: 50 });
  expect(changed).toMatchObject(refused({ param: 'amount' }));
  await refund(payment, 25);
  const entries = await books.entriesOf(() => books.api.sandbox.delete(`/payments/${payment}`));
  expect(entries).toEqual([
    'refund refunds -40',
    'refund unapplied 40',
    'unapply receivable 40',
    'unapply unapplied -40',
  ]);
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 40, paid: false });
  await books.expectCleanBooks();
});

test('money of a charge that goes back by transfer counts against the charge: the gateway can refund the rest', async () => {
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const paid = await books.api.sandbox.make('/charges', {
    customer: books.customer,
    amount: 50,
    applied_to: [],
    ...card,
  });
  const entries = await books.entriesOf(() => refund(paid.id, 20, { reference: 'OUT-1' }));
  expect(entries).toEqual(['refund cash -20', 'refund unapplied 20']);
  const beyond = await books.api.sandbox.post(`/charges/${paid.charge.id}/refunds`, { amount: 31 });
  expect(beyond).toMatchObject(refused({ param: 'amount' }));
  await books.api.sandbox.make(`/charges/${paid.charge.id}/refunds`, { amount: 30 });
  expect(await read(paid.id)).toMatchObject({
    balance: 0,
    amount_refunded: 50,
    charge: { refunded: true, refunds: [{ reference: 'OUT-1', gateway: null }, { gateway: 'test' }] },
  });
  expect(await refund(paid.id, 1)).toMatchObject(refused({ param: 'amount' }));
  const returned = await refund(paid.id, 1, { returned: true });
  expect(returned).toMatchObject(refused({ param: 'returned' }));
  await books.expectCleanBooks();
});

test('a returned transfer opens its invoices again, newest first, and voids nothing', async () => {
  const [older, newer] = [await books.invoice(60), await books.invoice(40)];
  const payment = await transfer(110, [cash(older, 60), cash(newer, 40)]);
  const entries = await books.entriesOf(() => refund(payment, 110, { returned: true, reference: 'RET-1' }));
  expect(entries).toEqual([
    'return cash -110',
    'return unapplied 110',
    'take_back receivable 100',
    'take_back unapplied -100',
  ]);
  expect(await read(payment)).toMatchObject({
    voided: false,
    amount: 110,
    balance: 0,
    amount_refunded: 110,
    refunds: [{ returned: true, reference: 'RET-1' }],
  });
  for (const [id, balance] of [
    [older, 60],
    [newer, 40],
  ] as const)
    expect(await books.readInvoice(id)).toMatchObject({ balance, paid: false, closed: false });
  const { lines, closing_balance } = await statement();
  expect(lines).toContainEqual(expect.objectContaining({ type: 'return', amount: 110, payment }));
  expect(closing_balance).toBe(100);
  await books.expectCleanBooks();
});

test('of a transfer that is returned in part, unapplied money goes first, then the newest application', async () => {
  const [older, newer] = [await books.invoice(60), await books.invoice(40)];
  const payment = await transfer(110, [cash(older, 60), cash(newer, 40)]);
  await refund(payment, 30, { returned: true });
  expect(await books.readInvoice(older)).toMatchObject({ balance: 0, paid: true });
  expect(await books.readInvoice(newer)).toMatchObject({ balance: 20, paid: false }); // 30 - 10 unapplied
  const { body: refunds } = await books.api.sandbox.get(`/refunds?filter[payment]=${payment}`);
  const undone = await books.api.sandbox.delete(`/refunds/${refunds[0].id}`);
  expect(undone.status).toBe(200);
  expect(await read(payment)).toMatchObject({ balance: 30, amount_refunded: 0 });
  await books.expectCleanBooks();
});

test('a returned transfer takes back the credit that it added, also spent credit, and the deposit', async () => {
  const payment = await transfer(100, [credit(50)]);
  const invoice = await books.invoice(30);
  await books.pay(30, [spend(invoice, 30)]);
  await refund(payment, 100, { returned: true });
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 30, paid: false });
  expect((await books.balances()).at(-1) ?? 0).toBe(0);
  expect(await read(payment)).toMatchObject({ balance: 0, voided: false });
  await books.expectCleanBooks();
});

test('a returned transfer opens the invoice of another customer that it paid', async () => {
  const child = (await books.api.sandbox.make('/customers', { name: 'Child', parent_customer: books.customer })).id;
  const line = [{ name: 'x', unit_cost: 70 }];
  const invoice = (await books.api.sandbox.make('/invoices', { customer: child, items: line })).id;
  const payment = await transfer(70, [cash(invoice, 70)]);
  await refund(payment, 70, { returned: true });
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 70, paid: false });
  await books.expectCleanBooks();
});

test('receipt, invoice and printed statement show the refund with its date, method and reference', async () => {
  const invoice = await books.invoice(40);
  const payment = await transfer(55, [cash(invoice, 40)]);
  await refund(payment, 15, { date: day('2027-03-05'), reference: 'OUT-9' });
  const text = async (path: string) => {
    const headers = { ...basic(books.api.sandbox.key), Accept: 'application/pdf' };
    const answer = await fetch(`${books.api.sandbox.url}${path}`, { headers });
    return (await readPdf(new Uint8Array(await answer.arrayBuffer()))).text.replaceAll(/\s+/g, ' ');
  };
  expect(await text(`/payments/${payment}`)).toMatch(/Refund of March 5, 2027.*15\.00/);
  expect(await text(`/invoices/${invoice}`)).toMatch(/Refund of March 5, 2027.*15\.00/);
  const printed = await text(`/customers/${books.customer}/statement`);
  expect(printed).toMatch(/Refund \(Wire transfer\).*OUT-9/);
});

test('a payment whose refund was undone can be changed again', async () => {
  const payment = await transfer(100);
  const { body } = await refund(payment, 40);
  const change = () => books.api.sandbox.patch(`/payments/${payment}`, { amount: 90 });
  expect(await change()).toMatchObject(refused({ code: 'state_conflict', param: 'amount' }));
  await books.api.sandbox.delete(`/refunds/${body.id}`);
  expect(await change()).toMatchObject({ status: 200, body: { amount: 90, balance: 90 } });
  await books.expectCleanBooks();
});

test('what is left of money of nobody known gets its customer after a part was sent back', async () => {
  const { sandbox } = books.api;
  const { id } = await sandbox.make('/payments', { amount: 140, method: 'wire_transfer', currency: 'usd' });
  await refund(id, 40);
  const invoice = await books.invoice(100);
  const found = await sandbox.patch(`/payments/${id}`, { customer: books.customer, applied_to: [cash(invoice, 100)] });
  expect(found).toMatchObject({ status: 200, body: { customer: books.customer, balance: 0 } }); // 140 - 40 - 100
  expect(await books.readInvoice(invoice)).toMatchObject({ status: 'paid' });
  await books.expectCleanBooks();
});
