import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Site } from '../support/browser.ts';
import { fillSandbox, startDashboard, type Visitor, visitDashboard } from '../support/dashboard.ts';
import { looksIn } from '../support/pageLooks.ts';

const look = looksIn('dashboard');
const DAY = 86_400;

let site: Site;
let visitor: Visitor;
let made: Awaited<ReturnType<typeof fillSandbox>>;
let blue: number;

beforeAll(async () => {
  site = await startDashboard();
  const { sandbox } = site.api;
  made = await fillSandbox(sandbox);
  await sandbox.make('/custom_fields', {
    object: 'customer',
    id: 'segment',
    name: 'Segment',
    type: 'enum',
    choices: ['Retail', 'Trade'],
  });
  const now = Math.floor(Date.now() / 1000);
  const customer = { name: 'Blue GmbH', currency: 'eur', metadata: { segment: 'Trade' } };
  blue = (await sandbox.make('/customers', customer)).id;
  const items = [{ name: 'Support', unit_cost: 2122 }];
  await sandbox.make('/invoices', {
    customer: blue,
    currency: 'eur',
    items,
    date: now - 40 * DAY,
    due_date: now - 9 * DAY,
  });
  await sandbox.make('/tasks', { name: 'Chase Blue', action: 'phone', customer_id: blue, due_date: now - 3 * DAY });
  await sandbox.make('/credit_notes', { customer: made.ann, items, draft: true });
  await sandbox.make('/tasks', { name: 'Thank Blue', action: 'letter', customer_id: blue, complete: true });
  visitor = await visitDashboard(site, 'ann@acme.example');
});
afterAll(() => site?.close());

test('who owes more than 1,000 is found in the currency that was chosen, and a filter is changed in its place', async () => {
  const { page, open, complaints } = visitor;
  await open('customers');
  await page.getByRole('columnheader', { name: 'Balance (USD)' }).waitFor();
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.getByRole('dialog').getByRole('combobox').selectOption('Balance (USD)');
  await page.getByLabel('From').fill('1.000,50');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('alert').getByText('Enter a number such as 1,234.5').waitFor();
  expect(page.url()).not.toContain('filter');
  await look(page, 'filter-amount-wrong');
  await page.getByLabel('From').fill('1.000');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('alert').getByText('“1.000” could be two numbers. Write 1000 or 1.00').waitFor();
  expect(page.url()).not.toContain('filter');
  await page.getByLabel('From').fill('1,000');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  await page.getByRole('combobox', { name: 'Currency of balances' }).selectOption('eur');
  await page.getByRole('link', { name: 'Blue GmbH' }).waitFor(); // owes 2,122 EUR
  await page.getByRole('columnheader', { name: 'Balance (EUR)' }).waitFor();
  expect(new URL(page.url()).searchParams.get('currency')).toBe('eur');
  await look(page, 'customers-currency');
  await page.getByRole('button', { name: 'Balance ≥ €1,000.00', exact: true }).click();
  expect(await page.getByLabel('From').inputValue()).toBe('1,000');
  await page.getByLabel('To', { exact: true }).fill('2,121.99');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  await page.getByRole('button', { name: 'Balance ≤ €2,121.99', exact: true }).click();
  await page.getByLabel('To', { exact: true }).fill('2,122');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('link', { name: 'Blue GmbH' }).waitFor();
  expect(complaints).toEqual([]);
});

test('invoices are filtered by the name of a customer', async () => {
  const { page, open, complaints } = visitor;
  await open('invoices');
  await page.getByRole('link', { name: 'INV-00001' }).waitFor();
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.getByRole('dialog').getByRole('combobox').selectOption('Customer');
  await page.getByRole('dialog').getByRole('button', { name: 'Customer' }).click();
  await page.getByPlaceholder('Search', { exact: true }).fill('Blue');
  await page.getByRole('option', { name: 'Blue GmbH' }).click();
  await look(page, 'filter-customer');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Customer: Blue GmbH', exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('filter[customer]')).toBe(String(blue));
  await page.getByRole('link', { name: 'INV-00001' }).waitFor({ state: 'detached' });
  expect(await page.getByRole('row').filter({ hasText: 'Blue GmbH' }).count()).toBe(1);
  expect(complaints).toEqual([]);
});

test('a custom field is a column and a filter, and a view keeps both and shows its name', async () => {
  const { page, open } = visitor;
  await open('customers');
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Segment' }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: 'Blue GmbH' }).getByRole('cell', { name: 'Trade' }).waitFor();
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.getByRole('dialog').getByRole('combobox').selectOption('Segment');
  await page.getByRole('checkbox', { name: 'Trade' }).check();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('link', { name: 'Ann Archer' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Name of the view').fill('Trade only');
  await page.getByRole('button', { name: 'Save as a view' }).click();
  await page.getByText('The view is saved').waitFor();
  await look(page, 'view-saved');
  await open('customers');
  await page.getByRole('link', { name: 'Ann Archer' }).waitFor();
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('button', { name: 'Trade only', exact: true }).click();
  await page.getByRole('button', { name: 'Views: Trade only', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Segment: Trade', exact: true }).waitFor();
  await page.getByRole('columnheader', { name: 'Segment' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Views: Trade only', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Balance (USD)' }).click();
  await page.getByRole('button', { name: 'Views: Trade only (changed)', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Views: Trade only (changed)', exact: true }).click();
  await page.getByRole('button', { name: 'Trade only', exact: true }).click();
  await page.getByRole('button', { name: 'Views: Trade only', exact: true }).waitFor();
});

test('the first press on an amount shows the largest first, and heads stay in sight above selected rows', async () => {
  const { page, open } = visitor;
  for (let count = 0; count < 30; count += 1)
    await site.api.sandbox.make('/invoices', { customer: made.ann, items: [{ name: 'Small', unit_cost: 1 }] });
  await open('invoices');
  await page.getByRole('button', { name: 'Total' }).click();
  await page.getByRole('row').nth(1).getByText('€2,122.00').first().waitFor();
  expect(new URL(page.url()).searchParams.get('sort')).toBe('total desc');
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.getByLabel('Select all shown').check();
  await page.getByText(/^\d+ selected$/).waitFor();
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, 600);
  const headsStay = async () => {
    await page.waitForFunction('scrollY > 300');
    await page.waitForFunction(`(() => {
      const [bar, heads] = ['.selected', 'thead'].map((one) => document.querySelector(one).getBoundingClientRect());
      return bar.top === 0 && Math.round(heads.top - bar.bottom) === 0;
    })()`);
  };
  await headsStay();
  await page.screenshot({ path: '.data/pictures/dashboard/heads-stay.png' });
  const columns = 'customer,status,date,due_date,total,balance,name,subtotal,currency,created_at,updated_at';
  await open(`invoices?columns=${columns}`); // it scrolls sideways
  await page.locator('.scroll').waitFor();
  await page.mouse.wheel(0, 600);
  await page.getByRole('checkbox', { name: 'Select INV-00020' }).check();
  await headsStay();
  await page.screenshot({ path: '.data/pictures/dashboard/heads-stay-wide.png' });
});

test('the usual columns of every list fit on 1280 pixels', async () => {
  const { page, open } = visitor;
  await page.setViewportSize({ width: 1280, height: 700 });
  const wide: string[] = [];
  for (const list of ['customers', 'invoices', 'estimates', 'credit_notes', 'payments', 'tasks']) {
    await open(list);
    await page.locator('.objects').waitFor();
    if ((await page.locator('.scroll').count()) > 0) wide.push(list);
    const cut = await page.evaluate<string[]>(`[...document.querySelectorAll(
      '.objects thead th, .objects td:is(.day, .time, .money, .choice, .number)')]
      .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)`);
    wide.push(...cut.map((text) => `${list}: ${text}`));
  }
  expect(wide).toEqual([]);
});

test('one press shows the invoices that are not paid, and one the customers on hold', async () => {
  const { page, open } = visitor;
  await page.setViewportSize({ width: 1280, height: 3000 }); // every row is in sight
  await open('invoices?columns=customer,status');
  await page.locator('main [aria-current]', { hasText: 'All' }).waitFor();
  await page.getByRole('navigation', { name: 'Ready-made views' }).getByRole('link', { name: 'Drafts' }).click();
  await page.getByRole('cell', { name: 'Not sent' }).first().waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'Draft' }).first().waitFor();
  await page.getByRole('link', { name: 'Unpaid' }).click();
  await page.getByRole('cell', { name: 'Not sent' }).first().waitFor();
  expect(await page.getByRole('cell', { name: 'Draft' }).count()).toBe(0);
  expect(await page.locator('main [aria-current]').allTextContents()).toEqual(['Unpaid']);
  expect(new URL(page.url()).searchParams.get('columns')).toBe('customer,status');
  await page.setViewportSize({ width: 1280, height: 700 });
  await look(page, 'invoices-unpaid');
  await page.goBack();
  await page.getByRole('cell', { name: 'Draft' }).first().waitFor();
  await site.api.sandbox.patch(`/customers/${blue}`, { credit_hold: true });
  await open('customers');
  await page.getByRole('link', { name: 'On hold' }).click();
  await page.getByRole('link', { name: 'Ann Archer' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Blue GmbH' }).waitFor();
  await page.getByRole('link', { name: 'Owing' }).click();
  await page.getByRole('button', { name: 'Balance > $0.00', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Ann Archer' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2); // Blue owes euros
});

test('the list of payments tells what is not applied, and what is voided', async () => {
  const { page, open } = visitor;
  const { sandbox } = site.api;
  const voided = await sandbox.make('/payments', { customer: blue, amount: 7, currency: 'eur', method: 'cash' });
  const { status } = await sandbox.delete(`/payments/${voided.id}`);
  expect(status).toBeLessThan(300);
  await open('payments');
  await page.getByRole('columnheader', { name: 'Unapplied' }).waitFor();
  const row = page.getByRole('row').filter({ hasText: 'Blue GmbH' });
  await row.getByRole('rowheader').getByText('Voided').waitFor();
  await look(page, 'payments');
  await page.getByRole('link', { name: 'Unapplied' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: 'Ann Archer' }).getByText('$30.00').last().waitFor();
});

test('the CSV of customers has what they owe in every currency, as the list shows it', async () => {
  const { page, open } = visitor;
  await open('customers');
  await page.getByRole('row', { name: 'Blue GmbH' }).getByText('€2,122.00').first().waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
  const heads = lines[0]?.split(',') ?? [];
  const cells = lines.find((line) => line.includes('Blue GmbH'))?.split(',') ?? [];
  expect(heads).toContain('balances.usd.balance');
  expect(cells[heads.indexOf('balances.eur.balance')]).toBe('2122');
  await page.getByLabel('Select all shown').check();
  await page.getByRole('button', { name: 'Act on them' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  const [asked] = await Promise.all([
    page.waitForRequest((one) => one.url().endsWith('/jobs') && one.method() === 'POST'),
    page.getByRole('button', { name: 'Start' }).click(),
  ]);
  const { parameters } = asked.postDataJSON();
  expect(parameters).toMatchObject({ include: 'balances' });
  expect(parameters.columns).toMatch(/^id,name,.*balances\.\*\.balance/);
  expect((await asked.response())?.status()).toBe(201);
  await page.keyboard.press('Escape');
});

test('an amount is typed into a form as people of the language write it, and nonsense is refused at its field', async () => {
  const { page, open } = visitor;
  await open(`customers/${blue}/edit`);
  const limit = page.getByLabel('Credit limit');
  await limit.fill('1.000,50');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Enter a number such as 1,234.5').waitFor();
  expect(await limit.getAttribute('aria-invalid')).toBe('true');
  await look(page, 'form-amount-wrong');
  await limit.fill('1,000.50');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(new RegExp(`/customers/${blue}$`));
  expect((await site.api.sandbox.get(`/customers/${blue}`)).body.credit_limit).toBe(1000.5);
});

test('tasks open with what is to be done, and what is late is marked', async () => {
  const { page, open } = visitor;
  await open('');
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Tasks' }).click();
  await page.getByRole('button', { name: 'Done: No', exact: true }).waitFor();
  const late = page.getByRole('row', { name: 'Chase Blue' });
  await late.getByText('Overdue').waitFor();
  expect(await page.getByRole('row', { name: 'Call Ann' }).getByText('Overdue').count()).toBe(0);
  expect(await page.getByRole('row', { name: 'Thank Blue' }).count()).toBe(0);
  await look(page, 'tasks');
});

test('the aging of customers who owe in every age fits on 1280 pixels, and its numbers do not break', async () => {
  const { page, open } = visitor;
  const now = Math.floor(Date.now() / 1000);
  for (const days of [0, 20, 45, 75, 120])
    await site.api.sandbox.make('/invoices', {
      customer: made.ann,
      items: [{ name: 'Consulting', unit_cost: 10_234.56 }],
      date: now - (days + 1) * DAY,
      due_date: now - days * DAY,
    });
  await open('reports/aging');
  await page.getByRole('link', { name: 'Blue GmbH' }).waitFor();
  await page.setViewportSize({ width: 1280, height: 700 });
  const broken = await page.evaluate(
    "[...document.querySelectorAll('.report td')].filter((one) => one.clientHeight > 50).length",
  );
  expect(broken).toBe(0);
  expect(await page.locator('.report thead th').count()).toBeGreaterThanOrEqual(10);
  expect(
    await page.evaluate(
      "document.querySelector('.scroll').scrollWidth - document.querySelector('.scroll').clientWidth",
    ),
  ).toBe(0);
  await look(page, 'report-aging');
});
