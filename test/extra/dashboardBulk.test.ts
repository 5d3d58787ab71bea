import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWholeDashboard, type Visitor, visitDashboard, type WholeDashboard } from '../support/dashboard.ts';
import { looksIn } from '../support/pageLooks.ts';

const look = looksIn('dashboard');

let whole: WholeDashboard;
let visitor: Visitor;
let customer: number;

beforeAll(async () => {
  whole = await startWholeDashboard();
  visitor = await visitDashboard(whole, 'ann@acme.example');
  customer = (await whole.product.client.post('/customers', { name: 'Ann Archer' })).id;
});
afterAll(() => whole?.close());

const invoiceOf = () =>
  whole.product.client.post('/invoices', { customer, name: 'Batch', items: [{ name: 'Support', unit_cost: 10 }] });

test('invoices are selected and voided, and the one that is refused is told with its reason', async () => {
  for (let count = 0; count < 3; count += 1) await invoiceOf();
  const { id: invoice, number } = await invoiceOf();
  const applied_to = [{ type: 'invoice' as const, invoice, amount: 10 }];
  await whole.product.client.post('/payments', { customer, amount: 10, method: 'check', applied_to });
  const { page, open, complaints } = visitor;
  await open('invoices');
  await page.getByRole('link', { name: number ?? '' }).waitFor();
  await page.getByLabel('Select all shown').check();
  await page.getByText('4 selected').waitFor();
  await page.getByRole('button', { name: 'Act on them' }).click();
  await page.getByRole('menuitem', { name: 'Void' }).click();
  await page.getByRole('heading', { name: 'Void: 4' }).waitFor();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Refused: 1').waitFor();
  await look(page, 'bulk-refused');
  await page.getByRole('button', { name: 'Close' }).click();
  const rows = page.getByRole('row', { name: 'Voided' });
  await rows.nth(2).waitFor();
  expect(await rows.count()).toBe(3);
  expect(complaints).toEqual([]);
});
