import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
  await look(page, `report-${language}`);
  expect(complaints).toEqual([]);
  await page.context().close();
});
