import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../support/accessibility.ts';
import type { Site } from '../support/browser.ts';
import { startDashboard, type Visitor, visitDashboard } from '../support/dashboard.ts';
import { button, end } from '../support/dashboardActs.ts';
import { seedDispute } from '../support/disputes.ts';
import { looksIn } from '../support/pageLooks.ts';

/** Payments: recorded, applied, moved, refunded, charged; and money that waits for its invoices. */

const look = looksIn('dashboard');

let site: Site;
let visitor: Visitor;
let ann: number;
let bob: number;

beforeAll(async () => {
  site = await startDashboard();
  const { sandbox } = site.api;
  ann = (await sandbox.make('/customers', { name: 'Ann Archer', email: 'ann@example.com' })).id;
  bob = (await sandbox.make('/customers', { name: 'Bob Baker', email: 'bob@example.com' })).id;
  visitor = await visitDashboard(site, 'ann@acme.example');
});
afterAll(() => site?.close());

const invoiceOf = (customer: number, amount: number) =>
  site.api.sandbox.make('/invoices', { customer, items: [{ name: 'Support', unit_cost: amount }] });
const read = async (path: string) => (await site.api.sandbox.get(path)).body;
const latest = async (list: string) => (await read(`/${list}?sort=id desc&per_page=1`))[0];

const choose = async (page: Page, field: string, text: string) => {
  await page.getByRole('button', { name: new RegExp(`^${field} `) }).click();
  await page.getByRole('searchbox', { name: 'Search' }).last().fill(text);
  await page.getByRole('option', { name: text }).first().click();
};

test('a payment is recorded and pays the oldest invoices first, as its preview says', async () => {
  const { page, open, complaints } = visitor;
  const [first, second] = [await invoiceOf(ann, 80), await invoiceOf(ann, 50.5)];
  await open('payments');
  await page.getByRole('link', { name: 'New payment' }).first().click();
  await choose(page, 'Customer', 'Ann Archer');
  await page
    .getByLabel(/^Amount/)
    .first()
    .fill('100');
  await page.getByLabel(`Amount for ${second.number}`).waitFor();
  await button(page, 'Pay the oldest first').click();
  expect(await page.getByLabel(`Amount for ${first.number}`).inputValue()).toBe('80');
  expect(await page.getByLabel(`Amount for ${second.number}`).inputValue()).toBe('20');
  // 100 - 80 = 20 for the second, which owes 50.50 - 20 = 30.50
  await page.getByText('$50.50 → $30.50').waitFor();
  await look(page, 'new-payment');
  expect(await accessibilityFaults(page)).toEqual([]);
  await button(page, 'Create').dblclick();
  await page.getByRole('heading', { level: 1 }).filter({ hasText: 'REC-' }).waitFor();
  expect(await latest('payments')).toMatchObject({ customer: ann, amount: 100, balance: 0, method: 'wire_transfer' });
  expect(await read(`/payments?filter[customer]=${ann}`)).toHaveLength(1);
  expect((await read(`/invoices/${second.id}`)).balance).toBe(30.5);
  expect(complaints).toEqual([]);
});

test('an invoice leads to its payment; the payment is moved to another customer, refunded and voided', async () => {
  const { page, open } = visitor;
  const [own, others] = [await invoiceOf(ann, 40), await invoiceOf(bob, 40)];
  await open(`invoices/${own.id}`);
  await button(page, 'Record payment').click();
  await page.getByText('$40.00 → $0.00').waitFor();
  await button(page, 'Create').click();
  await page.getByRole('heading', { level: 1 }).filter({ hasText: 'REC-' }).waitFor();
  const { id } = await latest('payments');
  expect((await read(`/invoices/${own.id}`)).paid).toBe(true);

  await button(page, 'Apply or move').click();
  await choose(page, 'Customer', 'Bob Baker');
  await page.getByRole('button', { name: `Pay ${others.number} in full` }).click();
  await page.getByText('owed again', { exact: true }).waitFor();
  await look(page, 'payment-move');
  await end(page, 'Apply or move', 'The payment is applied.');
  expect(await read(`/payments/${id}`)).toMatchObject({ customer: bob, balance: 0 });
  expect([(await read(`/invoices/${own.id}`)).balance, (await read(`/invoices/${others.id}`)).balance]).toEqual([
    40, 0,
  ]);

  await button(page, 'Refund').click();
  await page
    .getByRole('dialog')
    .getByLabel(/^Amount/)
    .fill('15');
  await end(page, 'Refund', 'The refund is recorded.');
  expect((await read(`/payments/${id}`)).amount_refunded).toBe(15);
});

test('money that waits is matched by keyboard, taken back, and refused; two people never apply it twice', async () => {
  const { page, open } = visitor;
  const { sandbox } = site.api;
  const [one, two] = [await invoiceOf(ann, 311.15), await invoiceOf(bob, 422.25)];
  const sent = { source: 'bank_feed', method: 'eft' };
  const first = await sandbox.make('/payments', {
    ...sent,
    amount: 311.15,
    reference: `Invoice ${one.number}`,
    date: 1_700_000_000,
  });
  const second = await sandbox.make('/payments', { ...sent, amount: 422.25, notes: 'Bob Baker', date: 1_700_100_000 });
  const third = await sandbox.make('/payments', { ...sent, amount: 9.99, reference: 'interest', date: 1_700_200_000 });
  await open('payments');
  await page.getByRole('link', { name: 'Match payments' }).click();
  await page.getByText('3 payments wait').waitFor();
  await page.getByText(`The reference or the notes name ${one.number}`).waitFor();
  await look(page, 'match-payments');
  expect(await accessibilityFaults(page)).toEqual([]);
  const rows = page.locator('.waiting > li');
  await rows.nth(0).focus();
  // The key is held: it is for the first payment alone.
  for (let press = 0; press < 4; press += 1) await page.keyboard.down('Enter');
  await page.getByText(`Applied to ${one.number} of Ann Archer.`).waitFor();
  for (let press = 0; press < 4; press += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect(await read(`/payments/${second.id}`)).toMatchObject({ customer: null, balance: 422.25 });
  expect(await read(`/payments/${first.id}`)).toMatchObject({ customer: ann, balance: 0 });
  await page.waitForFunction(`document.querySelectorAll('.waiting > li')[1] === document.activeElement`);
  await page.keyboard.press('z');
  await page.getByText(`Applied to ${one.number} of Ann Archer.`).waitFor({ state: 'detached' });
  expect(await read(`/payments/${first.id}`)).toMatchObject({ customer: null, balance: 311.15 });
  expect((await read(`/invoices/${one.id}`)).balance).toBe(311.15);
  await page.keyboard.press('Enter');
  await page.getByText(`Applied to ${one.number} of Ann Archer.`).waitFor();

  // Somebody else gives the second one to Ann first. What is pressed then changes nothing.
  const others = await invoiceOf(ann, 500);
  const applied_to = [{ type: 'invoice', invoice: others.id, amount: 422.25 }];
  await sandbox.patch(`/payments/${second.id}`, { customer: ann, applied_to });
  for (const key of ['ArrowDown', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await rows.nth(1).getByText('Somebody else has applied it meanwhile.').waitFor();
  await page.getByText('1 payment waits').waitFor();
  expect(await read(`/payments/${second.id}`)).toMatchObject({ customer: ann, balance: 0 });
  expect((await read(`/invoices/${two.id}`)).balance).toBe(422.25);
  await rows.nth(2).getByText('No open invoice fits.').waitFor();
  await look(page, 'match-payments-done');
  await rows.nth(2).getByRole('link', { name: 'By hand' }).click();
  await page.getByRole('heading', { name: /^Edit / }).waitFor();
  expect(page.url()).toContain(`/payments/${third.id}/edit`);
});

test('an invoice is charged to the card of its customer', async () => {
  const { page, open } = visitor;
  const { sandbox } = site.api;
  const source = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await sandbox.make(`/customers/${bob}/payment_sources`, source);
  const invoice = await invoiceOf(bob, 33.33);
  await open(`invoices/${invoice.id}`);
  await button(page, 'Record payment').waitFor();
  await button(page, 'Charge').click();
  await page
    .getByRole('dialog')
    .getByLabel(/^Amount/)
    .waitFor();
  await look(page, 'charge');
  await end(page, 'Charge', 'The charge is made.');
  expect(await read(`/invoices/${invoice.id}`)).toMatchObject({ paid: true, balance: 0 });
});

test('a part is charged once, although the answer is lost and the dialog is closed; the same again charges again', async () => {
  const { page, open } = visitor;
  const { id: cleo } = await site.api.sandbox.make('/customers', { name: 'Cleo Carter', email: 'cleo@example.com' });
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await site.api.sandbox.make(`/customers/${cleo}/payment_sources`, card);
  const invoice = await invoiceOf(cleo, 240);
  const charge = async () => {
    await button(page, 'Charge').click();
    await page
      .getByRole('dialog')
      .getByLabel(/^Amount/)
      .fill('100');
  };
  const press = () => page.getByRole('dialog').getByRole('button', { name: 'Charge', exact: true }).click();
  const balance = async () => (await read(`/invoices/${invoice.id}`)).balance;
  await open(`invoices/${invoice.id}`);
  await page.route(/\/charges$/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await charge();
  await press();
  await page.locator('.summary').waitFor();
  await page.unrouteAll();
  expect(await balance()).toBe(140);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.reload();
  await charge();
  await end(page, 'Charge', 'The charge is made.');
  expect(await balance()).toBe(140);
  await charge();
  await end(page, 'Charge', 'The charge is made.');
  expect(await balance()).toBe(40); // 240 - 100 - 100
});

test('a dispute says that the bank asks for evidence, and until when', async () => {
  const { page, open } = visitor;
  const dispute = await seedDispute(site.api, site.api.sandbox, bob);
  await open(`disputes/${dispute}`);
  await page.getByRole('heading', { name: 'The bank asks for evidence' }).waitFor();
  await page.getByText(/^until .* \(/).waitFor();
  await look(page, 'dispute');
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('a payment whose answer is lost is recorded once; a suggestion whose answer is lost is applied once', async () => {
  const { page, open } = visitor;
  const { sandbox } = site.api;
  const [own, other] = [await invoiceOf(ann, 61.61), await invoiceOf(bob, 62.62)];
  const count = async () => (await read('/payments?per_page=100')).length;
  const before = await count();
  const lose = (path: RegExp, method: string) => {
    let lost = 0;
    return page.route(path, async (route) => {
      if (route.request().method() !== method || lost === 2) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
  };
  await open(`invoices/${own.id}`);
  await button(page, 'Record payment').click();
  await page.getByText('$61.61 → $0.00').waitFor();
  await lose(/\/payments$/, 'POST');
  await button(page, 'Create').click();
  await page.locator('.summary').waitFor(); // the first try and its repetition got no answer
  await button(page, 'Create').click();
  await page.getByRole('heading', { level: 1 }).filter({ hasText: 'REC-' }).waitFor();
  expect(await count()).toBe(before + 1);
  await page.unrouteAll();

  const waiting = { amount: 62.62, reference: other.number, source: 'bank_feed', method: 'eft' };
  const { id } = await sandbox.make('/payments', waiting);
  await open(`payments/${id}`);
  let lost = false;
  await page.route(new RegExp(`/payments/${id}$`), async (route) => {
    if (lost || route.request().method() !== 'PATCH') return route.continue();
    lost = true;
    await route.fetch();
    return route.abort();
  });
  await button(page, `Apply to ${other.number} of Bob Baker`).dblclick();
  await page.getByText(`Applied to ${other.number} of Bob Baker.`).waitFor();
  expect(lost).toBe(true);
  expect(await read(`/payments/${id}?include=applied_to`)).toMatchObject({
    balance: 0,
    applied_to: [{ amount: 62.62 }],
  });
  await page.unrouteAll();
  await button(page, 'Undo').click();
  await button(page, `Apply to ${other.number} of Bob Baker`).waitFor();
  expect(await read(`/payments/${id}`)).toMatchObject({ customer: null, balance: 62.62 });
});
