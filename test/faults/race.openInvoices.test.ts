import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Answer, unlessBusy } from '../support/api.ts';
import { type Credits, cash, startCredits } from '../support/credits.ts';

/** Credit reaches open invoices while they are paid, charged, voided and merged, and while other credit arrives: each amount counts once. */

let on: Credits;
beforeAll(async () => {
  on = await startCredits();
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: true });
});
afterAll(() => on.api.close());
beforeEach(() => on.begin());

const ROUNDS = [1, 2, 3];
const balanceOf = async (id: number) => Number((await on.readInvoice(id)).balance);
const last = async () => (await on.balances()).at(-1) ?? 0;
const done = ({ status }: Answer) => status < 300;
const post = (path: string, body?: object) => unlessBusy(() => on.api.sandbox.post(path, body));
/** Credit and open invoices side by side, as before an upgrade. */
async function idle(work: () => Promise<unknown>): Promise<void> {
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: false });
  await work();
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: true });
}

test.each(ROUNDS)('credit arrives several times at once: all of it pays, and nothing twice (%i)', async () => {
  const invoices = [await on.invoice(50), await on.invoice(40), await on.invoice(30)];
  const answers = await Promise.all([on.adjust(30), on.note(25), on.adjust(20), on.note(15), on.adjust(7)]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  expect(await Promise.all(invoices.map(balanceOf))).toEqual([0, 0, 23]); // 120 - 97
  expect(await last()).toBe(0);
  await on.expectCleanBooks();
});

test.each(ROUNDS)('a card is charged while credit arrives: one of both pays the invoice (%i)', async () => {
  const invoice = await on.invoice(30);
  const card = { customer: on.customer, method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const [charge] = await Promise.all([
    post('/charges', { ...card, amount: 30, applied_to: [cash(invoice, 30)] }),
    on.adjust(30),
  ]);
  expect([await balanceOf(invoice), await last()]).toEqual([0, done(charge) ? 30 : 0]);
  expect((await on.api.sandbox.get(`/charges?filter[customer]=${on.customer}`)).body.length).toBe(done(charge) ? 1 : 0);
  await on.expectCleanBooks();
});

test.each(ROUNDS)(
  'AutoPay is asked to charge twice while credit waits: credit pays, and the card the rest once (%i)',
  async () => {
    const source = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
    await post(`/customers/${on.customer}/payment_sources`, source);
    let invoice = 0;
    await idle(async () => {
      await on.adjust(29);
      invoice = await on.invoice(30, { autopay: true });
    });
    await Promise.all([post(`/invoices/${invoice}/pay`), on.adjust(0.5), post(`/invoices/${invoice}/pay`)]);
    const { body } = await on.api.sandbox.get(`/charges?filter[customer]=${on.customer}`);
    const charged = body.map(({ amount }: { amount: number }) => amount);
    expect(charged).toEqual([(await last()) === 0 ? 0.5 : 1]); // 30 - 29, less 0.50 if that was earlier
    expect(await balanceOf(invoice)).toBe(0);
    await on.expectCleanBooks();
  },
);

test.each(ROUNDS)('money is recorded while credit arrives: it is refused, or the credit stays (%i)', async () => {
  const [first, second] = [await on.invoice(30), await on.invoice(10)];
  const [paid] = await Promise.all([on.pay(30, [cash(first, 30)]), on.adjust(40)]);
  expect([await balanceOf(first), await balanceOf(second), await last()]).toEqual([0, 0, done(paid) ? 30 : 0]);
  await on.expectCleanBooks();
});

test.each(ROUNDS)('an invoice is voided while credit arrives: it is voided, or paid (%i)', async () => {
  const invoice = await on.invoice(30);
  const [voided, adjusted] = await Promise.all([post(`/invoices/${invoice}/void`), on.adjust(20)]);
  expect(adjusted.status).toBe(201);
  const { status, balance } = await on.readInvoice(invoice);
  expect([status === 'voided', balance, await last()]).toEqual(done(voided) ? [true, 0, 20] : [false, 10, 0]);
  await on.expectCleanBooks();
});

test.each(ROUNDS)(
  'a credit note is voided while other credit lets it pay: it is voided, or has paid (%i)',
  async () => {
    let [invoice, note] = [0, 0];
    await idle(async () => {
      invoice = await on.invoice(30);
      note = (await on.note(20)).body.id;
    });
    const [voided] = await Promise.all([post(`/credit_notes/${note}/void`), on.adjust(1)]);
    expect([await balanceOf(invoice), (await on.readNote(note)).balance]).toEqual(done(voided) ? [29, 0] : [9, 0]);
    await on.expectCleanBooks();
  },
);

test.each(ROUNDS)(
  'customers merge while credit of both arrives: all of it is there, and none is used twice (%i)',
  async () => {
    const merged = on.customer;
    await on.invoice(30);
    await on.begin();
    await on.invoice(10);
    const into = on.customer;
    const adjust = (customer: number, amount: number) => post('/credit_balance_adjustments', { customer, amount });
    const [both, ...credits] = await Promise.all([
      post(`/customers/${into}/merge`, { customer: merged }),
      adjust(into, 15),
      adjust(merged, 12),
      adjust(into, 2),
    ]);
    expect(both.status).toBe(200);
    const arrived = [15, 12, 2]
      .filter((_, index) => credits[index] && done(credits[index]))
      .reduce((sum, one) => sum + one, 0);
    const { body } = await on.api.sandbox.get(`/customers/${into}/balance`);
    expect(body.total_outstanding - body.available_credits).toBe(40 - arrived);
    await on.expectCleanBooks();
  },
);

test.each(ROUNDS)('credit is taken back from an invoice while other credit arrives (%i)', async () => {
  const invoice = await on.invoice(100);
  await on.adjust(40);
  const [{ id } = { id: 0 }] = await on.rows('select id from payment where customer_id = ?', [on.customer]);
  await Promise.all([unlessBusy(() => on.api.sandbox.delete(`/payments/${id}`)), on.adjust(5), on.adjust(6)]);
  await on.adjust(1);
  expect([await balanceOf(invoice), await last()]).toEqual([88, 40]); // 100 - 5 - 6 - 1
  await on.expectCleanBooks();
});
