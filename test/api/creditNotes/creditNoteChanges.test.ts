import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { byNote, type Credits, cash, noteToBalance, startCredits } from '../../support/credits.ts';

/** Changes of credit notes: which are allowed when, and their ledger entries. */

let on: Credits;
beforeAll(async () => {
  on = await startCredits();
  await on.api.sandbox.post('/tax_rates', { id: 'vat', name: 'VAT', value: 20, is_percent: true });
});
afterAll(() => on.api.close());
beforeEach(() => on.begin());

const patch = (id: number, body: object) => on.api.sandbox.patch(`/credit_notes/${id}`, body);
const noteOf = async (amount: number, more: object = {}) => (await on.note(amount, more)).body;

test('a credit note can be read by its id, expanded, and as a PDF', async () => {
  const { sandbox, live } = on.api;
  const invoice = await on.invoice(30);
  const note = await noteOf(10, { invoice, metadata: { why: 'broken' } });
  const path = `/credit_notes/${note.id}`;
  expect((await sandbox.get(path)).body).toEqual(note);
  const { body: whole } = await sandbox.get(`${path}?expand=customer,invoice.customer`);
  const customer = { object: 'customer', id: on.customer, name: 'Payer' };
  expect(whole).toMatchObject({ id: note.id, customer, invoice: { object: 'invoice', id: invoice, customer } });
  expect({ ...whole, customer: on.customer, invoice }).toEqual(note);
  const printed = await sandbox.request('GET', path, undefined, { Accept: 'application/pdf' });
  expect([printed.status, printed.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
  expect(printed.headers.get('Content-Disposition')).toBe(`inline; filename="Credit note ${note.number}.pdf"`);
  const { body: other } = await on.note(1);
  await sandbox.delete(`/credit_notes/${other.id}`);
  const missing = [await live.get(path), await sandbox.get(`/credit_notes/${other.id}`)];
  for (const { status, body } of missing)
    expect([status, body.message]).toEqual([404, expect.stringMatching(/^Credit note was not found: \d+$/)]);
});

test('amounts of an open credit note can change, with postings; a named line stays', async () => {
  const note = await noteOf(100);
  const [line] = note.items;
  const entries = await on.entriesOf(async () => {
    const items = [
      { id: line.id, unit_cost: 80 },
      { name: 'More', unit_cost: 10 },
    ];
    const { status, body } = await patch(note.id, { items, taxes: ['vat'] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ subtotal: 90, total: 108, balance: 108, number: note.number }); // 80 + 10, 20 % on it
    expect(body.items[0]).toMatchObject({ id: line.id, name: 'x', unit_cost: 80 });
  });
  expect(entries).toEqual(['change customer_credits:notes -8', 'change revenue -10', 'change tax_payable:vat 18']);
  await on.expectCleanBooks();
  const moved = await on.entriesOf(() => patch(note.id, { date: 1_800_000_000, currency: 'eur' }));
  expect(moved).toEqual([]); // only the currency of the entries changes
  const sums = await on.rows(
    `select currency, sum(amount)::float8 as amount from ledger_entry where credit_note_id = ? and ledger_account = 'revenue'
     group by 1 order by 1`,
    [note.id],
  );
  expect(sums).toEqual([
    { currency: 'eur', amount: 90 },
    { currency: 'usd', amount: 0 },
  ]);
  await on.expectCleanBooks();
});

test('issuing a draft gives it a number, keeps seller and customer, and pays its invoice', async () => {
  const invoice = await on.invoice(50);
  await on.pay(20, [cash(invoice, 20)]);
  const draft = await noteOf(50, { draft: true });
  expect((await patch(draft.id, { invoice })).body).toMatchObject({ invoice, draft: true, number: null });
  await on.api.sandbox.patch('/account', { time_zone: 'Europe/Vienna' });
  const { status, body } = await patch(draft.id, { draft: false, sent: true });
  await on.api.sandbox.patch('/account', { time_zone: 'UTC' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ draft: false, status: 'paid', balance: 0, number: expect.stringMatching(/^CN-\d{5}$/) });
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 0, paid: true });
  expect(await on.balances()).toEqual([20]); // 50 - 30
  const [row] = await on.rows('select snapshot_id, sent_at, time_zone from credit_note where id = ?', [draft.id]);
  const known = { sent_at: expect.anything(), time_zone: 'Europe/Vienna' }; // the account's time zone when it was issued
  expect(row).toMatchObject({ ...known, snapshot_id: expect.any(Number) });
  const events = (await on.api.sandbox.get(`/events?related_to=credit_note,${draft.id}`)).body;
  expect(events[0]).toMatchObject({
    type: 'credit_note.updated',
    data: { previous: { draft: true, number: null, status: 'draft', balance: 50, paid: false, closed: false } },
  });
  for (const [param, value] of Object.entries({ draft: true, invoice: null }))
    expect(await patch(draft.id, { [param]: value })).toMatchObject(refused({ param }));
  await on.expectCleanBooks();
});

test('a draft of zero stays a draft, and is paid once it is issued', async () => {
  const { id } = await noteOf(0, { draft: true });
  expect((await patch(id, { notes: 'n' })).body).toMatchObject({ status: 'draft', paid: false, closed: false });
  expect((await patch(id, { draft: false })).body).toMatchObject({ status: 'paid', paid: true, closed: true });
  await on.expectCleanBooks();
});

test('a voided draft cannot be issued', async () => {
  const draft = await noteOf(50, { draft: true });
  await on.api.sandbox.post(`/credit_notes/${draft.id}/void`);
  const body = { param: 'draft', message: 'A voided draft cannot be issued' };
  expect(await patch(draft.id, { draft: false })).toMatchObject(refused(body));
  expect(await on.readNote(draft.id)).toMatchObject({ status: 'voided', number: null });
  await on.expectCleanBooks();
});

test('a draft for an invoice that can no longer be corrected cannot be issued', async () => {
  const invoice = await on.invoice(30);
  const draft = await noteOf(50, { draft: true, invoice });
  await on.api.sandbox.post(`/invoices/${invoice}/void`);
  expect(await patch(draft.id, { draft: false })).toMatchObject(refused({ param: 'invoice' }));
  expect((await patch(draft.id, { draft: false, invoice: null })).body).toMatchObject({ status: 'open', balance: 50 });
  await on.expectCleanBooks();
});

test('applications freeze amounts and identity, but never texts and metadata', async () => {
  const note = await noteOf(50);
  const invoice = await on.invoice(30);
  await on.pay(30, [byNote(note.id, invoice, 30)]);
  const frozen = {
    items: [{ unit_cost: 60 }],
    discounts: [{ amount: 1 }],
    taxes: ['vat'],
    currency: 'eur',
    number: 'CN-X',
    date: 1_800_000_000,
  };
  for (const [param, value] of Object.entries(frozen)) {
    const message = expect.stringContaining('is applied: void the payments that it pays first');
    expect(await patch(note.id, { [param]: value })).toMatchObject(refused({ param, message }));
  }
  const free = { name: 'Returned', notes: 'n', purchase_order: 'PO-1', metadata: { color: 'red' } };
  expect((await patch(note.id, free)).body).toMatchObject({ ...free, balance: 20 }); // 50 - 30
  expect((await patch(note.id, { name: null, notes: null, metadata: {} })).body).toMatchObject({
    name: 'Credit Note',
    notes: null,
    metadata: {},
  });
  await on.expectCleanBooks();
});

test('lock_documents: sent freezes a sent credit note; sending is recorded but is no status', async () => {
  const note = await noteOf(50);
  expect((await patch(note.id, { sent: true })).body).toMatchObject({ status: 'open' });
  expect((await patch(note.id, { items: [{ unit_cost: 51 }] })).body.total).toBe(51);
  await on.api.sandbox.patch('/account', { lock_documents: 'sent' });
  const refusal = await patch(note.id, { items: [{ unit_cost: 52 }] });
  expect(refusal).toMatchObject(refused({ param: 'items', message: expect.stringContaining('sent') }));
  expect((await patch(note.id, { sent: false })).status).toBe(200);
  expect((await patch(note.id, { items: [{ unit_cost: 52 }] })).body.total).toBe(52);
  await on.api.sandbox.patch('/account', { lock_documents: null });
  await on.expectCleanBooks();
});

test('closing forfeits the balance, and opening restores it, as does taking an application off', async () => {
  const note = await noteOf(50);
  const invoice = await on.invoice(30);
  const { body: payment } = await on.pay(30, [byNote(note.id, invoice, 30)]);
  const closed = await on.entriesOf(async () => {
    expect((await patch(note.id, { closed: true })).body).toMatchObject({
      status: 'closed',
      closed: true,
      balance: 20,
    });
  });
  expect(closed).toEqual(['write_off customer_credits:notes 20', 'write_off forfeited_credits -20']);
  const opened = await on.entriesOf(async () => {
    expect((await patch(note.id, { closed: false })).body).toMatchObject({ status: 'open', closed: false });
  });
  expect(opened).toEqual(['reopen customer_credits:notes -20', 'reopen forfeited_credits 20']);
  await patch(note.id, { closed: true });
  await on.expectCleanBooks();
  await on.api.sandbox.delete(`/payments/${payment.id}`);
  expect(await on.readNote(note.id)).toMatchObject({ status: 'open', closed: false, balance: 50 });
  await on.expectCleanBooks();
  await patch(note.id, { closed: true });
  expect((await on.api.sandbox.post(`/credit_notes/${note.id}/void`)).body.status).toBe('voided');
  await on.expectCleanBooks();
  await on.pay(10, [noteToBalance((await noteOf(10)).id, 10)]);
  const draft = await noteOf(1, { draft: true });
  expect(await patch(draft.id, { closed: true })).toMatchObject(refused({ param: 'closed' }));
  expect(await patch(note.id, { closed: false })).toMatchObject(refused({ param: 'closed' }));
});

test('tax rates are looked up again only on request', async () => {
  const note = await noteOf(100);
  await on.api.sandbox.patch(`/customers/${on.customer}`, { taxes: ['vat'] });
  expect((await patch(note.id, { items: [{ unit_cost: 50 }] })).body).toMatchObject({ total: 50, taxes: [] });
  expect((await patch(note.id, { calculate_taxes: true })).body).toMatchObject({ total: 60, taxes: [{ amount: 10 }] });
  await on.expectCleanBooks();
});

test.each([
  [{ customer: 4711 }, 'customer', 'A credit note cannot be moved to another customer: void it and issue another one'],
  [{ items: [{ unit_cost: 5 }, { unit_cost: -1 }] }, 'items[1][unit_cost]', expect.stringContaining('negative')],
  [{ items: [{ unit_cost: -5 }] }, 'items', expect.stringContaining('negative')],
  [{ number: null }, 'number', 'Number missing'],
  [{ balance: 5, total: 7, ship_to: {} }, 'ship_to', expect.stringContaining('Unknown field')],
])('a change to %j is refused, naming %s', async (body, param, message) => {
  const note = await noteOf(5);
  expect(await patch(note.id, body)).toMatchObject(refused({ param, message }));
  expect(await on.readNote(note.id)).toEqual(note);
});

test('a credit note sent back unchanged writes no event and no entry', async () => {
  const note = await noteOf(5, { taxes: ['vat'], discounts: [{ amount: 1 }], metadata: { a: 'b' } });
  const entries = await on.entriesOf(async () => {
    expect(await patch(note.id, note)).toMatchObject({ status: 200, body: note });
  });
  expect(entries).toEqual([]);
  const events = (await on.api.sandbox.get(`/events?related_to=credit_note,${note.id}`)).body;
  expect(events).toHaveLength(1);
});

test('omitting attachments keeps the files of a credit note, a list replaces them', async () => {
  const { sandbox } = on.api;
  const file = async (name: string) =>
    (await sandbox.make('/files', { url: `https://files.example/${name}`, name, size: 3, type: 'text/plain' })).id;
  const [first, second] = [await file('a.txt'), await file('b.txt')];
  const note = await noteOf(5, { attachments: [first] });
  const carried = async () => {
    const { body } = await sandbox.get(`/credit_notes/${note.id}/attachments`);
    return body.map((one: { file: { id: number } }) => one.file.id);
  };
  expect(await carried()).toEqual([first]);
  await patch(note.id, { notes: 'kept' });
  expect(await carried()).toEqual([first]);
  await patch(note.id, { attachments: [second, first] });
  expect(await carried()).toEqual([second, first]);
  const kept = await sandbox.delete(`/files/${first}`);
  expect(kept).toMatchObject(refused({ message: expect.stringContaining(`credit note ${note.number}`) }));
  await patch(note.id, { attachments: [] });
  expect(await carried()).toEqual([]);
  expect(await on.note(5, { attachments: [4711] })).toMatchObject(refused({ param: 'attachments[0]' }));
});
