import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessibilityFaults } from '../support/accessibility.ts';
import type { Site } from '../support/browser.ts';
import { startDashboard, type Visitor, visitDashboard } from '../support/dashboard.ts';
import { button } from '../support/dashboardActs.ts';
import { cell, choose, paste, total } from '../support/dashboardEditor.ts';
import { looksIn } from '../support/pageLooks.ts';

/** Documents that are edited while others change what they are about, and what goes along with them. */

const look = looksIn('dashboard');

let site: Site;
let visitor: Visitor;
let customer: number;

beforeAll(async () => {
  site = await startDashboard();
  customer = (await site.api.sandbox.make('/customers', { name: 'Ann Archer', email: 'ann@example.com' })).id;
  visitor = await visitDashboard(site, 'ann@acme.example');
});
afterAll(() => site?.close());

const read = async (path: string) => (await site.api.sandbox.get(path)).body;
const latest = async () => (await read('/invoices?sort=id desc&per_page=1'))[0];
const filesOf = async (id: number): Promise<string[]> =>
  (await read(`/invoices/${id}/attachments`)).map(({ file }: { file: { name: string } }) => file.name);
const textFile = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });

test('the files of a draft are in its editor: one more is added, one is removed, and a duplicate keeps them', async () => {
  const { page, open } = visitor;
  const file = await site.api.sandbox.make('/files', { url: 'https://files.example/terms.pdf', name: 'terms.pdf' });
  const plan = await site.api.sandbox.make('/files', { url: 'https://files.example/plan.pdf', name: 'plan.pdf' });
  const items = [{ name: 'Hour', unit_cost: 50 }];
  const body = { customer, draft: true, items, attachments: [file.id, plan.id] };
  const { id } = await site.api.sandbox.make('/invoices', body);
  await open(`invoices/${id}/edit`);
  await page.getByRole('button', { name: 'Remove terms.pdf' }).waitFor();
  await page.getByLabel('Attachments').setInputFiles(textFile('photo.txt'));
  await page.getByRole('button', { name: 'Remove photo.txt' }).waitFor();
  await page.getByText('Uploading').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Remove plan.pdf' }).click();
  await page.locator('.paper img').waitFor();
  expect(await page.getByText('It would stay a draft').count()).toBe(0); // it is one, but nothing keeps it from being issued
  await look(page, 'invoice-files');
  expect(await accessibilityFaults(page)).toEqual([]);
  await button(page, 'Save as draft').click();
  await page.getByRole('heading', { name: 'Invoice', level: 1, exact: true }).waitFor();
  expect(await filesOf(id)).toEqual(['terms.pdf', 'photo.txt']);

  await button(page, 'Duplicate').click();
  await page.getByRole('button', { name: 'Remove photo.txt' }).waitFor();
  await button(page, 'Issue').click();
  await page.getByRole('heading', { name: /^INV-/, level: 1 }).waitFor();
  const copy = await latest();
  expect(copy.id).not.toBe(id);
  expect(await filesOf(copy.id)).toEqual(['terms.pdf', 'photo.txt']);
  expect(await filesOf(id)).toEqual(['terms.pdf', 'photo.txt']);

  // A change of something else by others does not touch the files, and is no change of them.
  await open(`invoices/${copy.id}/edit`);
  await page.getByRole('button', { name: 'Remove photo.txt' }).waitFor();
  await page.getByLabel('Purchase order').fill('PO-7');
  await site.api.sandbox.patch(`/invoices/${copy.id}`, { sent: true });
  await button(page, 'Save').click();
  await page.getByRole('heading', { name: /^INV-/, level: 1 }).waitFor();
  expect(await read(`/invoices/${copy.id}`)).toMatchObject({ purchase_order: 'PO-7' });
  expect(await filesOf(copy.id)).toEqual(['terms.pdf', 'photo.txt']);
});

test('AutoPay of an invoice is that of its customer, or on or off for this one', async () => {
  const { page, open } = visitor;
  const issued = async (choice: string) => {
    await open('invoices/new');
    await choose(page, 'Customer', 'Ann Archer');
    await cell(page, 'Item or text', 1).fill('Hour');
    await cell(page, 'Unit cost', 1).fill('75');
    await page.getByLabel('AutoPay').selectOption({ label: choice });
    await button(page, 'Issue').click();
    await page.getByRole('heading', { name: /^INV-/, level: 1 }).waitFor();
    return (await latest()).autopay;
  };
  await site.api.sandbox.patch(`/customers/${customer}`, { autopay: true });
  expect([await issued('That of the customer'), await issued('No')]).toEqual([true, false]);
  await site.api.sandbox.patch(`/customers/${customer}`, { autopay: false });
  expect([await issued('That of the customer'), await issued('Yes')]).toEqual([false, true]);
  const { id } = await latest();
  await open(`invoices/${id}/edit`);
  expect(await page.getByLabel('AutoPay').isChecked()).toBe(true);
  await page.getByLabel('AutoPay').uncheck();
  await button(page, 'Save').click();
  await page.getByRole('heading', { name: /^INV-/, level: 1 }).waitFor();
  expect(await read(`/invoices/${id}`)).toMatchObject({ autopay: false });
});

test('a document with too many pages has totals, and says why it has no picture', async () => {
  const { page, open } = visitor;
  const description = Array(60).fill('x').join('\n');
  const items = Array.from({ length: 100 }, (_, place) => ({ name: `Hour ${place}`, unit_cost: 1, description }));
  const { id } = await site.api.sandbox.make('/invoices', { customer, draft: true, items });
  await open(`invoices/${id}/edit`);
  await total(page, 'Total$100.00');
  await page.getByText('The pages are too many or too large for a preview. The PDF will have them all.').waitFor();
  expect(await page.locator('.paper').count()).toBe(0);
});

test('an item that is archived while a line of it is edited is named at its line; detached, the line is issued', async () => {
  const { page, open } = visitor;
  await site.api.sandbox.make('/items', { id: 'setup', name: 'Setup fee', unit_cost: 250 });
  await open('invoices/new');
  await choose(page, 'Customer', 'Ann Archer');
  await cell(page, 'Item or text', 1).fill('Hour');
  await cell(page, 'Unit cost', 1).fill('75');
  await cell(page, 'Unit cost', 1).press('Enter');
  await cell(page, 'Item or text', 2).fill('Setup');
  await page.locator('datalist option[value="Setup fee"]').waitFor({ state: 'attached' });
  await cell(page, 'Item or text', 2).fill('Setup fee');
  await cell(page, 'Item or text', 2).press('Tab');
  await page.getByText('From the catalog: setup').waitFor();
  await total(page, '$325.00');
  await site.api.sandbox.delete('/items/setup');
  await cell(page, 'Quantity', 2).fill('2');
  await page.locator('.foreseen [role=alert]').waitFor();
  await button(page, 'Issue').click();
  const refused = page.locator('.document-lines li').nth(1).locator('.error');
  await refused.waitFor();
  expect(await refused.textContent()).toContain('setup');
  await look(page, 'invoice-item-archived');
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await cell(page, 'Quantity', 2).inputValue()).toBe('2');
  await button(page, 'Detach line 2 from the catalog').click();
  await total(page, '$575.00'); // 75 + 2 x 250
  await button(page, 'Issue').click();
  await page.getByRole('heading', { name: /^INV-/, level: 1 }).waitFor();
  expect(await latest()).toMatchObject({ total: 575, items: [{ name: 'Hour' }, { name: 'Setup fee', quantity: 2 }] });
});

test('an invoice that is paid while it is edited: saving tells it first, loses nothing, and the totals have the payment', async () => {
  const { page, open } = visitor;
  const items = [{ name: 'Hour', unit_cost: 50 }];
  const { id } = await site.api.sandbox.make('/invoices', { customer, items });
  await open(`invoices/${id}/edit`);
  await page.getByLabel('Purchase order').fill('PO-1138');
  await total(page, 'Balance$50.00');
  const applied_to = [{ type: 'invoice', invoice: id, amount: 50 }];
  await site.api.sandbox.make('/payments', { customer, amount: 50, method: 'cash', applied_to });
  await page.reload(); // the draft is of the invoice as it was before the payment
  await total(page, 'Balance$0.00');
  await button(page, 'Save').click();
  await page.getByText('Somebody else changed this meanwhile').waitFor();
  const row = page.locator('.stale tr', { hasText: 'Balance' });
  expect(await row.locator('td').allTextContents()).toEqual(['You did not change it', '0']);
  await look(page, 'invoice-paid-meanwhile');
  expect(await accessibilityFaults(page)).toEqual([]);
  expect((await read(`/invoices/${id}`)).purchase_order).toBeNull();
  expect(await page.getByRole('textbox', { name: 'Purchase order' }).inputValue()).toBe('PO-1138');
  await page.getByRole('textbox', { name: 'Purchase order' }).fill('PO-1139');
  await total(page, 'Balance$0.00');
  await button(page, 'Save again').click();
  await page.getByRole('heading', { name: /^INV-/, level: 1 }).waitFor();
  expect(await read(`/invoices/${id}`)).toMatchObject({
    purchase_order: 'PO-1139',
    total: 50,
    balance: 0,
    status: 'paid',
  });
});

test('a German biller pastes decimal commas and words for numbers: what is no number is marked, the others count', async () => {
  const german = await visitDashboard(site, 'german@acme.example', { locale: 'de' });
  const { page, open } = german;
  await open('invoices/new');
  await page.getByRole('button', { name: /^Kunde / }).click();
  await page.getByRole('searchbox').last().fill('Ann');
  await page.getByRole('option', { name: 'Ann Archer' }).first().click();
  const field = (name: string, line: number) => page.getByLabel(`${name} von Position ${line}`, { exact: true });
  const rows = 'Artikel\tMenge\tPreis\nHosting\t1,5\t1.200,50 €\nSchulung\tzwei\t80\nReise\t1\t12,00';
  await paste(page, rows, 'Artikel oder Text von Position 1');
  await page.getByText('3 Zeilen wurden eingefügt').waitFor();
  expect(await field('Menge', 2).getAttribute('aria-invalid')).toBe('true');
  expect(await field('Menge', 1).getAttribute('aria-invalid')).toBe('false');
  await field('Menge', 2).fill('2,5');
  // 1.5 x 1,200.50 + 2.5 x 80 + 12 = 2,012.75
  await page.waitForFunction(`document.querySelector('.sums')?.textContent.includes('2.012,75')`);
  await button(page, 'Ausstellen').click();
  await page.getByRole('heading', { name: /^INV-/, level: 1 }).waitFor();
  expect(await latest()).toMatchObject({ total: 2012.75 });
  await page.context().close();
});

test('the dialogs of a promise, a write-off and a void are whole; a promise is noted; a cadence has its name', async () => {
  const { page, open } = visitor;
  const steps = [{ name: 'First', action: 'email', schedule: 'past_due_age:3' }];
  const cadence = await site.api.sandbox.make('/chasing_cadences', { name: 'Gentle', steps });
  await site.api.sandbox.patch(`/customers/${customer}`, { chasing_cadence: cadence.id });
  await open(`customers/${customer}`);
  await page.locator('.facts dd', { hasText: 'Gentle' }).waitFor();
  const { id } = await site.api.sandbox.make('/invoices', { customer, items: [{ name: 'Hour', unit_cost: 50 }] });
  await open(`invoices/${id}`);
  for (const act of ['Write off', 'Void', 'Promise to pay']) {
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: act }).click();
    await page.getByRole('dialog').getByRole('heading', { name: act }).waitFor();
    expect([act, await accessibilityFaults(page)]).toEqual([act, []]);
    await look(page, `invoice-${act.toLowerCase().replaceAll(' ', '-')}`);
    if (act !== 'Promise to pay') await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  }
  const day = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Pays on').fill(day);
  await page.getByRole('dialog').getByRole('button', { name: 'Promise to pay' }).click();
  await page.getByText('The promise is noted.').waitFor();
  expect(await read(`/invoices/${id}`)).toMatchObject({ expected_payment_status: 'promised' });
});
