import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceChasing } from '../../commands/chasing/steps.ts';
import { advanceInvoice } from '../../commands/collection/invoiceSteps.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Site } from '../support/browser.ts';
import { fillSandbox, startDashboard, type Visitor, visitAs, visitDashboard } from '../support/dashboard.ts';
import { looksIn } from '../support/pageLooks.ts';

const look = looksIn('dashboard');

let site: Site;
let visitor: Visitor;
let made: Awaited<ReturnType<typeof fillSandbox>>;

beforeAll(async () => {
  site = await startDashboard();
  made = await fillSandbox(site.api.sandbox);
  visitor = await visitDashboard(site, 'ann@acme.example');
});
afterAll(() => site?.close());

test('a timeline of more than 100 entries ahead and behind goes on, and the next step is the earliest', async () => {
  const { page, open } = visitor;
  const { sandbox } = site.api;
  const customer = (await sandbox.make('/customers', { name: 'Many Offers' })).id;
  const now = Math.floor(Date.now() / 1000);
  const items = [{ name: 'Roof', unit_cost: 100 }];
  const offer = (days: number) => sandbox.make('/estimates', { customer, items, expiration_date: now + days * 86_400 });
  for (let days = 140; days > 37; days -= 1) await offer(days);
  await open(`customers/${customer}`);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByRole('heading', { name: 'What happened' }).waitFor();
  const steps = timeline.locator('ol.steps');
  const counts = async () => [await steps.nth(0).locator('li').count(), await steps.nth(1).locator('li').count()];
  expect(await counts()).toEqual([100, 100]);
  await look(page, 'long-timeline');
  const { body: ahead } = await sandbox.get(`/customers/${customer}/timeline?filter[upcoming]=true&sort=timestamp`);
  expect(ahead[0].timestamp).toBeLessThan(now + 40 * 86_400);
  const { time_zone: timeZone } = (await sandbox.get('/me')).body;
  const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone });
  await page
    .locator('.head .next')
    .getByText(days.format(ahead[0].timestamp * 1000))
    .waitFor();
  await timeline.getByRole('button', { name: 'Show more – What comes next' }).click();
  await steps.nth(0).locator('li').nth(102).waitFor();
  await timeline.getByRole('button', { name: 'Show more – What happened' }).click();
  await steps.nth(1).locator('li').nth(103).waitFor();
  expect(await timeline.getByRole('button').count()).toBe(0);
});

test('a currency in the address that there is not counts as none: the list is shown and can be used', async () => {
  const { page, open, complaints } = visitor;
  await open('customers?currency=x&filter[balance][gte]=5');
  await page.getByRole('link', { name: 'Ann Archer' }).waitFor();
  await page.getByRole('button', { name: 'Balance ≥ $5.00', exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'Currency of balances' }).selectOption('eur');
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  expect(complaints).toEqual([]);
});

test('an object tells the request that makes one like it', async () => {
  const { page, open } = visitor;
  await open(`invoices/${made.invoice}`);
  await page.getByText('As API', { exact: true }).click();
  const request = await page.getByRole('textbox', { name: 'curl that makes one like it' }).inputValue();
  expect(request).toContain(`${site.origin}/sandbox/api/invoices'`);
  const again = await site.api.sandbox.make('/invoices', JSON.parse(request.slice(request.indexOf('{'), -1)));
  const first = (await site.api.sandbox.get(`/invoices/${made.invoice}`)).body;
  expect([again.customer, again.total, again.date]).toEqual([first.customer, first.total, first.date]);
});

test('an owner is told by name, and one without a name is another colleague, to who may not read members', async () => {
  const { body: members } = await site.api.live.get('/members');
  await site.api.sandbox.patch(`/customers/${made.ann}`, { owner: members[0].id });
  await site.api.live.make('/roles', { id: 'readers', name: 'Readers', permissions: ['customers.read'] });
  const { page, open } = await visitAs(site, 'bill@acme.example', 'readers');
  const owner = page.getByRole('row', { name: 'Ann Archer' });
  await site.api.live.patch(`/members/${members[0].id}`, { name: null });
  await open('customers?columns=owner');
  await owner.getByText('Another colleague').waitFor();
  await site.api.live.patch(`/members/${members[0].id}`, { name: 'Ada Lovelace' });
  await open('customers?columns=owner');
  await owner.getByText('Ada Lovelace').waitFor();
  await page.context().close();
});

test.each([
  ['de', 'Änderungen durch Personen und Schlüssel', 'Kunde: geändert'],
  ['ar', 'العميل: تعديل', 'العميل: تعديل'],
])('in %s, the audit of an object and a report are told in the language', async (language, title, act) => {
  const { sandbox } = site.api;
  await sandbox.patch(`/customers/${made.ann}`, { notes: `Calls in ${language}` });
  const { page, open, complaints } = await visitDashboard(site, `${language}@acme.example`, { locale: language });
  await open(`customers/${made.ann}`);
  await page.getByText(title).first().waitFor();
  await page.getByText(act).first().waitFor();
  await look(page, `audit-${language}`);
  await open('reports/cash_received');
  await page.getByRole('columnheader').first().waitFor();
  const headers = (await page.getByRole('columnheader').allTextContents()).join(' ');
  expect(headers).not.toMatch(/Method|Received|Currency/);
  expect(await page.locator('table.report tbody td').allTextContents()).not.toContain('check');
  const definition = await page.locator('main p[dir=auto]').first().textContent();
  if (language === 'de') expect(definition).toMatch(/^Geld, das eingegangen und hinausgegangen ist/);
  else expect(definition).not.toMatch(/Money|received|payments/);
  await look(page, `report-${language}`);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('timeline, next step and chasing are told in the language of the person', async () => {
  const { sandbox } = site.api;
  const now = Math.floor(Date.now() / 1000);
  const steps = [{ name: 'Ruf an', action: 'phone', schedule: 'past_due_age:3' }];
  const cadence = await sandbox.make('/chasing_cadences', { name: 'Standard', steps });
  const owner = (await sandbox.make('/customers', { name: 'Karl Kunz', chasing_cadence: cadence.id })).id;
  const made = (due: number) => ({ customer: owner, items: [{ name: 'Dach', unit_cost: 1280 }], due_date: now + due });
  const open = await sandbox.make('/invoices', { ...made(20 * 86_400), number: 'RE-7' });
  const applied_to = [{ type: 'invoice', invoice: open.id, amount: 300 }];
  await sandbox.make('/payments', { customer: owner, amount: 300, method: 'wire_transfer', applied_to });
  const overdue = await sandbox.make('/invoices', { ...made(-10 * 86_400), date: now - 40 * 86_400 });
  const accountId = sandbox.account.id;
  const take = (step: typeof advanceInvoice | typeof advanceChasing, id: number, at: number) =>
    withAccount(accountId, () =>
      inTransaction(site.api.em, (em) => step(em, { accountId, id, lookUpDelay: 60_000 }, new Date(at * 1000))),
    );
  await take(advanceInvoice, overdue.id, now);
  for (const days of [5, 6]) await take(advanceChasing, owner, now + days * 86_400);

  const german = await visitDashboard(site, 'gerda@acme.example', { locale: 'de' });
  await german.open(`invoices/${open.id}`);
  const timeline = german.page.getByRole('region', { name: 'Verlauf' });
  await timeline.getByText('Zahlung über 300,00\u00a0$ erhalten, Zahlungsart: Überweisung').waitFor();
  await timeline.getByText('RE-7: 980,00\u00a0$ offen, vorher 1.280,00\u00a0$').waitFor();
  await timeline.getByText('die Rechnung ist nicht bezahlt').waitFor();
  expect(await german.page.locator('.head .next').textContent()).toMatch(/^Als Nächstes: .* – überfällig$/);
  await german.open(`customers/${owner}`);
  const panel = german.page.getByRole('region', { name: 'Mahnwesen' });
  await panel.getByText(/– Aufgabe \d+ angelegt: Anruf$/).waitFor();
  await look(german.page, 'timeline-de');
  expect(german.complaints).toEqual([]);
  await german.page.context().close();

  for (const locale of ['ar', 'ja']) {
    const reader = await visitDashboard(site, `reader-${locale}@acme.example`, { locale });
    await reader.open(`customers/${owner}`);
    await reader.page.locator('ol.steps').nth(1).waitFor();
    expect(await reader.page.locator('ol.steps').allTextContents()).not.toContainEqual(
      expect.stringMatching(/received|issued|asked by|made/),
    );
    await look(reader.page, `timeline-${locale}`);
    await reader.page.context().close();
  }
});
