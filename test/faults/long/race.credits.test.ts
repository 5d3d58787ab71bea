import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Answer, refused } from '../../support/api.ts';
import { byNote, type Credits, cash, credit, spend, startCredits } from '../../support/credits.ts';

/** Several requests use the same credit at the same time. It is spent once, and the other requests are refused with the reason. */

let on: Credits;
beforeAll(async () => {
  on = await startCredits();
});
afterAll(() => on.api.close());
beforeEach(() => on.begin());

const applies = (value: boolean) => on.api.sandbox.patch('/account', { apply_credits_at_issue: value });
const done = (answers: readonly Answer[]) => answers.filter(({ status }) => status < 300);
const refusals = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 400);
const ROUNDS = [1, 2, 3, 4, 5];

test.each(ROUNDS)('two payments spend the same credit: exactly one succeeds (%i)', async () => {
  await on.adjust(30);
  const [first, second] = [await on.invoice(30), await on.invoice(30)];
  const answers = await Promise.all([on.pay(30, [spend(first, 30)]), on.pay(30, [spend(second, 30)])]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
  const param = 'applied_to[0][amount]';
  const message = expect.stringContaining('0.00 usd of credit');
  expect(refusals(answers)[0]?.body).toMatchObject({ param, message });
  const owed = [await on.readInvoice(first), await on.readInvoice(second)].map(({ balance }) => balance);
  expect(owed.sort()).toEqual([0, 30]);
  expect(await on.balances()).toEqual([30, 0]);
  await on.expectCleanBooks();
});

test.each(ROUNDS)('two payments apply the same credit note: exactly one succeeds (%i)', async () => {
  const [{ body: note }, { body: other }] = [await on.note(30), await on.note(30)];
  const [first, second] = [await on.invoice(30), await on.invoice(30)];
  const { body: payment } = await on.pay(30, [byNote(other.id, second, 30)]);
  const answers = await Promise.all([
    on.pay(30, [byNote(note.id, first, 30)]),
    on.api.sandbox.patch(`/payments/${payment.id}`, { applied_to: [byNote(note.id, second, 30)] }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual(answers[0].status === 201 ? [201, 400] : [200, 400]);
  expect(refusals(answers)[0]?.body.message).toMatch(/^Credit note CN-\d+ has a balance of 0\.00, less than 30\.00$/);
  const balances = [await on.readInvoice(first), await on.readNote(note.id), await on.readNote(other.id)];
  // A payment that is changed to this note releases the other note.
  expect(balances.map(({ balance }) => balance)).toEqual(answers[0].status === 201 ? [0, 0, 0] : [30, 0, 30]);
  expect((await on.readInvoice(second)).balance).toBe(0);
  await on.expectCleanBooks();
});

test('when twenty payments each spend 10 of 95, nine succeed', async () => {
  await on.adjust(95);
  const invoices = await Promise.all(Array.from({ length: 20 }, () => on.invoice(10)));
  const answers = await Promise.all(invoices.map((id) => on.pay(10, [spend(id, 10)])));
  expect([done(answers).length, refusals(answers).length]).toEqual([9, 11]);
  expect((await on.balances()).at(-1)).toBe(5); // 95 - 9 x 10
  await on.expectCleanBooks();
});

test.each(ROUNDS)(
  'an invoice is issued while its credit is spent on another one: the credit is spent once (%i)',
  async () => {
    await on.adjust(30);
    const { body: note } = await on.note(20);
    const other = await on.invoice(50);
    await applies(true);
    const [issued, spent, applied] = await Promise.all([
      on.invoice(50),
      on.pay(30, [spend(other, 30)]),
      on.pay(20, [byNote(note.id, other, 20)]),
    ]);
    await applies(false);
    const [first, second] = [await on.readInvoice(issued), await on.readInvoice(other)];
    // The total credit is 50, wherever it is spent.
    expect(Number(first.balance) + Number(second.balance)).toBe(50); // 50 + 50 - 30 - 20
    expect(second.balance).toBe(50 - (spent.status === 201 ? 30 : 0) - (applied.status === 201 ? 20 : 0));
    if (spent.status !== 201)
      expect(spent).toMatchObject(refused({ message: expect.stringContaining('0.00 usd of credit') }));
    if (applied.status !== 201)
      expect(applied).toMatchObject(refused({ message: expect.stringContaining('has a balance of 0.00') }));
    expect((await on.balances()).at(-1)).toBe(0);
    await on.expectCleanBooks();
  },
);

test.each(ROUNDS)('a credit note is voided while it is applied: exactly one request succeeds (%i)', async () => {
  const { body: note } = await on.note(20);
  const invoice = await on.invoice(50);
  const answers = await Promise.all([
    on.api.sandbox.post(`/credit_notes/${note.id}/void`),
    on.pay(20, [byNote(note.id, invoice, 20)]),
  ]);
  expect([done(answers).length, refusals(answers).length]).toEqual([1, 1]);
  const { status } = await on.readNote(note.id);
  expect([status, (await on.readInvoice(invoice)).balance]).toEqual(
    answers[0].status === 200 ? ['voided', 50] : ['paid', 30],
  );
  await on.expectCleanBooks();
});

test.each(ROUNDS)(
  'a payment is voided while the credit that it added is spent: exactly one request succeeds (%i)',
  async () => {
    const { body: payment } = await on.pay(20, [credit(20)]);
    const invoice = await on.invoice(20);
    const answers = await Promise.all([
      on.api.sandbox.delete(`/payments/${payment.id}`),
      on.pay(20, [spend(invoice, 20)]),
    ]);
    expect([done(answers).length, refusals(answers).length]).toEqual([1, 1]);
    expect((await on.balances()).at(-1) ?? 0).toBe(0);
    await on.expectCleanBooks();
  },
);

test.each(ROUNDS)(
  'simultaneous payments by money, credit note and credit balance never overpay an invoice (%i)',
  async () => {
    await on.adjust(50);
    const { body: note } = await on.note(50);
    const invoice = await on.invoice(50);
    const answers = await Promise.all([
      on.pay(50, [spend(invoice, 50)]),
      on.pay(50, [byNote(note.id, invoice, 50)]),
      on.pay(50, [cash(invoice, 50)]),
      on.note(50, { invoice }),
    ]);
    expect(await on.readInvoice(invoice)).toMatchObject({ balance: 0, paid: true });
    // The credit note for the invoice is always issued: the part that the invoice does not take goes to the credit balance.
    expect(answers[3]?.status).toBe(201);
    expect(done(answers.slice(0, 3)).length).toBeLessThanOrEqual(1);
    for (const { body } of refusals(answers)) expect(body.message).toMatch(/^Invoice INV-\d+ is paid$/);
    await on.expectCleanBooks();
  },
);

test('simultaneous adjustments of one balance never leave it negative', async () => {
  await on.adjust(10);
  const amounts = Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? 3 : -5));
  const answers = await Promise.all(amounts.map((amount) => on.adjust(amount)));
  const made = done(answers).map(({ body }) => body.amount);
  expect((await on.balances()).at(-1)).toBe(made.reduce((sum, amount) => sum + amount, 10));
  expect(Math.min(...(await on.balances()))).toBeGreaterThanOrEqual(0);
  expect(refusals(answers).length).toBeGreaterThan(0); // 10 + 12 x 3 = 46, less than 12 x 5 = 60
  await on.expectCleanBooks();
});
