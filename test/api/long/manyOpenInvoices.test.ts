import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Credits, startCredits } from '../../support/credits.ts';

/** Credit for more open invoices than one transaction pays: the process of one of them continues. */

const INVOICES = 1_100;
const NOW = new Date('2027-03-01T09:00:00Z');
let on: Credits;
beforeAll(async () => {
  on = await startCredits(() => NOW);
});
afterAll(() => on.api.close());

const open = async () => {
  const [row] = await on.rows('select count(*)::int as count from invoice where customer_id = ? and balance > 0', [
    on.customer,
  ]);
  return Number(row?.count);
};
const reviews = () =>
  on.rows(
    `select w.subject_id as id from wakeup w join invoice i on i.account_id = w.account_id and i.id = w.subject_id
     where w.process = 'invoice' and w.rule = 'credit_review' and i.customer_id = ?`,
    [on.customer],
  );

test('credit pays 200 open invoices in one transaction, and the others in steps of their own', async () => {
  await on.begin();
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: true });
  const due_date = NOW.getTime() / 1000 + 86_400;
  for (let made = 0; made < INVOICES; made += 20)
    await Promise.all(Array.from({ length: 20 }, (_, n) => on.invoice(1, { due_date: due_date + made + n })));
  const statements = await on.api.statements(async () => expect((await on.adjust(INVOICES + 5)).status).toBe(201));
  expect(statements.length).toBeLessThan(60);
  const left = [await open()];
  for (let [next] = await reviews(); next; [next] = await reviews()) {
    const key = { accountId: on.api.sandbox.account.id, id: Number(next.id), lookUpDelay: 60_000 };
    await inTransaction(on.api.em, (em) => advanceInvoice(em, key, NOW));
    left.push(await open());
  }
  expect(left).toEqual([900, 700, 500, 300, 100, 0]);
  expect((await on.balances()).at(-1)).toBe(5);
  await on.expectCleanBooks();
});

test('before a charge by request credit pays up to 1,000 older invoices at once, so that nothing is charged that it covers', async () => {
  const { sandbox } = on.api;
  await on.begin();
  await sandbox.patch('/account', { apply_credits_at_issue: false });
  const older = 250;
  for (let made = 0; made < older; made += 25) await Promise.all(Array.from({ length: 25 }, () => on.invoice(1)));
  await on.adjust(older + 29);
  const last = await on.invoice(30, { autopay: true, due_date: NOW.getTime() / 1000 + 40 * 86_400 });
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await sandbox.post(`/customers/${on.customer}/payment_sources`, card);
  await sandbox.patch('/account', { apply_credits_at_issue: true });
  expect((await sandbox.post(`/invoices/${last}/pay`)).body).toMatchObject({ paid: true });
  const { body: charges } = await sandbox.get(`/charges?filter[customer]=${on.customer}`);
  expect(charges.map(({ amount }: { amount: number }) => amount)).toEqual([1]); // 250 + 30 - 279
  expect(await open()).toBe(0);
  await on.expectCleanBooks();
});
