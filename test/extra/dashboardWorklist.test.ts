import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../support/accessibility.ts';
import { SIZES, type Site } from '../support/browser.ts';
import { startDashboard, type Visitor, visitDashboard } from '../support/dashboard.ts';
import { looksIn } from '../support/pageLooks.ts';

// A collector works through a morning with the keyboard alone.

const look = looksIn('dashboard');
const small = looksIn('dashboard', { sizes: { ...SIZES, phone: { width: 360, height: 740 } }, isBrief: true });
const DAY = 86_400;
const now = Math.floor(Date.now() / 1000);

let site: Site;
let visitor: Visitor;
let page: Page;
let me: number;
/** Tasks and invoices by the names of their customers. */
const tasks: Record<string, number> = {};
const invoices: Record<string, number> = {};

const sandbox = () => site.api.sandbox;
const sql = (text: string, values: unknown[] = []) => site.api.em.fork().execute(text, values);

/** A customer that owes an amount since ten days, and a call to it that is due. */
async function callTo(name: string, amount: number, more = {}): Promise<void> {
  const phone = '+1 555 0100';
  const customer = await sandbox().make('/customers', { name, phone, email: `${name.toLowerCase()}@example.com` });
  const due = { date: now - 40 * DAY, due_date: now - 10 * DAY };
  const invoice = await sandbox().make('/invoices', {
    customer: customer.id,
    items: [{ name: 'Work', unit_cost: amount }],
    ...due,
  });
  await sql('update invoice set past_due = true where id = ?', [invoice.id]);
  const task = { customer: customer.id, name: `Call ${name}`, action: 'phone', due_date: now - DAY, user_id: me };
  tasks[name] = (await sandbox().make('/tasks', { ...task, ...more })).id;
  invoices[name] = invoice.id;
}

beforeAll(async () => {
  site = await startDashboard();
  visitor = await visitDashboard(site, 'colin@acme.example');
  ({ page } = visitor);
  const { body: members } = await site.api.live.get('/members?per_page=100');
  me = members.find(({ email }: { email: string }) => email === 'colin@acme.example').id;
  await callTo('Archer', 900);
  await sql(`update invoice set promise = 'broken', expected_payment_at = ? where id = ?`, [
    new Date((now - 2 * DAY) * 1000),
    invoices.Archer,
  ]);
  await sql('update task set promised_invoice_id = ? where id = ?', [invoices.Archer, tasks.Archer]);
  for (const [name, amount] of [
    ['Bolt', 700],
    ['Crane', 500],
    ['Drake', 400],
    ['Eagle', 300],
  ] as const)
    await callTo(name, amount);
  await callTo('Finch', 200, { user_id: null });
  const { id: payer } = await sandbox().make('/customers', { name: 'Gull', owner: me });
  await sandbox().make('/payments', { customer: payer, amount: 60 });
  await sql(
    `insert into problem (account_id, subject_type, subject_id, step, message, money_at_risk, currency, since, tries, updated_at)
     values (?, 'customer', ?, 'bill pending lines', 'no price', 50, 'usd', now(), 2, now())`,
    [sandbox().account.id, payer],
  );
});
afterAll(() => site?.close());

/** What has the focus: the name of the item in the list, or that of the open one. */
const focused = () =>
  page.evaluate<string>(
    `(document.activeElement?.closest('.row')?.querySelector('strong') ?? document.activeElement)?.textContent ?? ''`,
  );
const focusIsIn = (tag: string) => page.waitForFunction(`document.activeElement?.tagName === '${tag}'`);
const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
const told = (text: string) => page.locator('.work > .told, .empty > .told').getByText(text).waitFor();
const nextIs = async (name: string) => {
  await page.getByRole('heading', { level: 2, name, exact: true }).first().waitFor();
  await page.waitForFunction(`document.activeElement?.textContent?.startsWith('${name}')`);
};
const taskOf = async (name: string) => (await sandbox().get(`/tasks/${tasks[name]}`)).body;
/** A day as the field for days takes it from the keyboard. */
const typed = (time: number) => {
  const [year, month, day] = new Date(time * 1000).toISOString().slice(0, 10).split('-');
  return `${month}${day}${year}`;
};
const form = () => page.locator('.acting .form');

test('the list stands with the most money first, and the first item is open', async () => {
  await visitor.open('');
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Worklist' }).focus();
  await press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Worklist' }).waitFor();
  await nextIs('Archer');
  const names = await page.locator('.row strong').allTextContents();
  expect(names).toEqual(['Archer', 'Bolt', 'Crane', 'Drake', 'Eagle', 'Gull', 'Gull']);
  await page.getByText('$900.00 was promised for').first().waitFor();
  await page.getByRole('link', { name: 'Call Archer: +1 555 0100' }).waitFor();
  await look(page, 'worklist');
});

test('keys move, and no key does anything in a field', async () => {
  await visitor.open('worklist');
  await nextIs('Archer');
  await press('j');
  expect(await focused()).toBe('Bolt');
  await press('ArrowDown', 'k', 'ArrowUp');
  expect(await focused()).toBe('Archer');
  await press('Enter');
  await focusIsIn('SELECT');
  await press('Tab');
  await page.keyboard.type('join later');
  expect(await page.getByLabel('Note').inputValue()).toBe('join later');
  await page.getByLabel('Note').fill('');
  await press('Escape');
  await form().waitFor({ state: 'detached' });
  expect(await focused()).toBe('Archer');
});

test('a call with a promise shows what follows, completes its task and opens the next one', async () => {
  await press('Enter');
  await focusIsIn('SELECT');
  await page.getByRole('region', { name: 'What follows' }).getByText('It leaves the list.').waitFor();
  await page.keyboard.type('They');
  await press('Tab');
  await page.keyboard.type('Pays by wire');
  await press('Tab');
  await page.keyboard.type(typed(now + 5 * DAY));
  await page.getByText(/^Until .+ nobody asks for INV-/).waitFor();
  await look(page, 'worklist-call');
  await press('Control+Enter');
  await told('Archer: done. Next: Bolt.');
  await nextIs('Bolt');
  expect(await taskOf('Archer')).toMatchObject({
    complete: true,
    completed_by_user_id: me,
    outcome: 'They promised to pay: Pays by wire',
  });
  const { body: invoice } = await sandbox().get(`/invoices/${invoices.Archer}`);
  expect(invoice).toMatchObject({ expected_payment_status: 'promised' });
});

test('a call gets a next contact, and one is put off', async () => {
  await press('Enter');
  await form().waitFor();
  await focusIsIn('SELECT');
  await page.keyboard.type('Nob');
  await page.getByLabel('On', { exact: true }).focus();
  await page.keyboard.type(typed(now + 3 * DAY));
  await page.getByText(/A new task for .+: Call again\./).waitFor();
  await press('Control+Enter');
  await nextIs('Crane');
  expect(await taskOf('Bolt')).toMatchObject({
    complete: true,
    outcome: 'Nobody answered',
    next_task: expect.any(Number),
  });
  await press('l');
  await focusIsIn('INPUT');
  await page.keyboard.type(typed(now + 2 * DAY));
  await page.getByText(/It comes back on/).waitFor();
  await press('Control+Enter');
  await nextIs('Drake');
  expect((await taskOf('Crane')).due_date).toBeGreaterThan(now + DAY);
});

test('what somebody else has done is told, and a lost answer does nothing twice', async () => {
  await press('Enter');
  await form().waitFor();
  await focusIsIn('SELECT');
  await sandbox().patch(`/tasks/${tasks.Drake}`, { complete: true, outcome: 'Paid me cash' });
  await press('Control+Enter');
  await told('Drake was done by somebody else: Paid me cash Next: Eagle.');
  await nextIs('Eagle');
  await press('Enter');
  await form().waitFor();
  await focusIsIn('SELECT');
  await page.getByLabel('On', { exact: true }).fill(new Date((now + 4 * DAY) * 1000).toISOString().slice(0, 10));
  await page.route(`**/api/tasks/${tasks.Eagle}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    await route.fetch();
    await route.abort();
  });
  await press('Control+Enter');
  await page.getByText('This was not saved').waitFor();
  await page.unroute(`**/api/tasks/${tasks.Eagle}`);
  await press('Control+Enter', 'Control+Enter');
  await nextIs('Gull');
  const { body } = await sandbox().get(`/tasks?filter[customer]=${(await taskOf('Eagle')).customer}`);
  expect(body).toHaveLength(2);
});

test('a problem is tried again, unassigned work is taken over, and an empty list says so', async () => {
  await press('j');
  expect(await accessibilityFaults(page)).toEqual([]);
  await press('r');
  await told('is tried again now.');
  await sql('update problem set closed_at = now()');
  await visitor.open('worklist?who=unassigned');
  await nextIs('Finch');
  await press('m');
  await told('Finch is yours.');
  await page.getByRole('heading', { name: 'Nothing is unassigned' }).waitFor();
  await callTo('Heron', 150, { user_id: null }); // the list is read again when somebody comes back to it
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
  await page.getByRole('heading', { level: 2, name: 'Heron' }).waitFor();
  await page.locator('.row').first().focus();
  await press('m');
  await page.getByRole('heading', { name: 'Nothing is unassigned' }).waitFor();
  await told('Heron is yours.');
  await look(page, 'worklist-empty');
  expect(await taskOf('Finch')).toMatchObject({ user_id: me });
});

test('a call about a failed charge is logged once, also by a double click, and the charge leaves the list', async () => {
  const { id: customer } = await sandbox().make('/customers', { name: 'Ibis', owner: me });
  const { id } = await sandbox().make('/invoices', { customer, items: [{ name: 'Work', unit_cost: 80 }] });
  const failure = `payment_failure_code = 'insufficient_funds', payment_failed_at = now(), attempt_count = 4`;
  await sql(`update invoice set ${failure} where id = ?`, [id]);
  await visitor.open('worklist?kind=failed_charge');
  await nextIs('Ibis');
  await page.locator('.item').getByText('The charge failed: insufficient funds. It is not tried again.').waitFor();
  await press('g');
  await page.getByText('Charges $80.00 to the default payment source of Ibis.').waitFor();
  await press('Control+Enter');
  await page.getByText('This was not saved').waitFor(); // there is no source
  await press('Escape');
  await press('c');
  await page.getByText('It leaves the list until the charge fails again.').waitFor();
  await page.getByLabel('Note').fill('A new card comes');
  await look(page, 'worklist-failed');
  await form().getByRole('button', { name: 'Log a call' }).dblclick();
  await told('Ibis: done. That was the last one.');
  await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
  const { body } = await sandbox().get(`/tasks?filter[customer]=${customer}`);
  expect(body).toMatchObject([
    { complete: true, outcome: 'Spoke to them: A new card comes', completed_by_user_id: me },
  ]);
});

test('the open item stays open when larger ones appear, before an act on it is begun and after', async () => {
  const appear = async (name: string, amount: number) => {
    await callTo(name, amount);
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    await page.locator('.row').getByText(name, { exact: true }).waitFor();
  };
  await visitor.open('worklist');
  await nextIs('Finch');
  await appear('Jay', 2000);
  await press('Enter');
  await focusIsIn('SELECT');
  await appear('Kite', 3000);
  expect(await page.locator('#open-item').textContent()).toBe('Finch');
  await press('Control+Enter');
  await told('Finch: done. Next: Heron.');
  await nextIs('Heron');
  for (const name of ['Jay', 'Kite']) expect([name, (await taskOf(name)).complete]).toEqual([name, false]);
});

test('a save that kept the call but not the promise is saved again, with one follow-up', async () => {
  await press('Enter');
  await focusIsIn('SELECT');
  const day = (days: number) => new Date((now + days * DAY) * 1000).toISOString().slice(0, 10);
  await page.getByLabel('Pays on').fill(day(5));
  await page.getByLabel('On', { exact: true }).fill(day(6));
  await page.getByText(/^Until .+ nobody asks for INV-/).waitFor();
  await page.getByText(/A new task for .+: Call again\./).waitFor();
  expect(await page.locator('.effects').textContent()).not.toMatch(/reminder/i); // the dry run knows no promise
  const path = `**/api/invoices/${invoices.Heron}`;
  await page.route(path, (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()));
  await press('Control+Enter');
  await page.getByText('This was not saved').waitFor();
  expect(await taskOf('Heron')).toMatchObject({ complete: true, next_task: expect.any(Number) });
  await page.unroute(path);
  await press('Control+Enter');
  await told('Heron: done.');
  expect((await sandbox().get(`/invoices/${invoices.Heron}`)).body.expected_payment_status).toBe('promised');
  await sql('update task set promised_invoice_id = ? where id = ?', [invoices.Jay, tasks.Jay]);
  await sql(`update problem set closed_at = null, subject_type = 'invoice', subject_id = ?`, [invoices.Jay]);
  await visitor.open('worklist?kind=problem');
  await nextIs('Jay');
  await press('d');
  await page.locator('.effects').getByText('It stays in the list until it is solved.').waitFor();
});

test('it reads from right to left, also on a small phone', async () => {
  const arab = await visitDashboard(site, 'noor@acme.example', { locale: 'ar-EG' });
  await arab.open('worklist?who=team&item=task-0000000001');
  await arab.page.locator('#open-item').waitFor();
  await small(arab.page, 'worklist-arabic');
  await arab.page.locator('.row').first().press('Enter');
  await arab.page.locator('.acting .form').waitFor();
  await small(arab.page, 'worklist-arabic-call');
  expect(arab.complaints).toEqual([]);
  expect(visitor.complaints.filter((one) => !/Failed to load resource|net::ERR_FAILED/.test(one))).toEqual([]);
});
