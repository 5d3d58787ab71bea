import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Answer, type Client, refused, startApi, type TestApi } from '../../support/api.ts';

/** Suggestions for payments. Each test has a business of its own, because all open invoices of a business are looked through. */

let api: TestApi;
let client: Client;
let customer: number;
let businesses = 0;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  businesses += 1;
  client = (await api.open(`Business ${businesses}`)).sandbox;
  customer = await newCustomer('Payer Inc');
});

const newCustomer = async (name: string, more: object = {}): Promise<number> =>
  (await client.make('/customers', { name, ...more })).id;

const invoiceOf = (amount: number, more: object = {}): Promise<Answer['body']> =>
  client.make('/invoices', { customer, items: [{ name: 'x', unit_cost: amount }], ...more });

const pay = (amount: number, more: object = {}): Promise<Answer['body']> =>
  client.make('/payments', { amount, ...more });

async function matchesOf({ id }: { id: number }, query = ''): Promise<Answer['body']> {
  const { status, body } = await client.get(`/payments/${id}/matches${query}`);
  expect([status, body]).toEqual([200, expect.any(Array)]);
  return body;
}

const read = async ({ id }: { id: number }) => (await client.get(`/payments/${id}`)).body;

/** Ids of the suggested invoices, the likeliest suggestion first. */
const idsOf = (matches: { applied_to: { invoice: number }[] }[]) =>
  matches.map(({ applied_to }) => applied_to.map(({ invoice }) => invoice));

test('a suggestion names a customer and invoices with a reason, and PATCH accepts it', async () => {
  const invoice = await invoiceOf(80);
  await invoiceOf(90);
  const payment = await pay(80);
  expect(payment).toMatchObject({ customer: null, matched: true });
  const [match, ...others] = await matchesOf(payment);
  expect(others).toEqual([]);
  const part = {
    type: 'invoice',
    amount: 80,
    invoice: invoice.id,
    estimate: null,
    credit_note: null,
    document_type: null,
  };
  expect(match).toEqual({
    object: 'payment_match',
    rank: 1,
    reasons: [`The amount is the balance of ${invoice.number}`],
    customer,
    applied_to: [part],
  });
  const accepted = await client.patch(`/payments/${payment.id}`, {
    customer: match.customer,
    applied_to: match.applied_to,
  });
  expect(accepted).toMatchObject({ status: 200, body: { customer, balance: 0, matched: false } });
  expect((await client.get(`/invoices/${invoice.id}`)).body).toMatchObject({ paid: true });
  expect(await matchesOf(payment)).toEqual([]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('the number in the reference or the notes goes before the amount, in any case and with any separators', async () => {
  const equal = await invoiceOf(50);
  const named = await invoiceOf(70);
  const supplied = await invoiceOf(30, { number: 'A-17/2027' });
  const loose = named.number.toLowerCase().replace('-', ' ');
  const payment = await pay(50, { reference: `transfer ${loose}` });
  expect(idsOf(await matchesOf(payment))).toEqual([[named.id], [equal.id]]);
  const [first] = await matchesOf(payment);
  expect(first).toMatchObject({
    applied_to: [{ amount: 50 }],
    reasons: [expect.stringContaining(named.number), expect.any(String)],
  });
  const noted = await pay(31, { notes: 'for a-17/2027' });
  expect(noted.matched).toBe(true);
  expect(await matchesOf(noted)).toMatchObject([{ applied_to: [{ invoice: supplied.id, amount: 30 }] }]);
  const both = await pay(120, { reference: `${equal.number} + ${named.number}` });
  expect(idsOf(await matchesOf(both))[0]).toEqual([equal.id, named.id]);
});

test('near misses and parts are suggested for a known customer; its descendants count', async () => {
  const child = await newCustomer('Child', { parent_customer: customer });
  const other = await newCustomer('Other');
  const exchanged = await invoiceOf(120);
  const near = await invoiceOf(103);
  const larger = await invoiceOf(500);
  const below = await invoiceOf(102, { customer: child });
  await invoiceOf(102, { customer: other });
  const payment = await pay(102, { customer });
  expect(payment.matched).toBe(true);
  expect(idsOf(await matchesOf(payment))).toEqual([[below.id], [exchanged.id], [near.id], [larger.id]]);
  const [match] = await matchesOf(payment, '?expand=customer,applied_to.invoice');
  expect(match).toMatchObject({
    customer: { object: 'customer', id: customer },
    applied_to: [{ invoice: { object: 'invoice', id: below.id, customer: child } }],
  });
  const { applied_to } = (await matchesOf(payment))[0];
  const accepted = await client.patch(`/payments/${payment.id}`, { customer, applied_to });
  expect(accepted).toMatchObject({ status: 200, body: { balance: 0 } });
});

test('an earlier payment of the sender, and the name of a customer, point to invoices of any amount and to sums', async () => {
  const [first, second] = [await invoiceOf(30), await invoiceOf(70)];
  const stranger = { ach_sender_id: '998877' };
  expect(await matchesOf(await pay(100, stranger))).toEqual([]);
  await pay(5, { customer, ach_sender_id: '998877' });
  const sent = await pay(100, stranger);
  expect(sent.matched).toBe(false); // neither a number nor an equal amount
  const matches = await matchesOf(sent);
  expect(idsOf(matches)[0]).toEqual([first.id, second.id]);
  expect(matches[0]).toMatchObject({
    customer,
    applied_to: [{ amount: 30 }, { amount: 70 }],
    reasons: [expect.stringContaining('sum'), 'The sender paid for this customer before'],
  });
  const called = await pay(100, { reference: 'PAYER INC. MARCH' });
  expect((await matchesOf(called))[0]).toMatchObject({
    customer,
    reasons: [expect.stringContaining('sum'), 'The reference or the notes name this customer'],
  });
});

test('only open invoices in the currency of the payment are suggested', async () => {
  await invoiceOf(60, { currency: 'eur' });
  await invoiceOf(60, { draft: true });
  const paid = await invoiceOf(60);
  await pay(60, { customer, applied_to: [{ type: 'invoice', invoice: paid.id, amount: 60 }] });
  const voided = await invoiceOf(60);
  await client.post(`/invoices/${voided.id}/void`);
  const closed = await invoiceOf(60);
  await client.patch(`/invoices/${closed.id}`, { closed: true });
  const payment = await pay(60);
  expect(payment.matched).toBe(false);
  expect(await matchesOf(payment)).toEqual([]);
  const rival = (await api.open('Rival')).sandbox;
  const theirs = (await rival.make('/customers', { name: 'Payer Inc' })).id;
  const { number } = await rival.make('/invoices', {
    customer: theirs,
    number: 'THEIRS-1',
    items: [{ unit_cost: 60 }],
  });
  expect(await matchesOf(payment)).toEqual([]);
  const named = await pay(60, { reference: number, notes: 'Payer Inc' });
  expect(named.matched).toBe(false);
  expect(await matchesOf(named)).toEqual([]);
});

test('the rest of a payment is suggested with the applications that it has', async () => {
  const [first, second] = [await invoiceOf(100), await invoiceOf(25)];
  const applied_to = [
    { type: 'invoice', invoice: first.id, amount: 75 },
    { type: 'credit', amount: 5 },
  ];
  const payment = await pay(105, { customer, applied_to });
  expect(payment).toMatchObject({ balance: 25, matched: true });
  expect((await client.get(`/invoices/${first.id}`)).body.balance).toBe(20); // 100 - 75, less 5 of the credit
  const matches = await matchesOf(payment);
  expect(matches.map((match: Answer['body']) => match.applied_to)).toMatchObject([
    [
      { type: 'invoice', invoice: first.id, amount: 75 },
      { type: 'credit', amount: 5 },
      { invoice: second.id, amount: 25 },
    ],
    [
      { type: 'credit', amount: 5 },
      { type: 'invoice', invoice: first.id, amount: 95 }, // 100 - 5
    ],
  ]);
  const whole = await client.patch(`/payments/${payment.id}`, { customer, applied_to: matches[0].applied_to });
  expect(whole).toMatchObject({ status: 200, body: { balance: 0 } });
  expect((await client.get(`/invoices/${second.id}`)).body).toMatchObject({ paid: true });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('matched is true with an invoice of the same amount or a named one, and follows changes of the payment', async () => {
  const invoice = await invoiceOf(40);
  expect(await pay(39)).toMatchObject({ matched: false });
  expect(await pay(40, { source: 'api' })).toMatchObject({ matched: false });
  expect(await pay(40, { source: 'bank_feed' })).toMatchObject({ matched: true });
  expect(await pay(39, { reference: invoice.number })).toMatchObject({ matched: true });
  const payment = await pay(39);
  const changed = await client.patch(`/payments/${payment.id}`, { amount: 40 });
  expect(changed.body).toMatchObject({ matched: true });
  const [event] = (await client.get('/events')).body;
  expect(event).toMatchObject({
    type: 'payment.updated',
    data: { previous: { amount: 39, balance: 39, matched: false } },
  });
  const listed = (await client.get('/payments?filter[matched]=true')).body;
  expect(listed).toHaveLength(3);
  expect(listed).toContainEqual(await read(payment));
  const voided = await client.delete(`/payments/${payment.id}`);
  expect(voided.body).toMatchObject({ voided: true, matched: false });
});

test('refused suggestions stay away until the payment changes', async () => {
  await invoiceOf(40);
  const payment = await pay(40);
  const path = `/payments/${payment.id}/matches`;
  expect(await client.delete(path)).toMatchObject({ status: 200, body: { id: payment.id, matched: false } });
  expect(await matchesOf(payment)).toEqual([]);
  expect(await read(payment)).toMatchObject({ matched: false });
  const [event] = (await client.get('/events')).body;
  expect(event).toMatchObject({ type: 'payment.updated', data: { previous: { matched: true } } });
  await client.delete(path); // changes nothing
  expect((await client.get('/events')).body[0].id).toBe(event.id);
  const changed = await client.patch(`/payments/${payment.id}`, { notes: 'look again' });
  expect(changed.body).toMatchObject({ matched: true });
  expect(await matchesOf(payment)).toHaveLength(1);
});

test('voided, processed and recorded payments have no suggestions, and those of other accounts are not found', async () => {
  const voided = await pay(10);
  await client.delete(`/payments/${voided.id}`);
  const processed = await client.make('/charges', {
    customer,
    amount: 10,
    applied_to: [],
    method: 'credit_card',
    gateway_token: 'tok_4242424242424242',
  });
  const recorded = await pay(10, { source: 'api' });
  const rival = (await api.open('Rival')).sandbox;
  const theirs = await rival.make('/payments', { amount: 10 });
  for (const method of ['GET', 'DELETE']) {
    const ask = ({ id }: { id: number }) => client.request(method, `/payments/${id}/matches`);
    expect(await ask(voided)).toMatchObject(refused({ message: 'Payment is voided' }));
    expect(await ask(processed)).toMatchObject(
      refused({ message: expect.stringContaining('A charge made this payment') }),
    );
    expect(await ask(recorded)).toMatchObject(refused({ message: expect.stringContaining('not api') }));
    expect(await ask(theirs)).toMatchObject(refused({ message: `Payment was not found: ${theirs.id}` }, 404));
  }
});

test('at most twenty suggestions are made, by as many statements for many invoices as for few', async () => {
  await invoiceOf(11);
  const payment = await pay(11, { reference: 'Payer Inc', ach_sender_id: '1' });
  const few = await api.statements(() => matchesOf(payment));
  for (let count = 0; count < 25; count++) await invoiceOf(11);
  const many = await api.statements(async () => expect(await matchesOf(payment)).toHaveLength(20));
  expect(many.length).toBe(few.length);
});

test('the 2 behind a whole number belongs to no number', async () => {
  const first = await invoiceOf(150, { number: 'INV-00081' });
  await invoiceOf(50, { number: 'INV-00812' });
  const payment = await pay(70, { reference: 'INV-00081 2. Rate' });
  expect(idsOf(await matchesOf(payment))).toEqual([[first.id]]);
});

test('numbers without their prefix are found, several too', async () => {
  const [five, six, seven] = [
    await invoiceOf(5, { number: 'INV-00005' }),
    await invoiceOf(6, { number: 'INV-00006' }),
    await invoiceOf(7, { number: 'INV-00007' }),
  ];
  const [both] = await matchesOf(await pay(11, { reference: 'INV-00005/00006' }));
  expect(both.applied_to.map(({ invoice }: Answer['body']) => invoice)).toEqual([five.id, six.id]);
  expect(idsOf(await matchesOf(await pay(3, { reference: 'Rechnung 00007' })))).toEqual([[seven.id]]);
});

test('a payer is found without legal form, and with umlauts written as two letters', async () => {
  const mill = await newCustomer('Östliche Mühlen GmbH & Co. KG');
  const invoice = await invoiceOf(90, { customer: mill });
  const mapping = { date: 'Date', amount: 'Amount', payer: 'Payer' };
  const csv = 'Date,Amount,Payer\n2027-03-01,40.00,Oestliche Muehlen KG\n';
  const { body } = await client.post('/payments/import', { csv, mapping });
  const [match] = await matchesOf({ id: body.rows[0].payment });
  expect(match).toMatchObject({ customer: mill, applied_to: [{ invoice: invoice.id, amount: 40 }] });
});
