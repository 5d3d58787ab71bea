import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { byNote, type Credits, cash, noteToBalance, startCredits } from '../../support/credits.ts';

/** Invalid credit notes and invalid applications. Each refusal names the field and leaves the books unchanged. */

let on: Credits;
beforeAll(async () => {
  on = await startCredits();
  await on.api.sandbox.post('/items', { id: 'euro', name: 'E', currency: 'eur', unit_cost: 3 });
  await on.api.sandbox.post('/tax_rates', { id: 'euro', name: 'E', value: 3, is_percent: false, currency: 'eur' });
});
afterAll(() => on.api.close());
beforeEach(() => on.begin());

test.each([
  [{ customer: undefined }, 'customer', 'Customer missing'],
  [{ customer: 4711 }, 'customer', 'Customer was not found: 4711'],
  [{ items: [{ unit_cost: 5 }, { unit_cost: -1 }] }, 'items[1][unit_cost]', /must not be negative/],
  [{ items: [{ unit_cost: -1 }] }, 'items', /must not be negative/],
  [{ items: [{ quantity: -1, unit_cost: 5 }] }, 'items', /must not be negative/],
  [{ items: [{ catalog_item: 'euro' }] }, 'items[0][catalog_item]', 'Item euro is priced in eur, not usd'],
  [{ items: [{ catalog_item: 'none' }] }, 'items[0][catalog_item]', /was not found/],
  [{ taxes: ['euro'] }, 'taxes[0]', /eur/],
  [{ discounts: ['none'] }, 'discounts[0]', /was not found/],
  [{ draft: true, closed: true }, 'closed', 'A draft cannot be closed: it credits nothing yet'],
  [{ draft: true, sent: true }, 'sent', 'A draft cannot be sent: issue it first'],
  [{ currency: 'xyz' }, 'currency', 'Currency must be an ISO 4217 currency code: xyz'],
  [{ invoice: 4711 }, 'invoice', 'Invoice was not found: 4711'],
  [{ ship_to: { name: 'x' } }, 'ship_to', /Unknown field ship_to/],
  [{ metadata: { k: 'x'.repeat(256) } }, 'metadata', /at most 255 characters/],
  [{ items: Array.from({ length: 1001 }, () => ({ unit_cost: 1 })) }, 'items', /at most 1000 elements/],
])('%j is refused, naming %s', async (body, param, message) => {
  const answer = await on.api.sandbox.post('/credit_notes', {
    customer: on.customer,
    items: [{ name: 'x', unit_cost: 5 }],
    ...body,
  });
  expect(answer).toMatchObject(refused({ param }));
  expect(answer.body.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
});

/** Invoices that a credit note of the customer cannot correct. */
const wrong: [string, () => Promise<number>, object, string][] = [
  [
    'an invoice of another customer',
    async () => on.invoice(5, { customer: await otherCustomer() }),
    {},
    'was not found',
  ],
  ['a draft', () => on.invoice(5, { draft: true }), {}, 'is a draft'],
  ['an invoice that was written off', () => on.invoice(5, { closed: true }), {}, 'is closed'],
  [
    'an invoice in another currency',
    () => on.invoice(5, { currency: 'eur' }),
    { currency: 'usd' },
    'is in eur, not usd',
  ],
  ['a voided invoice', voidedInvoice, {}, 'is voided'],
];

async function otherCustomer(): Promise<number> {
  return (await on.api.sandbox.make('/customers', { name: 'Other' })).id;
}

async function voidedInvoice(): Promise<number> {
  const id = await on.invoice(5);
  await on.api.sandbox.post(`/invoices/${id}/void`);
  return id;
}

test.each(wrong)('a credit note cannot correct this invoice: %s', async (_what, make, more, why) => {
  const invoice = await make();
  const answer = await on.note(5, { invoice, ...more });
  expect(answer).toMatchObject(refused({ param: 'invoice', message: expect.stringContaining(why) }));
});

test("a credit note of an invoice has the invoice's currency", async () => {
  const invoice = await on.invoice(5, { currency: 'eur' });
  expect((await on.note(5, { invoice })).body).toMatchObject({ currency: 'eur', balance: 0 });
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 0, paid: true });
});

/** Credit notes that cannot pay 5.00 usd of an invoice of the customer. */
const unfit: [string, () => Promise<number>, string, string][] = [
  ['a credit note of another customer', () => noteOf(5, { customer: 0 }), 'credit_note', 'was not found'],
  ['a credit note in another currency', () => noteOf(5, { currency: 'eur' }), 'credit_note', 'is in eur, not usd'],
  ['a draft', () => noteOf(5, { draft: true }), 'credit_note', 'is a draft: issue it first'],
  ['a closed credit note', () => noteOf(5, { closed: true }), 'credit_note', 'is closed'],
  ['a voided credit note', voidedNote, 'credit_note', 'is voided'],
  ['a deleted credit note', deletedNote, 'credit_note', 'was not found'],
  ['a credit note with too small a balance', () => noteOf(4.99, {}), 'amount', 'has a balance of 4.99, less than 5.00'],
];

async function noteOf(amount: number, more: Record<string, unknown>): Promise<number> {
  const whose = more.customer === 0 ? { customer: await otherCustomer() } : {};
  return (await on.note(amount, { ...more, ...whose })).body.id;
}

async function voidedNote(): Promise<number> {
  const id = await noteOf(5, {});
  await on.api.sandbox.post(`/credit_notes/${id}/void`);
  return id;
}

async function deletedNote(): Promise<number> {
  const id = await noteOf(5, {});
  await on.api.sandbox.delete(`/credit_notes/${id}`);
  return id;
}

test.each(unfit)(
  'a credit note cannot be applied, the field is named and nothing is recorded: %s',
  async (_what, make, field, why) => {
    const [good, bad] = [await noteOf(5, {}), await make()];
    const [first, second] = [await on.invoice(5), await on.invoice(5)];
    const param = `applied_to[1][${field}]`;
    const refusal = refused({ param, message: expect.stringContaining(why) });
    expect(await on.pay(10, [byNote(good, first, 5), byNote(bad, second, 5)])).toMatchObject(refusal);
    expect(await on.pay(10, [byNote(good, first, 5), noteToBalance(bad, 5)])).toMatchObject(refusal);
    expect(await on.readNote(good)).toMatchObject({ balance: 5 });
    expect(await on.readInvoice(first)).toMatchObject({ balance: 5 });
  },
);

test('several applications of one credit note share its balance', async () => {
  const note = await noteOf(10, {});
  const [first, second] = [await on.invoice(8), await on.invoice(8)];
  const answer = await on.pay(16, [byNote(note, first, 8), byNote(note, second, 8)]);
  const message = expect.stringContaining('has a balance of 2.00, less than 8.00'); // 10 - 8
  expect(answer).toMatchObject(refused({ param: 'applied_to[1][amount]', message }));
  const twice = await on.pay(10, [byNote(note, first, 4), byNote(note, first, 4)]);
  expect(twice).toMatchObject(refused({ param: 'applied_to' }));
});

test.each([
  [{ type: 'credit_note', invoice: 1, amount: 1 }, 'applied_to[0][credit_note]', 'Credit note missing'],
  [{ type: 'credit_note', credit_note: 1, amount: 1 }, 'applied_to[0][invoice]', 'Invoice missing'],
  [
    { type: 'credit_note', credit_note: 1, document_type: 'estimate', amount: 1 },
    'applied_to[0][estimate]',
    'Estimate missing',
  ],
  [
    { type: 'invoice', invoice: 1, credit_note: 1, amount: 1 },
    'applied_to[0][credit_note]',
    'Credit note does not belong in an application of type invoice',
  ],
  [{ type: 'credit_note', credit_note: 4711, invoice: 0, amount: 1 }, 'applied_to[0][invoice]', undefined],
])('an application %j is refused, naming %s', async (application, param, message) => {
  const answer = await on.pay(10, [application]);
  expect(answer).toMatchObject(refused({ param }));
  if (message) expect(answer.body.message).toBe(message);
});

test('an invoice cannot be voided or repriced before the credit note that corrects it is voided', async () => {
  const { sandbox } = on.api;
  const invoice = await on.invoice(100);
  const money = await on.pay(100, [cash(invoice, 100)]);
  const { body: note } = await on.note(100, { invoice });
  await sandbox.delete(`/payments/${money.body.id}`);
  const { number, balance } = await on.readInvoice(invoice);
  expect([balance, await on.balances()]).toEqual([100, [100]]); // balance of the invoice, credit balance
  const refusal = (done: string) =>
    refused({ message: `Invoice has credit note ${note.number} and cannot be ${done}: void the credit note first` });
  expect(await sandbox.post(`/invoices/${invoice}/void`)).toMatchObject(refusal('voided'));
  expect(await sandbox.delete(`/invoices/${invoice}`)).toMatchObject(refusal('deleted'));
  for (const [param, value] of [
    ['items', [{ unit_cost: 50 }]],
    ['number', 'X-1'],
    ['date', 1_700_000_000],
  ] as const) {
    const message = `Invoice ${number} has credit note ${note.number}: void the credit note first`;
    const answer = await sandbox.patch(`/invoices/${invoice}`, { [param]: value });
    expect(answer).toMatchObject(refused({ param, message }));
  }
  expect(await sandbox.patch(`/invoices/${invoice}`, { notes: 'n' })).toMatchObject({
    status: 200,
    body: { total: 100 },
  });
  await on.expectCleanBooks();
  const [credited] = await on.rows('select payment_id from payment_application where credit_note_id = ?', [note.id]);
  const posted = await on.entriesOf(async () => {
    await sandbox.delete(`/payments/${credited?.payment_id}`);
    // An open credit note also counts as a correction.
    expect(await sandbox.post(`/invoices/${invoice}/void`)).toMatchObject(refusal('voided'));
    expect((await sandbox.post(`/credit_notes/${note.id}/void`)).status).toBe(200);
    expect((await sandbox.post(`/invoices/${invoice}/void`)).status).toBe(200);
  });
  // The credit returns to the note and from there to revenue. The invoice's revenue is reversed.
  expect(posted).toEqual([
    'unapply customer_credits 100',
    'unapply customer_credits:notes -100',
    'void customer_credits:notes 100',
    'void receivable -100',
  ]);
  await on.expectCleanBooks();
});
