import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { basic, refused } from '../../support/api.ts';
import { type Credits, cash, credit, startCredits } from '../../support/credits.ts';
import { readPdf } from '../../support/readPdf.ts';

/** Write-offs of parts of invoices: by request, and because a payment came up short. */

let books: Credits;
const now = new Date('2027-03-10T10:00:00Z');
beforeAll(async () => {
  books = await startCredits(() => now);
  await books.api.sandbox.make('/tax_rates', { id: 'vat', name: 'VAT', value: 19 });
});
afterAll(() => books.api.close());
beforeEach(async () => {
  await books.begin();
  await settings({ write_off_tolerance: {}, bad_debt_account: '', bad_debt_tax: 'keep' });
});

const settings = async (changed: object) =>
  expect(await books.api.sandbox.patch('/account', changed)).toMatchObject({ status: 200 });
const writeOff = (invoice: number, amount: unknown, reason: unknown = 'Bank fees') =>
  books.api.sandbox.post(`/invoices/${invoice}/write_off`, { amount, reason });
const given = async (invoice: number) => (await books.api.sandbox.get(`/write_offs?filter[invoice]=${invoice}`)).body;
const transfer = (amount: number, applied_to: object[]) => books.pay(amount, applied_to, { method: 'wire_transfer' });
const timeline = async () =>
  JSON.stringify((await books.api.sandbox.get(`/customers/${books.customer}/timeline`)).body);

test('a part is written off with its reason: balance, ledger, statement, timeline and paper say it', async () => {
  const invoice = await books.invoice(100);
  await transfer(70, [cash(invoice, 70)]);
  const entries = await books.entriesOf(() => writeOff(invoice, 10, 'Goodwill for the delay'));
  expect(entries).toEqual(['write_off bad_debt 10', 'write_off receivable -10']);
  const shown = { balance: 20, written_off: 10, write_off_reason: 'Goodwill for the delay', paid: false };
  expect(await books.readInvoice(invoice)).toMatchObject(shown);
  const { body: statement } = await books.api.sandbox.get(`/customers/${books.customer}/statement`);
  expect(statement.lines).toContainEqual(expect.objectContaining({ type: 'write_off', amount: -10, invoice }));
  expect(statement.closing_balance).toBe(20);
  expect(await timeline()).toContain('Goodwill for the delay');
  const headers = { ...basic(books.api.sandbox.key), Accept: 'application/pdf' };
  const answer = await fetch(`${books.api.sandbox.url}/invoices/${invoice}`, { headers });
  const { text } = await readPdf(new Uint8Array(await answer.arrayBuffer()));
  expect(text).toMatch(/Written off[\s\S]*10\.00/);
  await books.expectCleanBooks();
});

test('the rest of an invoice that was paid in part is written off: it is paid', async () => {
  const invoice = await books.invoice(100);
  await transfer(97, [cash(invoice, 97)]);
  expect((await writeOff(invoice, 3)).body).toMatchObject({ balance: 0, written_off: 3, paid: true, status: 'paid' });
  await books.expectCleanBooks();
});

test('more than is owed, the whole of an unpaid invoice, and what is closed or a draft are refused', async () => {
  const invoice = await books.invoice(100);
  expect(await writeOff(invoice, 100.01)).toMatchObject(refused({ param: 'amount', code: 'amount_too_large' }));
  expect(await writeOff(invoice, 100)).toMatchObject(refused({ param: 'amount' }));
  for (const amount of [0, -1, 1.001, null])
    expect(await writeOff(invoice, amount)).toMatchObject(refused({ param: 'amount' }));
  expect(await writeOff(invoice, 1, null)).toMatchObject(refused({ param: 'reason' }));
  const draft = await books.invoice(100, { draft: true });
  expect(await writeOff(draft, 1)).toMatchObject(refused({ code: 'state_conflict' }));
  await books.api.sandbox.patch(`/invoices/${invoice}`, { closed: true });
  expect(await writeOff(invoice, 1)).toMatchObject(refused({ code: 'state_conflict' }));
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 100, written_off: 0 });
});

test('a write-off is taken back: it is owed again', async () => {
  const invoice = await books.invoice(100);
  await transfer(97, [cash(invoice, 97)]);
  await writeOff(invoice, 3);
  const [one] = await given(invoice);
  const entries = await books.entriesOf(() => books.api.sandbox.delete(`/write_offs/${one.id}`));
  expect(entries).toEqual(['reopen bad_debt -3', 'reopen receivable 3']);
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 3, written_off: 0, paid: false, closed: false });
  expect(await books.api.sandbox.delete(`/write_offs/${one.id}`)).toMatchObject(refused({ code: 'state_conflict' }));
  await books.expectCleanBooks();
});

test('a write-off beside a payment, and beside another one: never more than is owed', async () => {
  const invoice = await books.invoice(100);
  const answers = await Promise.all([transfer(60, [cash(invoice, 60)]), writeOff(invoice, 60), writeOff(invoice, 60)]);
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 40 });
  await books.expectCleanBooks();
});

test('voiding, and closing with opening again, take back what was written off as it was posted', async () => {
  const [voided, closed] = [await books.invoice(100), await books.invoice(100)];
  await settings({ bad_debt_account: '2400' });
  for (const id of [voided, closed]) await writeOff(id, 10);
  await books.api.sandbox.patch(`/invoices/${closed}`, { closed: true });
  await settings({ bad_debt_account: '2500' });
  const opened = await books.entriesOf(() => books.api.sandbox.patch(`/invoices/${closed}`, { closed: false }));
  expect(opened).toEqual(['reopen bad_debt:2400 -90', 'reopen receivable 90']);
  expect(await books.readInvoice(closed)).toMatchObject({ balance: 90, written_off: 10 });
  const entries = await books.entriesOf(() => books.api.sandbox.post(`/invoices/${voided}/void`));
  expect(entries).toEqual(['void bad_debt:2400 -10', 'void receivable -90', 'void revenue 100']);
  await books.expectCleanBooks();
});

test('tax of what is written off is taken back by the setting of the account', async () => {
  await settings({ bad_debt_tax: 'take_back' });
  const taxed = { taxes: ['vat'] };
  const [part, whole] = [await books.invoice(100, taxed), await books.invoice(100, taxed)]; // 119.00
  await transfer(100, [cash(part, 100)]);
  const entries = await books.entriesOf(() => writeOff(part, 19));
  expect(entries).toEqual(['write_off bad_debt 15.97', 'write_off receivable -19', 'write_off tax_payable:vat 3.03']); // 19 x 19 / 119
  expect(await given(part)).toMatchObject([{ amount: 19, tax: 3.03, kind: 'part', account: 'bad_debt' }]);
  const close = await books.entriesOf(() => books.api.sandbox.patch(`/invoices/${whole}`, { closed: true }));
  expect(close).toEqual(['write_off bad_debt 100', 'write_off receivable -119', 'write_off tax_payable:vat 19']);
  await settings({ bad_debt_tax: 'keep' });
  const open = await books.entriesOf(() => books.api.sandbox.patch(`/invoices/${whole}`, { closed: false }));
  expect(open).toEqual(['reopen bad_debt -100', 'reopen receivable 119', 'reopen tax_payable:vat -19']);
  await books.expectCleanBooks();
});

test('a payment that comes up short by no more than the tolerance of its currency pays the invoice', async () => {
  await settings({ write_off_tolerance: { usd: 0.5 } });
  const invoice = await books.invoice(100);
  const entries = await books.entriesOf(() => transfer(99.6, [cash(invoice, 99.6)]));
  expect(entries).toContain('write_off bad_debt 0.4');
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 0, paid: true, written_off: 0.4, status: 'paid' });
  expect(await given(invoice)).toMatchObject([{ kind: 'difference', amount: 0.4, payment: expect.any(Number) }]);
  expect(await timeline()).toContain('came up short');
  await books.expectCleanBooks();
});

test('no difference is written off beyond it, in another currency, by a payment with a rest, by credit, or larger than the payment', async () => {
  await settings({ write_off_tolerance: { usd: 0.5, eur: 5 } });
  const owes = async (pay: (invoice: number) => Promise<unknown>, amount = 100) => {
    const invoice = await books.invoice(amount);
    await pay(invoice);
    return (await books.readInvoice(invoice)).balance;
  };
  expect(await owes((id) => transfer(99.49, [cash(id, 99.49)]))).toBe(0.51);
  expect(await owes((id) => transfer(100, [cash(id, 99.6)]))).toBe(0.4);
  expect(await owes((id) => transfer(100, [cash(id, 99.6), credit(0.4)]))).toBe(0.4);
  expect(await owes((id) => transfer(0.1, [cash(id, 0.1)]), 0.5)).toBe(0.4);
  expect(await owes((id) => books.pay(99.6, [{ type: 'applied_credit', invoice: id, amount: 99.6 }]))).toBe(100); // refused: no credit
  await books.expectCleanBooks();
});

test('when the payment is taken from the invoice, voided or returned, its difference is owed again', async () => {
  await settings({ write_off_tolerance: { usd: 0.5 } });
  const paid = async () => {
    const invoice = await books.invoice(100);
    return { invoice, payment: (await transfer(99.6, [cash(invoice, 99.6)])).body.id };
  };
  const owed = { balance: 100, written_off: 0, paid: false, closed: false };
  const { sandbox } = books.api;
  const [taken, voided, returned] = [await paid(), await paid(), await paid()];
  await sandbox.patch(`/payments/${taken.payment}`, { applied_to: [] });
  await sandbox.delete(`/payments/${voided.payment}`);
  await sandbox.make('/refunds', { payment: returned.payment, amount: 99.6, method: 'wire_transfer', returned: true });
  for (const { invoice } of [taken, voided, returned]) expect(await books.readInvoice(invoice)).toMatchObject(owed);
  await books.expectCleanBooks();
});

test('the last installments of a payment plan lose what is written off, until it is taken back', async () => {
  const invoice = await books.invoice(300, { autopay: false });
  const installments = [4_070_908_800, 4_073_587_200, 4_076_006_400].map((date) => ({ date, amount: 100 }));
  const path = `/invoices/${invoice}/payment_plan`;
  expect((await books.api.sandbox.request('PUT', path, { installments })).status).toBe(200);
  await transfer(50, [cash(invoice, 50)]);
  await writeOff(invoice, 130);
  const plan = async () => (await books.api.sandbox.get(path)).body.installments;
  expect(await plan()).toMatchObject([
    { amount: 100, balance: 50 },
    { amount: 70, balance: 70 },
  ]);
  const [one] = await given(invoice);
  await books.api.sandbox.delete(`/write_offs/${one.id}`);
  expect(await plan()).toMatchObject([
    { amount: 100, balance: 50 },
    { amount: 100, balance: 100 },
    { date: 4_076_006_400, amount: 100, balance: 100 },
  ]);
  await books.expectCleanBooks();
});

test('after the installments were edited, a write-off that is taken back makes the last one larger', async () => {
  const invoice = await books.invoice(300, { autopay: false });
  const dates = [4_070_908_800, 4_073_587_200, 4_076_006_400];
  const path = `/invoices/${invoice}/payment_plan`;
  const put = (installments: object[]) => books.api.sandbox.request('PUT', path, { installments });
  await put(dates.map((date) => ({ date, amount: 100 })));
  await writeOff(invoice, 150); // 100 of the third, 50 of the second
  const edited = dates.slice(0, 2).map((date, index) => ({ date, amount: index === 0 ? 60 : 90 }));
  expect((await put(edited)).body).toMatchObject({ status: 'active' });
  const [one] = await given(invoice);
  await books.api.sandbox.delete(`/write_offs/${one.id}`);
  const { installments } = (await books.api.sandbox.get(path)).body;
  expect(installments).toMatchObject([
    { date: dates[0], amount: 60 },
    { date: dates[1], amount: 240 }, // 90 + 150
  ]);
  await books.expectCleanBooks();
});

test('an invoice of which a part was written off keeps its amounts, and says why', async () => {
  const invoice = await books.invoice(100);
  await writeOff(invoice, 40);
  const change = { items: [{ name: 'x', unit_cost: 90 }] };
  const refusal = await books.api.sandbox.patch(`/invoices/${invoice}`, change);
  expect(refusal).toMatchObject(
    refused({ param: 'items', message: expect.stringContaining('has a part written off') }),
  );
  const [one] = await given(invoice);
  await books.api.sandbox.delete(`/write_offs/${one.id}`);
  expect((await books.api.sandbox.patch(`/invoices/${invoice}`, change)).status).toBe(200);
  await books.expectCleanBooks();
});

test('credit notes credit at most the total less what was written off', async () => {
  const invoice = await books.invoice(100);
  await transfer(60, [cash(invoice, 60)]);
  await writeOff(invoice, 40);
  const beyond = await books.note(60.01, { invoice });
  expect(beyond).toMatchObject(refused({ message: expect.stringContaining('60.00 usd') }));
  expect((await books.note(60, { invoice })).status).toBe(201);
  await books.expectCleanBooks();
});

test('the tolerance is a record of currencies with amounts that they have', async () => {
  for (const wrong of [
    [1],
    5,
    { usd: 0 },
    { usd: -1 },
    { usd: 0.001 },
    { jpy: 0.5 },
    { nope: 1 },
    { usd: '1' },
    { usd: 1001 },
  ])
    expect(await books.api.sandbox.patch('/account', { write_off_tolerance: wrong })).toMatchObject(
      refused({ param: 'write_off_tolerance' }),
    );
  await settings({ write_off_tolerance: { USD: 0.5, jpy: 10 } });
  const { body } = await books.api.sandbox.get('/account');
  expect(body.write_off_tolerance).toEqual({ usd: 0.5, jpy: 10 });
});
