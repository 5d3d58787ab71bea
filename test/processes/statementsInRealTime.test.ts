import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { fastSweepConfig, steppedTime, stepTo } from '../support/steppedTime.ts';

/** Account statements that customers get by themselves, in real time that the test steps through. */

const time = steppedTime('2027-01-02T12:00:00Z');
let product: Product;
beforeAll(async () => {
  product = await startProduct({ config: fastSweepConfig, systemNow: time.systemNow });
});
afterAll(() => product.close());

test('customers from before the setting get one mail a month, with the PDF, and each statement begins where the one before ended', async () => {
  const { live } = product;
  const customer = await live.post('/customers', { name: 'Cleo', email: 'cleo@example.com' });
  await live.post('/invoices', { customer: customer.id, items: [{ name: 'Work', unit_cost: 30 }] });
  await live.patch('/account', { statement_day: '5', time_zone: 'Europe/Berlin' });
  await stepTo(product, time, '2027-03-06T00:00:00Z');
  const mails = await live.get('/emails', { filter: { customer: customer.id, template: 'statement_email' } });
  expect(mails.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
  const arrived = product.mailbox.messages().filter(({ to }) => to.includes('cleo@example.com'));
  const file = `Statement of account ${customer.number}.pdf`;
  expect(arrived.map(({ files }) => files.map(({ name }) => name))).toEqual([[file], [file], [file]]);
  const rows = await product.rows<{ month: string; starts_at: Date; ends_at: Date; closing_balance: string }>(
    'select month, starts_at, ends_at, closing_balance from scheduled_statement order by month',
  );
  expect(rows.map(({ month, closing_balance: balance }) => [month, balance])).toEqual([
    ['2027-01', '30.0000'],
    ['2027-02', '30.0000'],
    ['2027-03', '30.0000'],
  ]);
  // 8:00 in Berlin is 7:00 UTC
  expect(new Date(rows[0]?.starts_at ?? 0).toISOString()).toBe('2026-12-05T07:00:00.000Z');
  expect(rows.slice(1).map((row) => row.starts_at)).toEqual(rows.slice(0, -1).map((row) => row.ends_at));
  await expectSound(product);
});
