import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import type { Config } from '../../../bin/config.ts';
import { printGatewayAudit } from '../../../bin/gatewayAudit.ts';
import { recover } from '../../../bin/recover.ts';
import { type Credits, cash, startCredits } from '../../support/credits.ts';
import { TEST_KEY } from '../../support/database.ts';
import { printedLines } from '../../support/printedLines.ts';
import { testConfig } from '../../support/product.ts';

/** Convenience fees in the comparison with the gateway, and in the recovery of lost charges. */

let books: Credits;
const SINCE = new Date(Date.now() - 3_600_000).toISOString();
const config = (): Config =>
  testConfig({ DATABASE_URL: books.api.databaseUrl, PERENNIAL_ENCRYPTION_KEY: TEST_KEY.toString('base64') });
const fee = (amount: number) => ({ type: 'convenience_fee', amount });

beforeAll(async () => {
  books = await startCredits();
  await books.begin();
  const { sandbox } = books.api;
  await sandbox.patch('/account', { convenience_fee_percent: 3, convenience_fee_places: ['DE'] });
  await sandbox.patch(`/customers/${books.customer}`, { country: 'DE' });
});
afterAll(() => books.api.close());

async function charge() {
  const invoice = await books.invoice(100);
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const asked = { customer: books.customer, ...card, amount: 103, applied_to: [cash(invoice, 100), fee(3)] };
  return books.api.sandbox.make('/charges', asked);
}

test('books and gateway agree about charges and refunds with a fee, and a charge booked without it is found', async () => {
  const payment = await charge();
  await books.api.sandbox.make(`/charges/${payment.charge.id}/refunds`, { amount: 51.5 });
  const lines: string[] = [];
  const audit = () => {
    lines.length = 0;
    return printGatewayAudit(config(), ['--gateway'], (line) => lines.push(line));
  };
  expect([await audit(), lines]).toEqual([0, [expect.stringContaining('Books and gateways agree')]]);
  const { id } = payment.charge;
  await books.rows('update charge set amount = amount - convenience_fee where id = ?', [id]);
  expect(await audit()).toBe(1);
  expect(lines[0]).toContain('stored succeeded: 100.00 usd, recomputed succeeded: 103.00 usd');
  await books.rows('update charge set amount = amount + convenience_fee where id = ?', [id]);
  expect(await audit()).toBe(0);
});

test('a charge that the database lost is recovered without its fee: all its money is unapplied', async () => {
  const payment = await charge();
  const { gateway_id: reference } = payment.charge;
  await books.api.em.transactional(async (em) => {
    await em.execute(`set local session_replication_role = replica`);
    const ofPayment = ['ledger_entry', 'payment_application'].map(
      (table) => `delete from ${table} where payment_id = ?`,
    );
    for (const sql of ofPayment) await em.execute(sql, [payment.id]);
    await em.execute('delete from event where subject_type = ? and subject_id = ?', ['payment', String(payment.id)]);
    await em.execute('delete from payment where id = ?', [payment.id]);
    await em.execute('delete from charge where id = ?', [payment.charge.id]);
    await em.execute('delete from attempt where reference = ?', [reference]);
  });
  await printedLines(() => recover(config(), ['--since', SINCE, '--apply']));
  const [found] = (await books.api.sandbox.get(`/charges?filter[gateway_id]=${reference}`)).body;
  expect(found).toMatchObject({ amount: 103, convenience_fee: 0, status: 'succeeded' });
  expect(await printGatewayAudit(config(), ['--gateway'], () => undefined)).toBe(0);
  expect((await auditDatabase(books.api.databaseUrl)).filter(({ check }) => check.includes('fee'))).toEqual([]);
});
