import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../support/accessibility.ts';
import type { Site } from '../support/browser.ts';
import { startDashboard, type Visitor, visitAs, visitDashboard } from '../support/dashboard.ts';
import { button, end } from '../support/dashboardActs.ts';
import { looksIn } from '../support/pageLooks.ts';

/** Collections: cadences with their preview, who is in which step, promises and holds. */

const look = looksIn('dashboard');
const lookNarrow = looksIn('dashboard', { sizes: { narrow: { width: 360, height: 780 } }, isBrief: true });
const DAY = 86_400;

let site: Site;
let visitor: Visitor;
const ids: Record<string, number> = {};
const invoices: Record<string, { id: number; number: string }> = {};

beforeAll(async () => {
  site = await startDashboard();
  const { sandbox, deps } = site.api;
  const now = Math.floor(deps.systemNow().getTime() / 1000);
  for (const [name, amount] of [
    ['Ann Archer', 80.5],
    ['Bob Baker', 12],
    ['Cleo Cole', 300],
  ] as const) {
    const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`;
    const { id } = await sandbox.make('/customers', { name, email });
    ids[name] = id;
    const dates = { date: now - 20 * DAY, due_date: now - DAY };
    invoices[name] = await sandbox.make('/invoices', {
      customer: id,
      items: [{ name: 'Consulting', unit_cost: amount }],
      ...dates,
    });
  }
  await sandbox.patch(`/customers/${ids['Cleo Cole']}`, { credit_hold: true, credit_hold_reason: 'Lawyer' });
  visitor = await visitDashboard(site, 'ann@acme.example');
});
afterAll(() => site?.close());

const read = async (path: string) => (await site.api.sandbox.get(path)).body;
const ahead = (page: Page) => page.getByRole('complementary', { name: 'The next 14 days' });

test('a cadence is made with steps that move by keyboard; whom it would ask stands beside it before it is saved', async () => {
  const { page, open, complaints } = visitor;
  await open('collections');
  await page.getByRole('heading', { name: 'Nobody is asked for what it owes yet' }).waitFor();
  await look(page, 'collections-none');
  await page.getByRole('link', { name: 'New cadence', exact: true }).click();
  await page.getByLabel(/^Name/).first().fill('Standard');
  await ahead(page).getByText('No customer that owes something follows this cadence.').waitFor();
  await page.getByLabel(/^Customers/).selectOption('default');
  await ahead(page).getByRole('link', { name: 'Ann Archer' }).first().waitFor();
  await ahead(page).getByText('1 customer is not asked').click();
  await ahead(page).getByText('the customer is on hold').waitFor();
  expect(await read('/chasing_cadences')).toEqual([]);

  // Less than 50 is not asked for.
  await page.getByLabel(/^Smallest balance/).fill('50');
  await ahead(page).getByText('less is open than the cadence asks for').waitFor();
  await ahead(page).getByText('Read the mail to Ann Archer').click();
  await ahead(page).getByText('ann@example.com').waitFor();
  await ahead(page).getByText('$80.50').last().waitFor();

  await button(page, 'Add step').click();
  await page.getByLabel('Name, step 3').fill('Letter');
  await page.getByLabel('Action, step 3').selectOption('letter');
  await page.getByLabel('Days, step 3').fill('8');
  await page.getByLabel('Days, step 3').press('Alt+ArrowUp');
  expect(await page.getByLabel('Name, step 2').inputValue()).toBe('Letter');
  expect(await page.evaluate<string>("document.activeElement.getAttribute('aria-label')")).toBe('Days, step 2');
  await ahead(page).getByText('Letter').first().waitFor();
  await look(page, 'cadence-new');
  expect(await accessibilityFaults(page)).toEqual([]);
  await button(page, 'Create').dblclick();
  await page.getByRole('heading', { name: 'Collections', level: 1 }).waitFor();
  const [cadence, ...others] = await read('/chasing_cadences');
  expect(others).toEqual([]);
  expect(cadence).toMatchObject({
    name: 'Standard',
    assignment_mode: 'default',
    min_balance: 50,
    steps: [
      { name: 'First reminder', action: 'email', schedule: 'past_due_age:3' },
      { name: 'Letter', action: 'letter', schedule: 'past_due_age:8' },
      { name: 'Call', action: 'phone', schedule: 'past_due_age:14' },
    ],
  });
  await page.getByText('All customers that no other cadence takes').waitFor();
  await look(page, 'collections');
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('what the API refuses stands at its step; a cadence without steps says so', async () => {
  const { page, open } = visitor;
  await open('collections/cadences/new');
  await page.getByLabel(/^Name/).first().fill('Wrong');
  await page.getByLabel('Days, step 2').fill('soon');
  await button(page, 'Create').click();
  const second = page.getByLabel('Steps', { exact: true }).getByRole('listitem').nth(1);
  await second.getByText('Schedules are age:N or past_due_age:N').waitFor();
  expect(await page.getByLabel('Days, step 2').getAttribute('aria-invalid')).toBe('true');
  await look(page, 'cadence-refused');
  for (const step of [2, 1]) await button(page, `Remove step ${step}`).click();
  await button(page, 'Create').click();
  await page.getByText('A cadence needs at least one step').first().waitFor();
  await ahead(page).getByText('Who would be asked stands here').waitFor();
  for (let step = 1; step <= 20; step += 1) {
    await button(page, 'Add step').click();
    await page.getByLabel(`Name, step ${step}`, { exact: true }).fill(`Step ${step}`);
    await page.getByLabel(`Days, step ${step}`, { exact: true }).fill(String(step));
  }
  await button(page, 'Create').click();
  await page.getByRole('heading', { name: 'Wrong' }).waitFor();
  const made = (await read('/chasing_cadences')).find(({ name }: { name: string }) => name === 'Wrong');
  expect(made.steps).toHaveLength(20);
  await page.getByRole('button', { name: 'Delete: Wrong' }).click();
  await end(page, 'Delete', 'The cadence is deleted.');
  await page.getByRole('heading', { name: 'Wrong' }).waitFor({ state: 'detached' });
});

test('two people change a cadence: the second sees both versions', async () => {
  const { page, open } = visitor;
  const [cadence] = await read('/chasing_cadences');
  await open(`collections/cadences/${cadence.id}/edit`);
  await page.getByLabel('Name, step 1').fill('Kind reminder');
  const [first, ...rest] = cadence.steps;
  await site.api.sandbox.patch(`/chasing_cadences/${cadence.id}`, {
    steps: [{ ...first, schedule: 'past_due_age:5' }, ...rest],
  });
  await button(page, 'Save').click();
  const both = page.getByRole('alert').filter({ hasText: 'Kind reminder: 3 days after the due date' });
  await both.waitFor();
  await both.getByText('First reminder: 5 days after the due date').waitFor();
  await look(page, 'cadence-stale');
  await button(page, 'Save again').click();
  await page.getByRole('heading', { name: 'Collections', level: 1 }).waitFor();
  const [changed] = await read('/chasing_cadences');
  expect(changed.steps[0]).toMatchObject({ id: first.id, name: 'Kind reminder', schedule: 'past_due_age:3' });
});

test('the days of a cadence belong to its frequency, its conditions to its mode', async () => {
  const { page, open } = visitor;
  await open('collections/cadences/new');
  await page.getByLabel(/^Name/).first().fill('German');
  await page.getByLabel(/^Customers/).selectOption('conditions');
  await button(page, 'Add condition').click();
  await page.getByLabel('Value, condition 1').fill('DE');
  await page.getByLabel(/^Frequency/).selectOption('day_of_month');
  await page.getByRole('checkbox', { name: '15' }).check();
  await page.getByLabel(/^Frequency/).selectOption('day_of_week');
  await page.getByRole('checkbox', { name: 'Fri' }).check();
  await page.getByRole('checkbox', { name: 'Mon' }).check();
  await look(page, 'cadence-conditions');
  await button(page, 'Create').click();
  await page.getByRole('heading', { name: 'German' }).waitFor();
  const made = (await read('/chasing_cadences')).find(({ name }: { name: string }) => name === 'German');
  expect(made).toMatchObject({
    frequency: 'day_of_week',
    run_days: [1, 5],
    assignment_conditions: [{ field: 'country', operator: 'is', value: 'DE' }],
  });
  await page.getByRole('button', { name: 'Pause German' }).dblclick();
  await page.getByRole('button', { name: 'Resume German' }).waitFor();
  expect(await read(`/chasing_cadences/${made.id}`)).toMatchObject({ paused: true });
});

test('a cadence shows who is in which step, with the mail, and what a collector can do', async () => {
  const { page, open } = visitor;
  const cadence = (await read('/chasing_cadences')).find(({ name }: { name: string }) => name === 'Standard');
  await open(`collections/cadences/${cadence.id}`);
  const follower = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) });
  await follower('Ann Archer').getByText('Kind reminder').waitFor();
  await follower('Cleo Cole').getByText('the customer is on hold').waitFor();
  await page.getByLabel('Show').selectOption('why:below_minimum');
  await page.getByText('1 customer', { exact: true }).waitFor();
  await follower('Bob Baker').waitFor();
  expect(page.url()).toContain('show=why');
  await page.getByLabel('Show').selectOption('');
  await follower('Ann Archer').getByText('Read the mail to Ann Archer').click();
  await follower('Ann Archer').getByText('$80.50').last().waitFor();
  await follower('Ann Archer').getByLabel('Acts for Ann Archer').click();
  await button(page, 'Log a call').waitFor();
  await look(page, 'cadence-standing');
  expect(await accessibilityFaults(page)).toEqual([]);

  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Move to another step' }).click();
  await page.getByRole('dialog').getByLabel('Next step').selectOption({ label: 'Letter' });
  await end(page, 'Move to another step', 'The customer is in another step.');
  await follower('Ann Archer').getByText('Letter').first().waitFor();
  expect((await read(`/customers/${ids['Ann Archer']}`)).next_chase_step).toBe(cadence.steps[1].id);
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Stop asking' }).click();
  await end(page, 'Stop asking', 'Nobody asks this customer any more.');
  await follower('Ann Archer').getByText('chasing is switched off for this customer').waitFor();
});

test('promises, open and broken, and holds are listed and acted on', async () => {
  const { page, open } = visitor;
  const { sandbox, deps } = site.api;
  const date = Math.floor(deps.systemNow().getTime() / 1000) + 5 * DAY;
  const bob = invoices['Bob Baker'];
  await sandbox.patch(`/invoices/${bob?.id}`, { expected_payment_date: { date } });
  await open('collections');
  await page.getByRole('link', { name: 'Promises and holds' }).click();
  await page.getByText('No promise is broken.').waitFor();
  const section = (name: string) => page.locator('section').filter({ has: page.getByRole('heading', { name }) });
  await section('Promised').getByRole('link', { name: 'Bob Baker' }).waitFor();
  await section('Customers on hold').getByText('Reason: Lawyer').waitFor();
  await section('Customers whom nobody asks').getByRole('link', { name: 'Ann Archer' }).waitFor();
  await look(page, 'promises');
  expect(await accessibilityFaults(page)).toEqual([]);
  await section('Promised').getByLabel(`Acts for ${bob?.number}`).click();
  await button(page, 'Withdraw the promise').click();
  await end(page, 'Withdraw the promise', 'The promise is withdrawn.');
  await section('Promised').getByText('No payment is promised.').waitFor();
  expect((await read(`/invoices/${bob?.id}`)).expected_payment_status).toBeNull();
  await section('Customers on hold').getByLabel('Acts for Cleo Cole').click();
  await section('Customers on hold').getByRole('button', { name: 'Release hold' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release hold' }).click();
  await section('Customers on hold').getByText('No customer is on hold.').waitFor();
  expect((await read(`/customers/${ids['Cleo Cole']}`)).credit_hold).toBe(false);
});

test('who may only read is offered nothing that changes; who may not read collections sees no place', async () => {
  const reader = await visitAs(site, 'reader@acme.example', 'read_only');
  await reader.open('collections');
  await reader.page.getByRole('heading', { name: 'Standard' }).waitFor();
  expect(await reader.page.getByRole('link', { name: /New cadence|Edit/ }).count()).toBe(0);
  expect(await reader.page.getByRole('button', { name: /Pause|Delete/ }).count()).toBe(0);
});

test('all of it is told in Arabic on a narrow phone', async () => {
  const { page, open, complaints } = await visitDashboard(site, 'noor@acme.example', { locale: 'ar' });
  const [cadence] = await read('/chasing_cadences');
  for (const [path, name] of [
    ['collections', 'arabic-collections'],
    [`collections/cadences/${cadence.id}`, 'arabic-standing'],
    [`collections/cadences/${cadence.id}/edit`, 'arabic-cadence'],
    ['collections/invoice_cadences/new', 'arabic-invoice-cadence'],
    ['collections/promises', 'arabic-promises'],
  ] as const) {
    await open(path);
    await page.waitForLoadState('networkidle');
    await lookNarrow(page, name);
  }
  expect(complaints).toEqual([]);
});
