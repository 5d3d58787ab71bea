import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { byNote, type Credits, cash, credit, noteToBalance, spend, startCredits } from '../../support/credits.ts';

/** Credit that a person took back from an invoice: it does not pay that invoice again by itself, all other credit does. */

const DAY = 86_400;
const now = Date.UTC(2027, 2, 1) / 1000;
let on: Credits;
beforeAll(async () => {
  on = await startCredits(() => new Date(now * 1000));
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: true });
});
afterAll(() => on.api.close());
beforeEach(() => on.begin());

const balanceOf = async (id: number) => (await on.readInvoice(id)).balance;
const balances = (ids: number[]) => Promise.all(ids.map(balanceOf));
const due = (days: number) => ({ due_date: now + days * DAY });
const idOf = async (answer: ReturnType<Credits['adjust']>): Promise<number> => (await answer).body.id;
const clean = () => on.expectCleanBooks();

test('credit that a person took back from an invoice does not pay it again by itself, other credit does', async () => {
  const { sandbox } = on.api;
  const [a, b] = [await on.invoice(100, due(1)), await on.invoice(10, due(9))];
  await on.adjust(40);
  expect(await balances([a, b])).toEqual([60, 10]);
  const [{ id: payment } = { id: 0 }] = await on.rows('select id from payment where customer_id = ?', [on.customer]);
  await sandbox.delete(`/payments/${payment}`);
  expect(await balances([a, b])).toEqual([100, 10]); // what was taken back pays nothing at once
  await on.adjust(5);
  expect(await balances([a, b])).toEqual([95, 0]); // a gets the 5 that are new, b 10 of the 40
  await on.adjust(2);
  expect(await balances([a, b])).toEqual([93, 0]); // 30 of the 40 are still withheld from a
  expect((await on.balances()).at(-1)).toBe(30);
  await on.pay(30, [spend(a, 30)]);
  expect(await balanceOf(a)).toBe(63); // by hand it pays
  await clean();
});

test('a credit note that a person took back is withheld, also when it is moved to the credit balance', async () => {
  const { sandbox } = on.api;
  const a = await on.invoice(100);
  const note = await idOf(on.note(40));
  const [{ id: payment } = { id: 0 }] = await on.rows('select id from payment where customer_id = ?', [on.customer]);
  await sandbox.patch(`/payments/${payment}`, { amount: 10, applied_to: [byNote(note, a, 10)] });
  expect([await balanceOf(a), (await on.readNote(note)).balance]).toEqual([90, 30]);
  await on.note(1);
  expect(await balanceOf(a)).toBe(89); // 90 - 1
  await on.pay(30, [noteToBalance(note, 30)]);
  expect(await balanceOf(a)).toBe(89);
  expect((await on.balances()).at(-1)).toBe(30);
  await clean();
});

test('money that a person takes from an invoice to the credit balance does not pay that invoice again', async () => {
  const [a, b] = [await on.invoice(100, due(1)), await on.invoice(30, due(2))];
  const { body: payment } = await on.pay(100, [cash(a, 100)]);
  await on.api.sandbox.patch(`/payments/${payment.id}`, { applied_to: [credit(100)] });
  expect(await balances([a, b])).toEqual([100, 0]); // 100 - 30 stay in the balance
  expect((await on.balances()).at(-1)).toBe(70);
  await clean();
});

test('no more is withheld than was taken back: what lay in the balance besides pays', async () => {
  const { sandbox } = on.api;
  const a = await on.invoice(100);
  await sandbox.patch(`/invoices/${a}`, { expected_payment_date: { date: now + 5 * DAY, method: 'check' } });
  await on.adjust(100); // a promised invoice is left out
  const { body: payment } = await on.pay(40, [spend(a, 40)]);
  await sandbox.delete(`/payments/${payment.id}`);
  await sandbox.patch(`/invoices/${a}`, { expected_payment_date: null });
  await on.adjust(1);
  expect(await balanceOf(a)).toBe(39); // 100 - (100 - 40) - 1
  expect((await on.balances()).at(-1)).toBe(40);
  const b = await on.invoice(15);
  expect(await balanceOf(b)).toBe(0); // an invoice from which nothing was taken
  await on.adjust(3);
  expect(await balanceOf(a)).toBe(36); // the 25 that are left are withheld, the 3 are new
  await clean();
});

test('of a credit note, too, only what was taken back is withheld', async () => {
  const { sandbox } = on.api;
  const a = await on.invoice(100);
  const note = await idOf(on.note(60));
  expect(await balanceOf(a)).toBe(40);
  const [{ id: payment } = { id: 0 }] = await on.rows('select id from payment where customer_id = ?', [on.customer]);
  await sandbox.patch(`/payments/${payment}`, { amount: 45, applied_to: [byNote(note, a, 45)] });
  expect([await balanceOf(a), (await on.readNote(note)).balance]).toEqual([55, 15]);
  await on.adjust(5);
  expect([await balanceOf(a), (await on.readNote(note)).balance]).toEqual([50, 15]);
  await clean();
});

test('credit that is taken back twice is withheld once, and a payment that is replaced by the same withholds nothing', async () => {
  const { sandbox } = on.api;
  const a = await on.invoice(100);
  await on.adjust(40);
  const payments = () => on.rows('select id from payment where customer_id = ? and not voided', [on.customer]);
  const [{ id: first } = { id: 0 }] = await payments();
  await sandbox.patch(`/payments/${first}`, { amount: 30, applied_to: [spend(a, 30)] });
  expect(await balanceOf(a)).toBe(70);
  await on.adjust(20);
  expect(await balanceOf(a)).toBe(50); // 10 of the 40 are withheld
  await sandbox.delete(`/payments/${first}`);
  expect(await balanceOf(a)).toBe(80);
  await on.adjust(1);
  expect([await balanceOf(a), (await on.balances()).at(-1)]).toEqual([79, 40]); // 10 + 30 are withheld
  await clean();
});

test('money that leaves for the credit of another customer or currency withholds nothing', async () => {
  const { sandbox } = on.api;
  const other = (await sandbox.make('/customers', { name: 'Other' })).id;
  for (const [more, left] of [
    [{ customer: other, applied_to: [credit(100)] }, 40],
    [{ currency: 'eur', applied_to: [credit(100)] }, 40],
  ] as const) {
    await on.begin();
    const a = await on.invoice(100);
    const { body: payment } = await on.pay(100, [cash(a, 100)]);
    await on.adjust(59);
    expect(await balanceOf(a)).toBe(0);
    expect((await sandbox.patch(`/payments/${payment.id}`, more)).status).toBe(200);
    await on.adjust(1); // 59 that were idle, and 1
    expect(await balanceOf(a)).toBe(left);
  }
  await clean();
});
