import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Site } from '../support/browser.ts';
import { fillSandbox, startDashboard, type Visitor, visitDashboard } from '../support/dashboard.ts';
import { looksIn } from '../support/pageLooks.ts';

// What lists show follows the calendar.

const look = looksIn('dashboard');
const DAY = 86_400;

let site: Site;
let visitor: Visitor;
let ann: number;

beforeAll(async () => {
  site = await startDashboard();
  ({ ann } = await fillSandbox(site.api.sandbox));
  visitor = await visitDashboard(site, 'ann@acme.example');
});
afterAll(() => site?.close());

test('a view of what is due in the next 7 days moves on with the calendar', async () => {
  const { page, open } = visitor;
  const { sandbox, deps } = site.api;
  const { systemNow } = deps;
  const now = Math.floor(Date.now() / 1000);
  const late = { items: [{ name: 'Late', unit_cost: 5 }], number: 'DUE-10', due_date: now + 10 * DAY };
  await sandbox.make('/invoices', { customer: ann, ...late });
  await open('invoices');
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.getByRole('dialog').getByRole('combobox').selectOption('Due');
  await page.getByLabel('Period').selectOption('Next 7 days');
  await look(page, 'filter-days');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Due: Next 7 days', exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('filter[due_date][within]')).toBe('next_7_days');
  await page.getByRole('link', { name: 'DUE-10' }).waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: '$120.00' }).first().waitFor(); // due in 5 days
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Name of the view').fill('Due soon');
  await page.getByRole('button', { name: 'Save as a view' }).click();
  await page.getByText('The view is saved').waitFor();
  deps.systemNow = () => new Date(systemNow().getTime() + 6 * DAY * 1000);
  await open('invoices');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Due soon', exact: true }).click();
  await page.getByRole('cell', { name: '$120.00' }).first().waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'DUE-10' }).waitFor();
  await look(page, 'invoices-due-soon');
  deps.systemNow = systemNow;
});

test('a task of a customer on a test clock is late by the time of the clock', async () => {
  const { page, open } = visitor;
  const { sandbox } = site.api;
  const now = Math.floor(Date.now() / 1000);
  const onClock = async (name: string, frozen_time: number) => {
    const { id: test_clock } = await sandbox.make('/test_clocks', { name, frozen_time });
    return (await sandbox.make('/customers', { name, test_clock })).id;
  };
  const ahead = await onClock('Clock ahead', now + 90 * DAY);
  const behind = await onClock('Clock behind', now - 90 * DAY);
  const task = { action: 'phone' };
  await sandbox.make('/tasks', { ...task, name: 'Late there', customer: ahead, due_date: now + 30 * DAY });
  await sandbox.make('/tasks', { ...task, name: 'Early there', customer: behind, due_date: now - 30 * DAY });
  await sandbox.make('/tasks', { ...task, name: 'Late here', customer: ann, due_date: now - 30 * DAY });
  await open('tasks');
  const late = (name: string) => page.getByRole('row', { name }).locator('.status.past_due');
  await late('Late there').waitFor();
  await late('Late here').waitFor();
  expect(await late('Early there').count()).toBe(0);
  await look(page, 'tasks-clocks');
});
