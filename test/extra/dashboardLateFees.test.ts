import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { advanceInvoice } from '../../commands/collection/invoiceSteps.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import { accessibilityFaults } from '../support/accessibility.ts';
import { SIZES, type Site } from '../support/browser.ts';
import { startDashboard, type Visitor, visitDashboard } from '../support/dashboard.ts';
import { button } from '../support/dashboardActs.ts';
import { looksIn } from '../support/pageLooks.ts';

/** Late fees are removed on the page of the invoice that charges them. */

const DAY = 86_400_000;
const look = looksIn('dashboard');

let site: Site;
let visitor: Visitor;
let customer: number;

beforeAll(async () => {
  site = await startDashboard();
  const { sandbox } = site.api;
  customer = (await sandbox.make('/customers', { name: 'Ann Archer', email: 'ann@example.com' })).id;
  const terms = { amount: 10, grace_period_days: 1, recurring_days: 30 };
  await sandbox.make('/late_fee_schedules', { name: 'Late', default: true, ...terms });
  visitor = await visitDashboard(site, 'ann@acme.example');
});
afterAll(() => site?.close());

/** An invoice of 100 that was due long ago, after the steps of some days. */
async function overdue(days: number, of = customer): Promise<number> {
  const { api } = site;
  const due = Math.floor((Date.now() - 3 * DAY) / 1000);
  const items = [{ name: 'Hour', unit_cost: 100 }];
  const { id } = await api.sandbox.make('/invoices', { customer: of, due_date: due, items });
  const accountId = api.sandbox.account.id;
  const step = (at: Date) =>
    withAccount(accountId, () =>
      inTransaction(
        api.deps.em,
        async (em) => (await advanceInvoice(em, { accountId, id, lookUpDelay: 60_000 }, at)).did,
      ),
    );
  for (let day = 0; day <= days; day += 1) while ((await step(new Date(Date.now() + day * DAY))) !== null);
  return id;
}

const read = async (id: number) => (await site.api.sandbox.get(`/invoices/${id}`)).body;
const notesOf = async (id: number) => (await site.api.sandbox.get(`/credit_notes?filter[invoice]=${id}`)).body;

async function begin({ page, open }: Visitor, id: number): Promise<Page> {
  await open(`invoices/${id}`);
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Remove late fee' }).click();
  await page.getByRole('dialog').getByRole('heading', { name: 'Remove late fee' }).waitFor();
  return page;
}

const foreseen = (page: Page, text: string) =>
  page.waitForFunction(`document.querySelector('[role=dialog] .sums')?.textContent.includes(${JSON.stringify(text)})`);
const remove = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Remove late fee', exact: true }).click();

test('a part of a late fee is removed, then the rest; each time the new balance is shown before', async () => {
  const id = await overdue(3);
  expect(await read(id)).toMatchObject({ total: 110, balance: 110 });
  const page = await begin(visitor, id);
  expect(await page.getByLabel('Amount').inputValue()).toBe('10');
  await foreseen(page, 'Late fee$10.00Balance$110.00Balance afterwards$100.00');
  await page.getByLabel('Amount').fill('4');
  await foreseen(page, 'Balance$110.00Balance afterwards$106.00');
  await page.getByLabel('Reason').fill('The mail was late');
  await look(page, 'late-fee');
  expect(await accessibilityFaults(page)).toEqual([]);
  await remove(page);
  await page.getByText('The late fee is removed.').waitFor();
  expect(await read(id)).toMatchObject({ total: 110, balance: 106 });
  const [note] = await notesOf(id);
  expect(note).toMatchObject({ total: 4, notes: 'The mail was late', draft: false });
  expect(note.items).toMatchObject([{ type: 'late_fee', name: 'Late fee', taxable: false, unit_cost: 4 }]);

  await begin(visitor, id);
  expect(await page.getByLabel('Amount').inputValue()).toBe('6');
  await foreseen(page, 'Removed before-$4.00Balance$106.00Balance afterwards$100.00');
  await page.getByLabel('Amount').fill('6.01');
  await remove(page);
  await page.getByText('The late fees that are not removed yet come to $6.00.').waitFor();
  await page.getByLabel('Amount').fill('6');
  await remove(page);
  await page.getByText('The late fee is removed.').waitFor();
  expect(await read(id)).toMatchObject({ balance: 100 });
  // Nothing is left to remove.
  await visitor.open(`invoices/${id}`);
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Write off' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Remove late fee' }).count()).toBe(0);
});

test('two people remove a fee once', async () => {
  const id = await overdue(3);
  const other = await visitDashboard(site, 'second@acme.example');
  const pages = [await begin(visitor, id), await begin(other, id)];
  const [first, second] = pages;
  for (const page of pages) await foreseen(page, 'Balance afterwards$100.00');
  if (first) await remove(first);
  await first?.getByText('The late fee is removed.').waitFor();
  if (second) await remove(second);
  await second?.getByText('The late fees that are not removed yet come to $0.00.').waitFor();
  expect((await notesOf(id)).length).toBe(1);
  expect(await read(id)).toMatchObject({ balance: 100 });
  await other.page.context().close();
});

test('of a paid invoice the fee goes to the credit balance, as was shown before', async () => {
  const { id: payer } = await site.api.sandbox.make('/customers', { name: 'Bo', email: 'bo@example.com' });
  const id = await overdue(3, payer);
  const applied_to = [{ type: 'invoice', invoice: id, amount: 110 }];
  await site.api.sandbox.make('/payments', { customer: payer, amount: 110, method: 'cash', applied_to });
  const page = await begin(visitor, id);
  await foreseen(page, 'Balance$0.00Goes to the credit balance$10.00Balance afterwards$0.00');
  await remove(page);
  await page.getByText('The late fee is removed.').waitFor();
  expect(await read(id)).toMatchObject({ balance: 0, status: 'paid' });
  const { body } = await site.api.sandbox.get(`/customers/${payer}/balance`);
  expect(body).toMatchObject({ available_credits: 10 });
});

test('a late fee that is an invoice of its own is removed on the page of this invoice', async () => {
  await site.api.sandbox.patch('/account', { late_fee_document: 'invoice' });
  const id = await overdue(3);
  const [fee] = (await site.api.sandbox.get(`/invoices?filter[customer]=${customer}&sort=id desc&per_page=1`)).body;
  expect(fee).toMatchObject({ total: 10, balance: 10 });
  expect(fee.id).not.toBe(id);
  const page = await begin(visitor, fee.id);
  await foreseen(page, 'Late fee$10.00Balance$10.00Balance afterwards$0.00');
  await remove(page);
  await page.getByText('The late fee is removed.').waitFor();
  expect(await read(fee.id)).toMatchObject({ balance: 0 });
  expect(await read(id)).toMatchObject({ total: 100, balance: 100 });
});

test('the dialog on a phone in the dark, and from the right', async () => {
  await site.api.sandbox.patch('/account', { late_fee_document: 'line' });
  const id = await overdue(3);
  const phone = await visitDashboard(site, 'phone@acme.example', { viewport: SIZES.phone, colorScheme: 'dark' });
  const page = await begin(phone, id);
  await foreseen(page, 'Balance afterwards$100.00');
  await look(page, 'late-fee-phone');
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(await accessibilityFaults(page)).toEqual([]);
  const arabic = await visitDashboard(site, 'arabic@acme.example', { locale: 'ar' });
  await arabic.open(`invoices/${id}`);
  await arabic.page.getByRole('button', { name: 'المزيد', exact: true }).click();
  await arabic.page.getByRole('menuitem', { name: 'إسقاط رسوم التأخير' }).click();
  await arabic.page.locator('[role=dialog] .sums').waitFor();
  await arabic.page.getByText('الرصيد بعد ذلك').waitFor();
  await look(arabic.page, 'late-fee-arabic');
  expect(await accessibilityFaults(arabic.page)).toEqual([]);
});
