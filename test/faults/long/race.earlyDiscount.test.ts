import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { discount, makeDue } from '../money/collected.ts';
import { expectRecovered } from '../money/recovery.ts';

/** A payment beside the end of an early-payment discount: 100.00 with a discount of 2.00. */

const ROUNDS = 8;
const DAY = 86_400;
let product: Product;

beforeAll(async () => {
  product = await startProduct({ worker: false, endpoint: true });
});
afterAll(() => product.close());

async function takeSteps(id: number): Promise<void> {
  const { accountId, deps } = product;
  const key = { accountId, id, lookUpDelay: deps.lookUpDelay };
  const step = () => inTransaction(deps.em, (em) => advanceInvoice(em, key, deps.systemNow()));
  while ((await step()).did !== null);
}

/**
 * Sends a payment of 98.00 while the discount is dropped, then takes all steps that follow. In the first two rounds one of them comes first.
 * Returns total, balance and credit notes.
 */
async function race(daysAgo: number, round: number): Promise<{ total: number; balance: number; notes: number[] }> {
  const { client } = product;
  const { customer, invoice } = await discount.make(product);
  await makeDue(product, discount, { customer, invoice });
  const date = Math.floor(Date.now() / 1000) - daysAgo * DAY;
  const payment = { customer, amount: 98, date, applied_to: [{ type: 'invoice' as const, invoice, amount: 98 }] };
  if (round === 0) await takeSteps(invoice);
  const paying = client.post('/payments', payment);
  if (round === 1) await paying;
  await Promise.all([takeSteps(invoice), paying, takeSteps(invoice)]);
  await takeSteps(invoice);
  const { total, balance } = await client.get('/invoices/{id}', { id: invoice });
  const notes = await client.get('/credit_notes', { filter: { customer } });
  const dropped = await product.rows(
    `select 1 from ledger_entry where invoice_id = ? and reason = 'early_discount' and ledger_account = 'receivable'`,
    [invoice],
  );
  expect(dropped).toHaveLength(total === 100 ? 1 : 0);
  return { total, balance, notes: notes.map((note) => note.total) };
}

test('a payment that is dated in time keeps the discount or gets it back once, whichever comes first', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ended = await race(3, round); // the discount ended two days ago
    const kept = { total: 98, balance: 0, notes: [] };
    const granted = { total: 100, balance: 0, notes: [2] }; // 100 - 98 - 2
    expect(ended).toEqual(ended.total === 98 ? kept : granted);
  }
});

test('a payment that is dated too late loses the discount once, whichever comes first', async () => {
  for (let round = 0; round < ROUNDS; round++)
    expect(await race(0, round)).toEqual({ total: 100, balance: 2, notes: [] }); // 100 - 98
});

test('the books are sound after all races', async () => {
  await product.startWorker();
  await expectRecovered(product);
});
