import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ar } from '../../words/overview/ar.ts';
import type { Client } from '../support/api.ts';
import type { Site } from '../support/browser.ts';
import { startDashboard, type Visitor, visitAs, visitDashboard } from '../support/dashboard.ts';
import { seedDispute } from '../support/disputes.ts';
import { workUntil } from '../support/dueWork.ts';
import { looksIn } from '../support/pageLooks.ts';
import { takeSubscriptionSteps } from '../support/subscriptionSteps.ts';

const look = looksIn('dashboard');
const DAY = 86_400;
const present = Math.floor(Date.now() / 1000);

let site: Site;
let visitor: Visitor;
let now = present - 70 * DAY;

/** Takes all steps that are due until a time, as processes do. */
const goOn = (client: Client, time: number) =>
  workUntil(
    site.api,
    {
      accountId: client.account.id,
      now: () => now,
      moveTo: (moved) => {
        now = moved;
      },
    },
    time,
  );

/** An account with something in every part of Home. */
async function fill(client: Client): Promise<void> {
  const bill = (customer: number, amount: number, more = {}) =>
    client.make('/invoices', { customer, items: [{ name: 'Work', unit_cost: amount }], ...more });
  const named = async (name: string, more = {}): Promise<number> =>
    (await client.make('/customers', { name, ...more })).id;
  const [ann, bolt, noor] = [await named('Ann Archer'), await named('Bolt Ltd'), await named('شركة النور')];
  await client.make('/plans', { id: 'gold', name: 'Gold', amount: 30, interval: 'month' });
  await client.make('/plans', { id: 'team', name: 'Team', amount: 240, interval: 'month' });
  for (const [days, amount] of [
    [-35, 1280],
    [-20, 640.5],
    [10, 320],
    [45, 99.9],
    [73, 450],
  ] as const)
    await bill(ann, amount, { due_date: now + (60 + days) * DAY });
  await bill(await named('Dinar Ltd'), 0.005, { currency: 'kwd', due_date: now + 58 * DAY });
  const foreign = await bill(noor, 256, { currency: 'eur', due_date: present + 3 * DAY });
  await client.make('/subscriptions', { customer: bolt, plan: 'gold' });
  const left = await client.make('/subscriptions', { customer: ann, plan: 'gold' });
  await client.make('/payments', { customer: bolt, amount: 700, date: present - 32 * DAY });
  await goOn(client, present - 20 * DAY);
  await client.delete(`/subscriptions/${left.id}`);
  await client.make('/subscriptions', { customer: noor, plan: 'team', quantity: 2 });
  const payer = await named('Payer Inc', { autopay: true });
  const card = { method: 'credit_card', gateway_token: 'tok_4000000000000069', make_default: true };
  await goOn(client, present - DAY);
  await client.make(`/customers/${payer}/payment_sources`, card);
  await bill(payer, 40);
  await goOn(client, present);
  const paid = await client.make('/payments', { customer: ann, amount: 825.5 });
  await client.make('/refunds', { payment: paid.id, amount: 125.5, method: 'check' });
  await client.patch(`/invoices/${foreign.id}`, { expected_payment_date: { date: now + 4 * DAY } });
  await client.patch(`/customers/${noor}`, { credit_hold: true });
  const { id } = await client.make('/subscriptions', { customer: noor, plan: 'gold' });
  await takeSubscriptionSteps(site.api.em, { accountId: client.account.id, id }, new Date(now * 1000));
  const dispute = await seedDispute(site.api, client, bolt);
  const evidenceDue = [new Date((now + 2 * DAY) * 1000), dispute];
  await site.api.em.fork().execute('update dispute set evidence_due_at = ? where id = ?', evidenceDue);
  await client.make('/tasks', { customer: bolt, name: 'Call Bolt', action: 'phone', due_date: now });
  await client.make('/tasks', { customer: bolt, name: 'Later', action: 'review', due_date: now + 3 * DAY });
  const planned = await bill(bolt, 60);
  const installments = [now + 2 * DAY, now + 40 * DAY].map((date) => ({ date, amount: 30 }));
  await client.request('PUT', `/invoices/${planned.id}/payment_plan`, { installments });
}

beforeAll(async () => {
  site = await startDashboard({ systemNow: () => new Date(now * 1000) });
  await fill(site.api.sandbox);
  visitor = await visitDashboard(site, 'ann@acme.example');
});
afterAll(() => site?.close());

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('it shows what is owed, what needs a person and what comes next', async () => {
  const { page, open, complaints } = visitor;
  await open('');
  await region(page, 'What is owed').waitFor();
  await look(page, 'home');
  expect(complaints).toEqual([]);
});

/** What a page says of how much it has: the number of documents, and the sums below them. */
async function amountOn(page: Page): Promise<{ documents: number; sums: string[] }> {
  await page.locator('table').first().waitFor();
  const counted = page.locator('main .title .count');
  const isReport = page.url().includes('/reports/');
  const rows = await page.locator('tbody tr').count();
  const told = (await counted.count()) > 0 && !isReport ? Number(await counted.textContent()) : rows;
  return { documents: told, sums: await page.locator(isReport ? 'main td' : 'tfoot td').allTextContents() };
}

test('each number leads to as many documents as it says', async () => {
  const { page, open } = visitor;
  await open('');
  await region(page, 'What is owed').getByRole('link', { name: 'Ann Archer' }).waitFor();
  const week = region(page, 'Next seven days');
  for (const name of ['1 promise to pay', '1 dispute needs evidence', '1 task due'])
    await week.getByRole('link', { name }).first().waitFor();
  await region(page, 'Money in').getByRole('link', { name: '$128.50 refunded or returned' }).waitFor();
  const links = await page.locator('.home a').all();
  const targets = await Promise.all(
    links.map(async (link) => ({ text: await link.textContent(), href: await link.getAttribute('href') })),
  );
  const wrong: unknown[] = [];
  for (const { text, href } of targets) {
    const [, count] = /^(\d+) /.exec(text ?? '') ?? [];
    const [, amount] = /^[+-]?([$€][\d,.]+)/.exec(text ?? '') ?? [];
    if (href === null || (count === undefined && amount === undefined)) continue;
    await page.goto(`${site.origin}${href}`);
    const found = await amountOn(page);
    if (count !== undefined && found.documents !== Number(count)) wrong.push({ text, href, found });
    if (amount !== undefined && !found.sums.some((sum) => sum.endsWith(amount))) wrong.push({ text, href, found });
  }
  expect(wrong).toEqual([]);
});

test('problems and reports have pages', async () => {
  const { page, open, complaints } = visitor;
  await open('problems');
  await page.getByRole('cell', { name: '$30.00' }).waitFor();
  await look(page, 'problems');
  await open('reports/open_items?currency=usd&only=overdue');
  await page.getByRole('table').waitFor();
  await look(page, 'report');
  await page.getByRole('link', { name: 'Ann Archer' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Ann Archer' }).waitFor();
  await page.goto(page.url().replace(/\/customers.*/, '/reports/nothing'));
  await page.getByRole('heading', { level: 1, name: 'Not found here' }).waitFor();
  expect(complaints).toEqual([]);
});

test('of an empty account, it is the list of steps to go live, which ticks itself when somebody comes back', async () => {
  const { page, open, complaints } = visitor;
  await open('', 'live');
  const steps = region(page, 'Go live');
  await steps.getByText('1 of 6 done').waitFor();
  expect(await page.getByRole('region').count()).toBe(1);
  await steps.getByText('Do it by the API').first().click();
  await steps.getByText('PATCH /account').waitFor();
  await look(page, 'home-empty');
  await site.api.live.patch('/account', { email: 'us@acme.example', address1: '1 Main Street', country: 'US' });
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
  await steps.getByText('2 of 6 done').waitFor();
  await steps.getByRole('link', { name: 'Go to Invoices' }).click();
  await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor();
  expect(complaints).toEqual([]);
});

test.each([
  ['employee', []],
  ['read_only', []],
  ['clerk', ['Go live', 'What is owed', 'Money in', 'Monthly recurring revenue', 'Failed payments being retried']],
])('a member with the role %s sees the parts that it may read', async (role, missing) => {
  if (role === 'clerk')
    await site.api.live.make('/roles', { id: role, name: 'Clerk', permissions: ['payments.read', 'customers.read'] });
  const { page, open, complaints } = await visitAs(site, `${role}@acme.example`, role);
  await open('');
  await region(page, 'Needs a person').waitFor();
  const all = ['What is owed', 'Needs a person', 'Failed payments being retried', 'Next seven days', 'Money in'];
  for (const name of [...all, 'Monthly recurring revenue', 'Go live'])
    expect([name, await region(page, name).count()]).toEqual([name, missing.includes(name) ? 0 : 1]);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search everything' }).waitFor();
  await page.keyboard.type('inv');
  await page.getByText(/^(\d+ results?|Nothing found.*)$/).waitFor();
  expect((await page.getByRole('option', { name: 'INV-' }).count()) > 0).toBe(role !== 'clerk');
  expect(await page.getByRole('option', { name: 'Invoices', exact: true }).count()).toBe(role === 'clerk' ? 0 : 1);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('it is written from right to left, too', async () => {
  const { page, open, complaints } = await visitDashboard(site, 'noor@acme.example', { locale: 'ar' });
  await region(page, ar.home.owed).waitFor();
  await look(page, 'home-rtl');
  await open('customers');
  await page.getByRole('link', { name: 'Ann Archer' }).waitFor();
  await look(page, 'list-rtl');
  await page.getByRole('link', { name: 'Ann Archer' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ann Archer' }).waitFor();
  await look(page, 'customer-rtl');
  await open('customers/new');
  await look(page, 'form-rtl');
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('lists and heads of invoices tell failed payments, payments show their invoices, refunds and disputes', async () => {
  const { page, open, complaints } = visitor;
  const { sandbox } = site.api;
  await open('invoices');
  await page.getByRole('link', { name: 'Payment failed', exact: true }).click();
  const failed = page.getByText('Payment failed · next try Dec 3, 2026').first();
  await failed.waitFor();
  await page.getByText('Insufficient funds').last().waitFor();
  expect(await page.getByRole('link', { name: /^INV-/ }).count()).toBe(1);
  await look(page, 'invoices-failed');
  await page.getByRole('link', { name: /^INV-/ }).click();
  await page.locator('header.head').getByText('Payment failed · next try Dec 3, 2026').waitFor();
  await page.locator('header.head').getByText('Insufficient funds').waitFor();
  await look(page, 'invoice-failed');
  const decline = "payment_failure_code = 'generic_decline', payment_failure_message = 'Call 555 0199'";
  await site.api.em.execute(`update invoice set ${decline} where payment_failure_code = 'insufficient_funds'`);
  await page.reload();
  await page.locator('header.head').getByText('Call 555 0199').waitFor();
  const [{ customer, id, number }] = (await sandbox.get('/invoices?filter[status]=past_due&expand=customer')).body;
  const part = { customer: customer.id, amount: 5, applied_to: [{ type: 'invoice', invoice: id, amount: 5 }] };
  const payment = await sandbox.make('/payments', part);
  await sandbox.make('/refunds', { payment: payment.id, amount: 1, method: 'check' });
  await open(`payments/${payment.id}`);
  await region(page, 'Invoices 1').getByRole('link', { name: number }).waitFor();
  await region(page, 'Refunds 1').getByText('$1.00').waitFor();
  expect(await page.getByRole('region', { name: 'Disputes' }).count()).toBe(0);
  await look(page, 'payment');
  const [dispute] = (await sandbox.get('/disputes?expand=charge')).body;
  const { body: payments } = await sandbox.get('/payments?per_page=100');
  const disputed = payments.find(({ charge }: { charge: { id: number } | null }) => charge?.id === dispute.charge.id);
  await open(`payments/${disputed.id}`);
  await region(page, 'Disputes 1').getByText('$3.00').waitFor();
  expect(complaints).toEqual([]);
});

test('the menu leads to all reports', async () => {
  const { page, open, complaints } = visitor;
  await open('');
  await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click();
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
  await look(page, 'reports');
  await page.getByRole('link', { name: 'Aging of receivables' }).click();
  await page.getByRole('heading', { level: 1, name: 'Aging of receivables' }).waitFor();
  expect(complaints).toEqual([]);
});

test('who is most overdue is named in every currency, and the link to all keeps filter and currency', async () => {
  const { page, open } = visitor;
  await open('');
  const owed = region(page, 'What is owed');
  const dinars = owed.locator('.owed').filter({ hasText: 'Dinar Ltd' });
  await dinars.getByRole('link', { name: 'Show all' }).click();
  await page.getByRole('row', { name: 'Dinar Ltd' }).waitFor();
  const asked = new URL(page.url()).searchParams;
  expect([asked.get('currency'), asked.get('filter[overdue][gt]')]).toEqual(['kwd', '0']);
  expect(await page.locator('main .title .count').textContent()).toBe('1');
});
