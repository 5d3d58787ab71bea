import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessibilityFaults } from '../support/accessibility.ts';
import { SIZES, type Site } from '../support/browser.ts';
import { fillSandbox, startDashboard, type Visitor, visitDashboard } from '../support/dashboard.ts';
import { button } from '../support/dashboardActs.ts';
import { cell, choose, paste, total } from '../support/dashboardEditor.ts';
import { looksIn } from '../support/pageLooks.ts';
import { until } from '../support/wait.ts';

/** The editor of invoices, estimates and credit notes. */

const look = looksIn('dashboard');

let site: Site;
let visitor: Visitor;
let ann: number;

beforeAll(async () => {
  site = await startDashboard();
  ({ ann } = await fillSandbox(site.api.sandbox));
  const { sandbox } = site.api;
  await sandbox.make('/tax_rates', { id: 'vat', name: 'VAT', value: 19 });
  await sandbox.make('/coupons', { id: 'ten', name: 'Ten off', value: 10 });
  await sandbox.make('/items', { id: 'setup', name: 'Setup fee', unit_cost: 250.5, taxes: ['vat'] });
  visitor = await visitDashboard(site, 'ann@acme.example');
});
afterAll(() => site?.close());

test('a biller makes an invoice: lines typed and from the catalog, totals and pages beside them, issued as shown', async () => {
  const { page, open, complaints } = visitor;
  await open('invoices');
  await page.getByRole('link', { name: 'New invoice' }).click();
  await page.getByText('Choose a customer to see the totals.').waitFor();
  await choose(page, 'Customer', 'Ann Archer');
  await cell(page, 'Item or text', 1).fill('Support hour');
  await cell(page, 'Quantity', 1).fill('2');
  await cell(page, 'Unit cost', 1).fill('120');
  await cell(page, 'Unit cost', 1).press('Enter');
  await cell(page, 'Item or text', 2).fill('Setup');
  await page.locator('datalist option[value="Setup fee"]').waitFor({ state: 'attached' });
  await cell(page, 'Item or text', 2).fill('Setup fee');
  expect(await cell(page, 'Unit cost', 2).inputValue()).toBe(''); // somebody may type on
  await cell(page, 'Item or text', 2).press('Tab');
  expect(await cell(page, 'Unit cost', 2).inputValue()).toBe('250.5');
  await page.getByLabel('Discounts: Add a discount …', { exact: true }).selectOption({ label: 'Ten off · 10%' });
  // 2 x 120 + 250.50 = 490.50, less 10 % = 441.45; VAT 19 % on 225.45 = 42.84: 484.29
  await total(page, 'VAT$42.84Total$484.29');
  await page.locator('.paper img').waitFor();
  await look(page, 'new-invoice');
  expect(await accessibilityFaults(page)).toEqual([]);
  await button(page, 'Issue').click();
  await page.getByRole('heading', { name: /^INV-/, level: 1 }).waitFor();
  const [made] = (await site.api.sandbox.get('/invoices?sort=id desc&per_page=1')).body;
  expect(made).toMatchObject({ customer: ann, total: 484.29, draft: false });
  expect(complaints).toEqual([]);
});

test('rows of a spreadsheet are pasted; what is no number is refused at its line and loses nothing', async () => {
  const { page, open } = visitor;
  await open('invoices/new');
  await choose(page, 'Customer', 'Ann Archer');
  await paste(page, 'Item\tQuantity\tPrice\nHosting\t3\t1,200.50\nTraining\ttwo\t80\nTravel\t1\t12');
  await page.getByText('3 rows were pasted').waitFor();
  await page.getByText('Enter a number such as').waitFor();
  await button(page, 'Issue').click();
  await page.locator('.document-lines [aria-invalid="true"]').waitFor();
  expect(await cell(page, 'Quantity', 2).inputValue()).toBe('two');
  await look(page, 'new-invoice-refused');
  await cell(page, 'Quantity', 2).fill('2');
  await cell(page, 'Item or text', 3).press('Alt+ArrowUp');
  expect(await cell(page, 'Item or text', 2).inputValue()).toBe('Travel');
  await button(page, 'Save as draft').click();
  await page.getByRole('heading', { name: 'Invoice', level: 1, exact: true }).waitFor();
  const [draft] = (await site.api.sandbox.get('/invoices?sort=id desc&per_page=1')).body;
  // 3 x 1,200.50 + 12 + 2 x 80 = 3,773.50
  expect(draft).toMatchObject({ draft: true, total: 3773.5 });
  expect(draft.items.map(({ name }: { name: string }) => name)).toEqual(['Hosting', 'Travel', 'Training']);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await cell(page, 'Quantity', 1).fill('1');
  await total(page, '$1,372.50');
  await button(page, 'Issue').click();
  await page.getByRole('heading', { name: /^INV-/, level: 1 }).waitFor();
  expect((await site.api.sandbox.get(`/invoices/${draft.id}`)).body).toMatchObject({ draft: false, total: 1372.5 });
});

test('a thousand lines are pasted and typed into without waiting; five thousand are refused with the reason', async () => {
  const { page, open } = visitor;
  await open('invoices/new');
  await choose(page, 'Customer', 'Ann Archer');
  const rows = (count: number) => Array.from({ length: count }, (_, place) => `Line ${place}\t2\t1.5`).join('\n');
  await paste(page, rows(5000));
  await page.getByText('These are 5,000 rows, and a document has at most 1,000 lines.').waitFor();
  await paste(page, rows(1000));
  await cell(page, 'Quantity', 1000).waitFor();
  await total(page, '$3,000.00');
  // Each answer is held until all is typed: nothing typed waits for one, and none is lost.
  const held: (() => void)[] = [];
  await page.route('**/api/invoices?dry_run=*', async (route) => {
    await new Promise<void>((answer) => held.push(answer));
    await route.continue().catch(() => null); // the page has given it up for a newer one
  });
  await cell(page, 'Quantity', 500).press('End');
  await cell(page, 'Quantity', 500).press('2');
  await until(() => held.length > 0, { what: 'a dry run to be held' });
  await cell(page, 'Quantity', 500).press('5');
  await cell(page, 'Item or text', 501).fill('Typed while the totals are away');
  expect(await cell(page, 'Quantity', 500).inputValue()).toBe('225');
  expect(await cell(page, 'Item or text', 501).inputValue()).toBe('Typed while the totals are away');
  expect(await page.locator('.sums').textContent()).toContain('$3,000.00');
  await page.unroute('**/api/invoices?dry_run=*');
  for (const answer of held) answer();
  // Typed at the end of `2`: 225 x 1.50 = 337.50 in place of 3.00.
  await total(page, '$3,334.50');
  await button(page, 'Show the preview').waitFor();
  await page.reload();
  await cell(page, 'Quantity', 1000).waitFor();
  await button(page, 'Discard it').click();
});

test('an estimate with a deposit and a credit note for an invoice are made', async () => {
  const { page, open } = visitor;
  await open('estimates/new');
  await choose(page, 'Customer', 'Ann Archer');
  await cell(page, 'Item or text', 1).fill('Roof');
  await cell(page, 'Unit cost', 1).fill('9000');
  await page.getByLabel('Deposit').fill('1000');
  await button(page, 'Issue').click();
  await page.getByRole('heading', { name: /^EST-/, level: 1 }).waitFor();
  const [estimate] = (await site.api.sandbox.get('/estimates?sort=id desc&per_page=1')).body;
  expect(estimate).toMatchObject({ total: 9000, deposit: 1000 });
  const sold = await site.api.sandbox.make('/invoices', { customer: ann, items: [{ name: 'Hour', unit_cost: 50 }] });
  await open('credit_notes/new');
  await choose(page, 'Customer', 'Ann Archer');
  await choose(page, 'Corrects the invoice', sold.number);
  await cell(page, 'Item or text', 1).fill('Hour, not worked');
  await cell(page, 'Unit cost', 1).fill('20');
  await button(page, 'Issue').click();
  await page.getByRole('heading', { name: /^CN-/, level: 1 }).waitFor();
  expect((await site.api.sandbox.get(`/invoices/${sold.id}`)).body).toMatchObject({ total: 50, balance: 30 });
});

test('an invoice is sent as its preview shows, duplicated, credited by line, put on a plan, promised and written off', async () => {
  const { page, open, complaints } = visitor;
  const lines = [
    { name: 'Hour', quantity: 2, unit_cost: 50 },
    { name: 'Travel', unit_cost: 20 },
  ];
  const { id } = await site.api.sandbox.make('/invoices', { customer: ann, items: lines });
  const read = async () => (await site.api.sandbox.get(`/invoices/${id}`)).body;
  await open(`invoices/${id}`);
  await button(page, 'Send').click();
  await page.getByLabel('Message').fill('As we agreed.');
  await page.getByText('The mail as it will be sent').click();
  await page.getByText('To: ann@example.com').waitFor();
  await page.locator('.mailed').getByText('As we agreed.').waitFor();
  await look(page, 'invoice-send');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('The mail is on its way.').waitFor();
  const [mail] = (await site.api.sandbox.get('/emails?sort=created_at desc&per_page=1')).body;
  expect(mail).toMatchObject({ email: 'ann@example.com', message: 'As we agreed.' });

  await button(page, 'Credit').click();
  await page.getByRole('heading', { name: 'New credit note', level: 1 }).waitFor();
  await cell(page, 'Quantity', 1).fill('1');
  await page.getByRole('button', { name: 'Remove line 2' }).click();
  await total(page, '$50.00');
  await button(page, 'Issue').click();
  await page.getByRole('heading', { name: /^CN-/, level: 1 }).waitFor();
  // 2 x 50 + 20 - 50 = 70
  expect(await read()).toMatchObject({ total: 120, balance: 70 });

  await open(`invoices/${id}`);
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { name: 'New invoice', level: 1 }).waitFor();
  expect(await cell(page, 'Item or text', 2).inputValue()).toBe('Travel');
  await button(page, 'Save as draft').click();
  await page.getByRole('heading', { name: 'Invoice', level: 1, exact: true }).waitFor();
  await button(page, 'Delete').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/\/invoices$/);

  await open(`invoices/${id}`);
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Payment plan' }).click();
  await page.getByLabel('First day').fill('2099-01-31');
  await page.getByText('3. Mar 31, 2099: $23.34').waitFor();
  await look(page, 'invoice-plan');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Payment plan' }).click();
  await page.getByText('The plan is made.').waitFor();
  const { body: plan } = await site.api.sandbox.get(`/invoices/${id}/payment_plan`);
  expect(plan.installments.map(({ amount }: { amount: number }) => amount)).toEqual([23.33, 23.33, 23.34]);
  await page.getByRole('region', { name: 'Payment plan' }).getByText('3. Mar 31, 2099: $23.34').waitFor();

  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Write off' }).click();
  await page.getByLabel('Amount').fill('10');
  await page.getByLabel('Reason').fill('Goodwill');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Write off' }).click();
  await page.getByText('It is written off.').waitFor();
  expect(await read()).toMatchObject({ balance: 60, written_off: 10 });
  expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
});

test('a lost answer, a double click and two people make one invoice', async () => {
  const { page, open } = visitor;
  const count = async () => (await site.api.sandbox.get('/invoices?filter[name][contains]=Once')).body.length;
  await open('invoices/new');
  await choose(page, 'Customer', 'Ann Archer');
  await cell(page, 'Item or text', 1).fill('Hour');
  await cell(page, 'Unit cost', 1).fill('75');
  await page.getByText('Further details').click();
  await page.getByLabel('Title').fill('Once');
  const file = { name: 'terms.txt', mimeType: 'text/plain', buffer: Buffer.from('Thirty days') };
  await page.getByLabel('Attachments').setInputFiles(file);
  await page.getByRole('button', { name: 'Remove terms.txt' }).waitFor();
  await page.getByText('Uploading').waitFor({ state: 'hidden' });
  await total(page, '$75.00');
  let isLost = false;
  await page.route('**/api/invoices', async (route) => {
    if (route.request().method() !== 'POST' || isLost) return route.continue();
    isLost = true;
    await route.fetch(); // the API takes it, and the answer is lost
    await route.abort();
  });
  await button(page, 'Issue').dblclick();
  await page.getByRole('heading', { name: /^INV-/, level: 1 }).waitFor();
  await page.unroute('**/api/invoices');
  expect([isLost, await count()]).toEqual([true, 1]);
  const [once] = (await site.api.sandbox.get('/invoices?filter[name][contains]=Once')).body;
  const attached = (await site.api.sandbox.get(`/invoices/${once.id}/attachments`)).body;
  expect(attached).toMatchObject([{ file: { name: 'terms.txt', size: 11 } }]);
  const other = await visitDashboard(site, 'second@acme.example');
  for (const one of [page, other.page]) {
    if (one === other.page) await other.open(`invoices/${once.id}`);
    await button(one, 'More').click();
    await one.getByRole('menuitem', { name: 'Write off' }).click();
    await one.getByLabel('Reason').fill('Goodwill');
  }
  for (const one of [page, other.page])
    await one.getByRole('dialog').getByRole('button', { name: 'Write off' }).click();
  await other.page.locator('.error, [role=alert]').first().waitFor();
  expect((await site.api.sandbox.get(`/invoices/${once.id}`)).body).toMatchObject({ closed: true, paid: false });
});

test('a draft that somebody changed meanwhile is not issued unseen', async () => {
  const { page, open } = visitor;
  const items = [{ name: 'Hour', unit_cost: 50 }];
  const { id } = await site.api.sandbox.make('/invoices', { customer: ann, draft: true, items });
  const read = async () => (await site.api.sandbox.get(`/invoices/${id}`)).body;
  await open(`invoices/${id}`);
  await button(page, 'Issue').click();
  await site.api.sandbox.patch(`/invoices/${id}`, { items: [{ name: 'Hour', unit_cost: 5000 }] });
  await page.getByRole('dialog').getByRole('button', { name: 'Issue' }).click();
  await page.getByText('Somebody else changed this meanwhile').waitFor();
  expect(await read()).toMatchObject({ draft: true, total: 5000 });
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('$5,000.00').first().waitFor();
  await button(page, 'Issue').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Issue' }).click();
  await page.getByText('It is issued.').waitFor();
  expect(await read()).toMatchObject({ draft: false, total: 5000 });
});

test('an invoice that was paid while somebody voids it is not voided, and the person reads why', async () => {
  const { page, open } = visitor;
  const { id } = await site.api.sandbox.make('/invoices', { customer: ann, items: [{ name: 'Hour', unit_cost: 50 }] });
  await open(`invoices/${id}`);
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Void' }).click();
  const applied_to = [{ type: 'invoice', invoice: id, amount: 50 }];
  await site.api.sandbox.make('/payments', { customer: ann, amount: 50, method: 'cash', applied_to });
  await page.getByRole('dialog').getByRole('button', { name: 'Void' }).click();
  await page.getByRole('alert').waitFor();
  expect((await site.api.sandbox.get(`/invoices/${id}`)).body).toMatchObject({ status: 'paid' });
});

test('the editor on a phone, in the dark, and from the right', async () => {
  const phone = await visitDashboard(site, 'phone@acme.example', { viewport: SIZES.phone, colorScheme: 'dark' });
  await phone.open('invoices/new');
  await choose(phone.page, 'Customer', 'Ann Archer');
  await cell(phone.page, 'Item or text', 1).fill('Support hour');
  await cell(phone.page, 'Unit cost', 1).fill('120');
  await total(phone.page, '$120.00');
  await phone.page.locator('.paper img').waitFor();
  await look(phone.page, 'new-invoice-phone');
  expect(await phone.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(await accessibilityFaults(phone.page)).toEqual([]);
  const arabic = await visitDashboard(site, 'arabic@acme.example', { locale: 'ar' });
  await arabic.open('invoices/new');
  await arabic.page.locator('.document-lines').waitFor();
  await look(arabic.page, 'new-invoice-arabic');
  expect(await accessibilityFaults(arabic.page)).toEqual([]);
});
