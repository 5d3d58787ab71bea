import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Site } from '../support/browser.ts';
import { fillSandbox, startDashboard, type Visitor, visitAs, visitDashboard } from '../support/dashboard.ts';
import { addMember } from '../support/oauth.ts';
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

test('filters are in the URL: they survive a reload and the way back, and what is nonsense can be removed', async () => {
  const { page, open } = visitor;
  await open('invoices');
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.getByRole('dialog').getByRole('combobox').selectOption('Status');
  await page.getByRole('checkbox', { name: 'Draft' }).check();
  await look(page, 'filter-open');
  await page.getByRole('button', { name: 'Apply' }).click();
  const [issued, draft] = [page.getByRole('link', { name: 'INV-00001' }), page.getByRole('row', { name: 'Draft' })];
  await issued.waitFor({ state: 'detached' });
  expect(await draft.count()).toBe(1);
  await page.reload();
  await draft.waitFor();
  await page.getByRole('link', { name: 'Invoice', exact: true }).click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await page.goBack();
  await draft.waitFor();
  expect(await issued.count()).toBe(0);
  await open('invoices?filter%5Bcolour%5D=red&filter%5Bstatus%5D=draft');
  await page.getByRole('alert').waitFor();
  await look(page, 'filter-nonsense');
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await issued.waitFor();
});

test('customers are filtered by the name of who is responsible', async () => {
  const { page, open } = visitor;
  await open('customers');
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.getByRole('dialog').getByRole('combobox').selectOption('Owner');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(/filter%5Bowner%5D=\d+/);
  await page.getByText(/^Owner: .*[a-z]/).waitFor();
  await page
    .getByRole('heading', { name: 'Nothing matches' })
    .or(page.getByRole('button', { name: 'Clear filters' }))
    .first()
    .waitFor();
});

test('rows are walked through, selected and opened by keys alone', async () => {
  const { page, open } = visitor;
  await open('customers');
  await page.getByRole('link', { name: 'Ann Archer' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press(' ');
  await page.getByText('1 selected').waitFor();
  expect(await page.getByRole('row', { name: 'Bolt Ltd' }).getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Bolt Ltd' }).waitFor();
});

test('columns are chosen, widened and saved as a view', async () => {
  const { page, open } = visitor;
  await open('customers');
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Phone' }).check();
  await look(page, 'columns-open');
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'Phone' }).waitFor();
  await page.getByRole('separator', { name: 'Change the width of Email' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/email%3A210/);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Name of the view').fill('With phones');
  await page.getByRole('button', { name: 'Save as a view' }).click();
  await page.getByRole('button', { name: 'With phones', exact: true }).waitFor();
  await look(page, 'views-open');
  await open('customers');
  expect(await page.getByRole('columnheader', { name: 'Phone' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'With phones', exact: true }).click();
  await page.getByRole('columnheader', { name: 'Phone' }).waitFor();
  expect(page.url()).toContain('email%3A210');
});

test('a list is downloaded as CSV, as it is filtered', async () => {
  const { page, open } = visitor;
  await open('invoices?filter%5Bstatus%5D=draft&columns=customer,total');
  await page.getByRole('row', { name: 'Draft' }).or(page.getByText('$80.50')).first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk));
  expect(Buffer.concat(chunks).toString()).toBe(
    `id,number,customer.name,total,currency\r\n${made.draft},,Ann Archer,80.5,usd\r\n`,
  );
});

test('two tabs with two accounts and two environments never mix', async () => {
  const { page, open, credentials } = visitor;
  const { api, origin } = site;
  const opened = await inTransaction(api.em, (em) => openAccount(em, { name: 'Other' }, new Date()));
  const other = opened.live;
  await addMember({ em: api.em, deps: api.deps }, other, credentials.email).catch(() => {}); // she keeps her password
  const second = await page.context().newPage();
  await second.goto(`${origin}/dashboard/${other.id}/live/customers`);
  await second.getByRole('heading', { name: 'Nothing here yet' }).waitFor();
  await open('customers');
  await page.getByRole('link', { name: 'Ann Archer' }).waitFor();
  await second.reload();
  await second.getByRole('heading', { name: 'Nothing here yet' }).waitFor();
  expect(await second.getByRole('button', { name: 'Account' }).textContent()).toContain('Other');
  await open('customers', 'live');
  await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor();
  await second.close();
});

test('offline is told', async () => {
  const { page, open } = visitor;
  await open('customers');
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await look(page, 'offline');
  await page.context().setOffline(false);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
});

test('somebody who may not read something sees neither its list nor its objects', async () => {
  await site.api.live.make('/roles', { id: 'billers', name: 'Billers', permissions: ['customers.read'] });
  const { page, open } = await visitAs(site, 'bill@acme.example', 'billers');
  const places = page.getByRole('navigation', { name: 'Menu' });
  expect(await places.getByRole('link').allTextContents()).toEqual(['Home', 'Customers', 'Notes']);
  await open('customers');
  await page.getByRole('link', { name: 'Ann Archer' }).click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Invoices' }).count()).toBe(0);
  await page.goto(page.url().replace(/customers\/\d+$/, 'invoices'));
  await page.getByRole('heading', { name: 'Your role does not allow this' }).waitFor();
  await look(page, 'forbidden');
  await page.context().close();
});

test('a session that ended leads to the sign-in and back to where it was', async () => {
  const { page, credentials } = await visitDashboard(site, 'zoe@acme.example');
  await page.goto(`${site.origin}/dashboard/${site.api.live.account.id}/sandbox/invoices?sort=date+desc`);
  await page.getByRole('link', { name: 'INV-00001' }).waitFor();
  await page.context().clearCookies();
  await page.getByRole('link', { name: 'INV-00001' }).click();
  await page.getByLabel('Password').fill(credentials.password);
  await page.getByLabel('Email').fill(credentials.email);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`**/sandbox/invoices/${made.invoice}`);
  await page.getByRole('heading', { name: 'INV-00001' }).waitFor();
  await page.context().close();
});

test('what one person typed is never saved in the name of another who signed in beside it', async () => {
  const { page, open } = await visitDashboard(site, 'first@acme.example');
  const other = await addMember(site.api, site.api.live.account, 'second@acme.example');
  await open('customers/new');
  await page.getByLabel('Name').fill('Typed by the first');
  const beside = await page.context().newPage();
  await beside.goto(`${site.origin}/sign_in`);
  await beside.context().clearCookies();
  await beside.goto(`${site.origin}/sign_in`);
  await beside.getByLabel('Email').fill(other.email);
  await beside.getByLabel('Password').fill(other.password);
  await beside.getByRole('button', { name: 'Sign in', exact: true }).click();
  await beside.waitForURL('**/accounts');
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))"); // the person comes back to the tab
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'second@acme.example' }).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('');
  const { body } = await site.api.sandbox.get('/customers?search=Typed');
  expect(body).toEqual([]);
  await page.context().close();
});

test('who signs out leaves nothing in the browser, and the session has ended', async () => {
  const { page, open } = await visitDashboard(site, 'quinn@acme.example');
  await open('customers/new');
  await page.getByLabel('Name').fill('Half typed');
  expect(await page.evaluate('localStorage.length')).toBe(1);
  await page.getByRole('button', { name: 'quinn@acme.example' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate('localStorage.length')).toBe(0);
  await page.goto(`${site.origin}/dashboard/${site.api.live.account.id}/sandbox/customers`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.context().close();
});

test('a person chooses the language of the dashboard, which stays', async () => {
  const { page, open } = await visitDashboard(site, 'lara@acme.example');
  await open('customers');
  await page.getByRole('button', { name: 'lara@acme.example' }).click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).waitFor();
  await look(page, 'person');
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { name: 'Kunden' }).waitFor();
  await open('invoices');
  await page.getByRole('heading', { name: 'Rechnungen' }).waitFor();
  await page.context().close();
});

test('the tab names the page, the account and the environment', async () => {
  const { page, open } = visitor;
  await open('customers');
  expect(await page.title()).toBe(`Customers · ${site.api.live.account.name} · Sandbox`);
  await open('', 'live');
  expect(await page.title()).toBe(`Home · ${site.api.live.account.name} · Live`);
  await page.getByRole('banner').getByText('Live', { exact: true }).waitFor();
});

test('a part that an upgrade took away loads the page anew, and nothing typed before is lost', async () => {
  const { page, open } = await visitDashboard(site, 'uma@acme.example');
  await open('customers');
  await page.route('**/dashboard/assets/*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });
  await page.getByRole('link', { name: 'New customer' }).click();
  await page.getByLabel('Name').waitFor();
  await page.context().close();
});
