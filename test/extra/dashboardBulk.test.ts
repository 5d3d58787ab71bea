import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  copyCustomer,
  startWholeDashboard,
  type Visitor,
  visitDashboard,
  type WholeDashboard,
} from '../support/dashboard.ts';
import { looksIn } from '../support/pageLooks.ts';

const look = looksIn('dashboard');

const MANY = 10_000;

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
  await page.getByRole('heading', { name: 'Refused: 1' }).waitFor();
  const refused = page.locator('.refused li');
  await refused.getByRole('link', { name: number ?? '' }).waitFor();
  expect(await refused.textContent()).toBe(`${number}: Invoice has payments applied and cannot be voided`);
  await look(page, 'bulk-refused');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  const rows = page.getByRole('row', { name: 'Voided' });
  await rows.nth(2).waitFor();
  expect(await rows.count()).toBe(3);
  expect(complaints).toEqual([]);
});

test('10,000 customers get an owner while other pages are looked at, and the three that are refused are named', async () => {
  const { product } = whole;
  const [one] = await product.rows<{ account_id: number }>('select account_id from customer where id = ?', [customer]);
  await copyCustomer(product.deps.em, { name: 'Ann Archer', total: MANY });
  const refused = [4, 5000, 9990].map((place) => customer + place);
  for (const id of refused) await product.client.post('/customers/{id}/anonymize', null, { id });
  const { page, open } = visitor;
  await open('customers');
  await page.getByLabel('Select all shown').check();
  await page.getByRole('button', { name: 'Select all 10,000 that match' }).click();
  await page.getByText('10,000 selected').waitFor();
  await page.getByRole('button', { name: 'Act on them' }).click();
  await page.getByRole('menuitem', { name: 'Assign an owner' }).click();
  await page.getByRole('combobox', { name: 'Owner' }).selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Start' }).click();
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true });
  await close.click();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  const jobs = page.getByRole('region', { name: 'Jobs' });
  await jobs.getByText(/of 10,?000 done/).waitFor();
  await look(page, 'bulk-runs');
  await page.reload();
  await jobs.getByText('9997 of 10000 are done, 3 were refused').waitFor({ timeout: 600_000 });
  await jobs.getByRole('button', { name: 'Assign an owner: 10,000', exact: true }).click();
  await page.getByRole('heading', { name: 'Refused: 3' }).waitFor();
  const links = page.locator('.refused a');
  await links.filter({ hasText: 'Anonymized' }).nth(2).waitFor();
  const paths = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')?.split('/').at(-1)));
  expect(paths).toEqual(refused.map(String));
  expect(await page.locator('.refused').textContent()).not.toMatch(/Customer \d/);
  await close.click();
  await jobs.getByRole('button', { name: 'Close: Assign an owner: 10,000' }).click();
  await jobs.waitFor({ state: 'detached' });
  const owned = 'select count(*)::int as owned from customer where account_id = ? and owner_id is not null';
  expect(await product.rows(owned, [one?.account_id])).toEqual([{ owned: MANY - refused.length }]);
});
