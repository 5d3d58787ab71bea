import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Site } from '../support/browser.ts';
import { fillSandbox, startDashboard, type Visitor, visitDashboard } from '../support/dashboard.ts';
import { act, begin, button, end } from '../support/dashboardActs.ts';
import { looksIn } from '../support/pageLooks.ts';

/** Two people who work on the same customer: neither replaces what the other has done without knowing it. */

const look = looksIn('dashboard');

let site: Site;
let anna: Visitor;
let ben: Visitor;
let ann: number;

beforeAll(async () => {
  site = await startDashboard();
  ({ ann } = await fillSandbox(site.api.sandbox));
  anna = await visitDashboard(site, 'anna@acme.example');
  ben = await visitDashboard(site, 'ben@acme.example');
});
afterAll(() => site?.close());

const read = async (path: string) => (await site.api.sandbox.get(path)).body;
const memberNamed = async (email: string) => {
  const { body } = await site.api.live.get('/members?per_page=100');
  return body.find((one: { email: string }) => one.email === email).id;
};

test('a task that was completed meanwhile keeps its outcome, and the second collector reads it', async () => {
  const { id } = await site.api.sandbox.make('/tasks', { customer: ann, name: 'Ask for papers', action: 'phone' });
  for (const { page, open } of [anna, ben]) {
    await open(`tasks/${id}`);
    await button(page, 'Complete').click();
  }
  const page = await begin(await third(), ann, 'Log a call');
  await page.getByLabel('Completes the task').selectOption({ label: 'Ask for papers' });
  await anna.page.getByLabel('Outcome').fill('Sends them on Friday');
  await end(anna.page, 'Complete', 'The task is completed.');
  const said = /Somebody else has completed this task. It has the outcome: Sends them on Friday/;
  for (const [other, act] of [
    [ben.page, 'Complete'],
    [page, 'Log a call'],
  ] as const) {
    await other.getByLabel('Outcome').fill('Nobody was there');
    await other.getByRole('dialog').getByRole('button', { name: act, exact: true }).click();
    await other.getByText(said).waitFor();
  }
  await look(ben.page, 'task-completed-meanwhile');
  expect(await read(`/tasks/${id}`)).toMatchObject({
    complete: true,
    outcome: 'Sends them on Friday',
    completed_by_user_id: await memberNamed('anna@acme.example'),
  });
});

let other: Visitor | undefined;
async function third(): Promise<Visitor> {
  other ??= await visitDashboard(site, 'carl@acme.example');
  return other;
}

test('a task that was only moved meanwhile is completed', async () => {
  const { id } = await site.api.sandbox.make('/tasks', { customer: ann, name: 'Ask again', action: 'phone' });
  const { page, open } = ben;
  await open(`tasks/${id}`);
  await button(page, 'Complete').click();
  await page.getByLabel('Outcome').fill('Done');
  await site.api.sandbox.patch(`/tasks/${id}`, { due_date: 1_900_000_000 });
  await end(page, 'Complete', 'The task is completed.');
  expect(await read(`/tasks/${id}`)).toMatchObject({ complete: true, outcome: 'Done', due_date: 1_900_000_000 });
});

test('a hold that somebody else began meanwhile is shown before its reason is replaced', async () => {
  for (const visitor of [anna, ben]) await begin(visitor, ann, 'Put on hold');
  await anna.page.getByLabel('Why').fill('Cheque bounced');
  await end(anna.page, 'Put on hold', 'The customer is on hold.');
  const { page } = ben;
  await page.getByLabel('Why').fill('Insolvent');
  await page.getByRole('dialog').getByRole('button', { name: 'Put on hold' }).click();
  await page.getByRole('dialog').getByText('Cheque bounced').waitFor();
  await look(page, 'hold-meanwhile');
  expect(await read(`/customers/${ann}`)).toMatchObject({ credit_hold_reason: 'Cheque bounced' });
  await page.getByRole('dialog').getByRole('button', { name: 'Save again' }).click();
  await page.getByText('The customer is on hold.').waitFor();
  expect(await read(`/customers/${ann}`)).toMatchObject({
    credit_hold_reason: 'Insolvent',
    credit_hold_by: await memberNamed('ben@acme.example'),
  });
  await act(page, 'Release hold');
  await end(page, 'Release hold', 'The customer is released.');
});

test('a promise names its invoice, unless there is one only, and is not replaced by that of somebody else', async () => {
  const { id: dora } = await site.api.sandbox.make('/customers', { name: 'Dora Dale' });
  const bill = () => site.api.sandbox.make('/invoices', { customer: dora, items: [{ name: 'Hour', unit_cost: 80 }] });
  const { id, number } = await bill();
  for (const visitor of [anna, ben]) {
    const page = await begin(visitor, dora, 'Promise to pay');
    expect(await page.getByLabel('Invoice', { exact: false }).last().inputValue()).toBe(String(id));
  }
  await anna.page.getByLabel('Pays on').fill('2027-03-05');
  await end(anna.page, 'Promise to pay', 'The promise is noted.');
  const promised = await read(`/invoices/${id}`);
  const { page } = ben;
  await page.getByLabel('Pays on').fill('2027-04-09');
  await page.getByRole('dialog').getByRole('button', { name: 'Promise to pay' }).click();
  await page.getByText(/Somebody else has noted that it is paid on .*5/).waitFor();
  await look(page, 'promise-meanwhile');
  expect(await read(`/invoices/${id}`)).toMatchObject({ expected_payment_date: promised.expected_payment_date });
  await bill();
  await begin(anna, dora, 'Promise to pay');
  const choice = anna.page.getByLabel('Invoice', { exact: false }).last();
  expect(await choice.inputValue()).toBe('');
  await choice.getByText(new RegExp(`${number}.*Expected payment: .*5`)).waitFor({ state: 'attached' });
  await anna.page.getByLabel('Pays on').fill('2027-05-03');
  await anna.page.getByRole('dialog').getByRole('button', { name: 'Promise to pay' }).click();
  await anna.page.getByText('Invoice is missing').waitFor();
  await choice.selectOption(String(id));
  await end(anna.page, 'Promise to pay', 'The promise is noted.');
});
