import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { type Credits, startCredits } from '../../support/credits.ts';

/** What credit notes to an invoice add up to, and what they may not exceed. */

let on: Credits;
beforeAll(async () => {
  on = await startCredits();
  await on.api.sandbox.post('/tax_rates', { id: 'vat', name: 'VAT', value: 20, is_percent: true });
  await on.api.sandbox.post('/tax_rates', { id: 'in', name: 'VAT', value: 20, is_percent: true, inclusive: true });
});
afterAll(() => on.api.close());
beforeEach(() => on.begin());

type Body = Record<string, unknown>;
const taxOf = ({ taxes }: Body) => (taxes as { amount: number }[]).map(({ amount }) => amount);
const LINES = [68.33, 68.33, 57.5, 85].map((unit_cost, index) => ({ name: `Line ${index}`, unit_cost }));

const invoiceOf = async (items: object[], taxes: string[] = ['vat']) =>
  (await on.api.sandbox.make('/invoices', { customer: on.customer, items, taxes })).id;
const noteOf = async (invoice: number, items: object[], more: object = {}) => {
  const { body } = await on.note(0, { invoice, items, taxes: ['vat'], ...more });
  return body;
};

test('one credit note for each line: together the invoice, with its tax', async () => {
  const invoice = await invoiceOf(LINES);
  const notes = [];
  for (const line of LINES) notes.push(await noteOf(invoice, [line]));
  // 20 % of 68.33 is 13.666; of 136.66 it is 27.332 (13.67 + 13.66); of 194.16 it is 38.832 (+ 11.50); of 279.16 it is 55.832 (+ 17.00)
  expect(notes.map(taxOf)).toEqual([[13.67], [13.66], [11.5], [17]]);
  expect(notes.map(({ total }) => total)).toEqual([82, 81.99, 69, 102]);
  expect(await on.readInvoice(invoice)).toMatchObject({ total: 334.99, balance: 0, paid: true });
  const posted = await on.rows(
    `select sum(amount)::text as tax from ledger_entry where ledger_account = 'tax_payable:vat' and credit_note_id in
       (select id from credit_note where invoice_id = ?)`,
    [invoice],
  );
  expect(posted).toEqual([{ tax: expect.stringMatching(/^55\.830*$/) }]);
  await on.expectCleanBooks();
});

test('halves of a line: the second one takes what rounding leaves', async () => {
  const invoice = await invoiceOf([{ name: 'x', unit_cost: 0.13 }], []);
  const half = { name: 'x', unit_cost: 0.13, quantity: 0.5 };
  const notes = [await noteOf(invoice, [half], { taxes: [] }), await noteOf(invoice, [half], { taxes: [] })];
  expect(notes.map(({ total }) => total)).toEqual([0.07, 0.06]); // 0.065 is rounded to 0.07; 0.13 - 0.07
  expect(notes[1]).toMatchObject({ items: [{ quantity: 0.5, unit_cost: 0.13, amount: 0.06 }] });
  await on.expectCleanBooks();
});

test('a voided credit note does not count, and one from before the rule counts as it is', async () => {
  const invoice = await invoiceOf(LINES);
  const first = await noteOf(invoice, LINES.slice(0, 1));
  const [payment] = await on.rows('select payment_id as id from payment_application where credit_note_id = ?', [
    first.id,
  ]);
  await on.api.sandbox.delete(`/payments/${payment?.id}`);
  expect((await on.api.sandbox.post(`/credit_notes/${first.id}/void`)).status).toBe(200);
  const notes = [];
  for (const line of LINES) notes.push(await noteOf(invoice, [line]));
  expect(notes.map(taxOf)).toEqual([[13.67], [13.66], [11.5], [17]]);

  const other = await invoiceOf(LINES);
  const earlier = [
    await on.note(0, { items: LINES.slice(0, 1), taxes: ['vat'] }),
    await on.note(0, { items: LINES.slice(1, 2), taxes: ['vat'] }),
  ];
  const ids = earlier.map(({ body }) => body.id);
  await on.rows('update credit_note set invoice_id = ? where id = any(?::int[])', [other, `{${ids.join()}}`]);
  const later = [await noteOf(other, LINES.slice(2, 3)), await noteOf(other, LINES.slice(3))];
  // 13.67 + 13.67 were credited before: 38.83 - 27.34 = 11.49; 55.83 - 38.83 = 17.00
  expect(later.map(taxOf)).toEqual([[11.49], [17]]);
});

test('a draft is computed when it is issued', async () => {
  const invoice = await invoiceOf(LINES);
  const draft = await noteOf(invoice, LINES.slice(1, 2), { draft: true });
  expect(taxOf(draft)).toEqual([13.67]);
  await noteOf(invoice, LINES.slice(0, 1));
  const { body } = await on.api.sandbox.patch(`/credit_notes/${draft.id}`, { draft: false });
  expect(body).toMatchObject({ total: 81.99, status: 'paid' });
  expect(taxOf(body)).toEqual([13.66]);
  await on.expectCleanBooks();
});

test('two credit notes at once: together no more than the invoice', async () => {
  const invoice = await invoiceOf(LINES);
  const asked = LINES.slice(0, 2).map((line) => on.note(0, { invoice, items: [line], taxes: ['vat'] }));
  const taxes = (await Promise.all(asked)).map(({ body }) => taxOf(body)[0] ?? 0);
  expect(taxes.toSorted()).toEqual([13.66, 13.67]);
  const whole = () => on.note(0, { invoice, items: [{ name: 'Rest', unit_cost: 142.5 }], taxes: ['vat'] }); // 57.50 + 85.00
  const both = await Promise.all([whole(), whole()]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400]);
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 0 });
  await on.expectCleanBooks();
});

test('two drafts that are issued at once are computed one after the other', async () => {
  const invoice = await invoiceOf(LINES);
  const drafts = [];
  for (const line of LINES.slice(0, 2)) drafts.push(await noteOf(invoice, [line], { draft: true }));
  expect(drafts.map(taxOf)).toEqual([[13.67], [13.67]]);
  const issued = await Promise.all(
    drafts.map(({ id }) => on.api.sandbox.patch(`/credit_notes/${id}`, { draft: false })),
  );
  expect(issued.map(({ body }) => taxOf(body)[0] ?? 0).toSorted()).toEqual([13.66, 13.67]);
  await on.expectCleanBooks();
});

test('a credit note beyond its invoice is refused with both amounts', async () => {
  const invoice = await invoiceOf([{ name: 'x', unit_cost: 100 }]); // 120.00
  await noteOf(invoice, [{ name: 'x', unit_cost: 50 }]); // 60.00
  for (const [unit_cost, asked] of [
    [50.01, '60.01'],
    [100, '120.00'],
  ] as const) {
    const answer = await on.note(0, { invoice, items: [{ name: 'x', unit_cost }], taxes: ['vat'] });
    const message = expect.stringContaining(`Only 60.00 usd of invoice INV-`);
    expect(answer).toMatchObject(refused({ param: 'items', message }));
    expect(answer.body.message).toContain(`is left to credit, not ${asked} usd`);
  }
  expect(await noteOf(invoice, [{ name: 'x', unit_cost: 50 }])).toMatchObject({ total: 60 });
  await on.expectCleanBooks();
});

test('a forced credit note credits what is left, and the excess becomes a credit adjustment without tax', async () => {
  const invoice = await invoiceOf([{ name: 'x', unit_cost: 100 }]); // 120.00
  await noteOf(invoice, [{ name: 'x', unit_cost: 50 }]); // 60.00
  const reason = 'Goodwill after an outage';
  const items = [{ name: 'x', unit_cost: 100 }];
  let note: Body = {};
  const entries = await on.entriesOf(async () => {
    note = await noteOf(invoice, items, { force: true, reason });
  });
  // 120.00 asked, 60.00 left: 50.00 with 10.00 tax, and 60.00 to the credit balance
  expect(note).toMatchObject({
    total: 60,
    force: true,
    reason,
    items: [{ unit_cost: 100, discounts: [{ amount: 50 }] }],
  });
  expect(taxOf(note)).toEqual([10]);
  expect(entries).toContain('adjustment credit_adjustments 60');
  const [adjustment] = (
    await on.api.sandbox.get('/credit_balance_adjustments?sort=id desc&per_page=1&expand=credit_note')
  ).body;
  expect(adjustment).toMatchObject({ amount: 60, notes: reason, credit_note: { id: note.id, total: 60 } });
  expect(await on.balances()).toEqual([60]);
  await on.expectCleanBooks();

  const [payment] = await on.rows('select payment_id as id from payment_application where credit_note_id = ?', [
    Number(note.id),
  ]);
  await on.api.sandbox.delete(`/payments/${payment?.id}`);
  expect((await on.api.sandbox.post(`/credit_notes/${note.id}/void`)).status).toBe(200);
  expect((await on.api.sandbox.get(`/credit_balance_adjustments/${adjustment.id}`)).status).toBe(404);
  await on.expectCleanBooks();
});

test('a forced draft is reduced when it is issued; one that fits has no adjustment', async () => {
  const invoice = await invoiceOf([{ name: 'x', unit_cost: 100 }], []);
  const force = { force: true, reason: 'Agreed', taxes: [] };
  const draft = await noteOf(invoice, [{ name: 'x', unit_cost: 150 }], { ...force, draft: true });
  expect(draft).toMatchObject({ total: 150, draft: true });
  expect(await noteOf(invoice, [{ name: 'x', unit_cost: 30 }], force)).toMatchObject({ total: 30 });
  expect(await on.balances()).toEqual([]);
  const { body } = await on.api.sandbox.patch(`/credit_notes/${draft.id}`, { draft: false });
  expect(body).toMatchObject({ total: 70, balance: 0 }); // 100 - 30
  expect(await on.balances()).toEqual([80]); // 150 - 70
  await on.expectCleanBooks();
});

test('a forced credit note that could only credit the balance keeps its lines: its excess is credited once', async () => {
  const invoice = await invoiceOf([{ name: 'x', unit_cost: 100 }], []);
  await noteOf(invoice, [{ name: 'x', unit_cost: 100 }], { taxes: [] });
  const force = { force: true, reason: 'Agreed', taxes: [] };
  const note = await noteOf(invoice, [{ name: 'x', unit_cost: 50 }], force);
  expect(note).toMatchObject({ total: 0 });
  expect(await on.balances()).toEqual([50]);
  const changed = await on.api.sandbox.patch(`/credit_notes/${note.id}`, { items: [{ name: 'x', unit_cost: 80 }] });
  expect(changed).toMatchObject(refused({ param: 'items' }));
  expect(await on.balances()).toEqual([50]);
  await on.expectCleanBooks();
});

test('a negative line is refused, wherever it stands', async () => {
  const invoice = await invoiceOf([{ name: 'A', unit_cost: 100 }], []);
  const lines = [
    { name: 'A', unit_cost: 60 },
    { name: 'A', unit_cost: -10 },
  ];
  for (const [items, at] of [
    [lines, 1],
    [lines.toReversed(), 0],
  ] as const)
    for (const draft of [true, false]) {
      const answer = await on.note(0, { invoice, items, draft });
      expect(answer).toMatchObject(refused({ param: `items[${at}][unit_cost]` }));
    }
  const draft = await noteOf(invoice, lines.slice(0, 1), { draft: true, taxes: [] });
  const changed = await on.api.sandbox.patch(`/credit_notes/${draft.id}`, { items: lines });
  expect(changed).toMatchObject(refused({ param: 'items[1][unit_cost]' }));
  await on.expectCleanBooks();
});

test.each([
  ['force without a reason', { force: true }, 'reason'],
  ['a reason without force', { reason: 'because' }, 'reason'],
  ['another currency', { currency: 'eur' }, 'invoice'],
])('%s is refused', async (_, more, param) => {
  const invoice = await invoiceOf([{ name: 'x', unit_cost: 100 }], []);
  const answer = await on.note(5, { invoice, ...more });
  expect(answer).toMatchObject(refused({ param }));
});

test('force and reason of a draft change, and those of an issued credit note do not', async () => {
  const invoice = await invoiceOf([{ name: 'x', unit_cost: 100 }], []);
  const draft = await noteOf(invoice, [{ name: 'x', unit_cost: 5 }], { draft: true, taxes: [] });
  const patch = (body: object) => on.api.sandbox.patch(`/credit_notes/${draft.id}`, body);
  expect(await patch({ force: true })).toMatchObject(refused({ param: 'reason' }));
  expect((await patch({ force: true, reason: 'Agreed' })).body).toMatchObject({ force: true, reason: 'Agreed' });
  expect((await patch({ force: false })).body).toMatchObject({ force: false, reason: null });
  expect(await patch({ currency: 'eur' })).toMatchObject(refused({ param: 'invoice' }));
  await patch({ draft: false });
  expect(await patch({ force: true, reason: 'Late' })).toMatchObject(refused({ param: 'force' }));
});

test('a late fee is taken back once, although two people ask at the same time; a repeated request answers the same', async () => {
  const fee = { type: 'late_fee', name: 'Late fee', unit_cost: 10, taxable: false };
  const invoice = await invoiceOf([{ name: 'Line', unit_cost: 100 }, fee], []);
  const body = { customer: on.customer, invoice, items: [fee] };
  const keys = ['one', 'other'].map((name) => ({ 'Idempotency-Key': `${name} waives ${invoice}` }));
  const ask = (key: Record<string, string>) => on.api.sandbox.post('/credit_notes', body, key);
  const answers = await Promise.all(keys.map(ask));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
  const message = /^Only 0\.00 usd of the late fees on invoice .+ is left to credit, not 10\.00 usd/;
  const beyond = refused({ code: 'amount_too_large', param: 'items', message: expect.stringMatching(message) });
  for (const [place, key] of keys.entries()) {
    const { status, body: first } = answers[place] ?? {};
    expect(await ask(key)).toMatchObject(status === 201 ? { status, body: first } : beyond);
  }
  expect(await on.readInvoice(invoice)).toMatchObject({ total: 110, balance: 100 });
  await on.api.sandbox.make('/credit_notes', { ...body, items: [{ name: 'Line', unit_cost: 100 }] });
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 0 });
});
