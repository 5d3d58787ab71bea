import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceChasing } from '../../commands/chasing/steps.ts';
import { advanceInvoice } from '../../commands/collection/invoiceSteps.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import { accessibilityFaults } from '../support/accessibility.ts';
import type { Site } from '../support/browser.ts';
import { fillSandbox, startDashboard, type Visitor, visitDashboard } from '../support/dashboard.ts';
import { ACTS, act, begin, button, end } from '../support/dashboardActs.ts';
import { seedDispute } from '../support/disputes.ts';
import { looksIn } from '../support/pageLooks.ts';

const look = looksIn('dashboard');
const DAY = 86_400;
const now = Math.floor(Date.now() / 1000);

let site: Site;
let visitor: Visitor;
let ann: number;
let draft: number;

beforeAll(async () => {
  site = await startDashboard();
  ({ ann, draft } = await fillSandbox(site.api.sandbox));
  visitor = await visitDashboard(site, 'ann@acme.example');
});
afterAll(() => site?.close());

test('a call is logged with its outcome and the next contact, and its task is completed', async () => {
  const page = await begin(visitor, ann, 'Log a call');
  await button(page.getByRole('dialog').page(), 'Log a call').last().click();
  await page.getByText('Outcome is missing').waitFor();
  await page.getByLabel('Outcome').fill('Pays on Friday');
  await page.getByLabel('On', { exact: true }).fill('2027-03-05');
  await look(page, 'log-call');
  await end(page, 'Log a call', 'The call is logged.');
  await page.getByRole('button', { name: 'Complete: Call again' }).click();
  await end(page, 'Complete', 'The task is completed.');
  const { body } = await site.api.sandbox.get(`/tasks?filter[customer]=${ann}&sort=id`);
  expect(body).toMatchObject([
    { name: 'Call Ann', complete: false },
    { name: 'Call', complete: true, outcome: 'Pays on Friday' },
    { name: 'Call again', complete: true },
  ]);
});

test('a note whose answer was lost is saved once when it is sent again', async () => {
  const page = await begin(visitor, ann, 'Add a note');
  await page.getByLabel('Note', { exact: false }).last().fill('Only once');
  await page.route('**/api/notes', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Add a note' }).click();
  await page.getByText('This was not saved').waitFor();
  await page.unroute('**/api/notes');
  await end(page, 'Add a note', 'The note is added.');
  const { body } = await site.api.sandbox.get('/notes');
  expect(body.filter(({ notes }: { notes: string }) => notes === 'Only once')).toHaveLength(1);
});

test('a statement is sent, and the customer is put on hold and released', async () => {
  const page = await begin(visitor, ann, 'Send statement');
  await page.getByText('It will say: balance').waitFor();
  await look(page, 'send-statement');
  await page.getByRole('textbox', { name: /^To/ }).fill('nobody');
  await page.getByRole('dialog').getByRole('button', { name: 'Send statement' }).click();
  await page.getByRole('dialog').locator('.error').waitFor();
  await page.getByRole('textbox', { name: /^To/ }).fill('ann@example.com, books@example.com');
  await end(page, 'Send statement', 'The statement is on its way.');
  const { body } = await site.api.sandbox.get(`/emails?filter[customer]=${ann}`);
  expect(body.map(({ email }: { email: string }) => email).toSorted()).toEqual([
    'ann@example.com',
    'books@example.com',
  ]);
  await act(page, 'Put on hold');
  await page.getByLabel('Why').fill('Cheque bounced');
  await end(page, 'Put on hold', 'The customer is on hold.');
  const banner = page.locator('.onhold');
  await banner.getByText(/On hold since .+, by ann@acme\.example/).waitFor();
  await banner.getByText('Reason: Cheque bounced').waitFor();
  await page.getByRole('region', { name: 'Chasing' }).getByText('Reason: Cheque bounced').waitFor();
  await page.getByText('Nothing is planned: the customer is on hold.').waitFor();
  await look(page, 'customer-on-hold');
  await visitor.open('customers');
  await page.getByRole('rowheader', { name: 'Ann Archer On hold' }).waitFor();
  await look(page, 'customers-marked');
  await visitor.open(`customers/${ann}`);
  await act(page, 'Release hold');
  await end(page, 'Release hold', 'The customer is released.');
});

test('contacts are added and removed, a promise is noted, an owner is assigned, and the portal opens', async () => {
  const { page, open } = visitor;
  await open(`customers/${ann}`);
  await button(page, 'Add a contact').click();
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Gets the mails').check();
  await page.getByText('Without an email address, no mail reaches this person.').waitFor();
  await end(page, 'Add a contact', 'The contact is added.');
  await page.getByRole('button', { name: 'Remove: Grace Hopper' }).click();
  await end(page, 'Remove', 'The contact is removed.');
  await act(page, 'Promise to pay');
  await page.getByRole('dialog').getByLabel('Invoice').selectOption({ index: 1 });
  await page.getByLabel('Pays on').fill('2027-03-05');
  await end(page, 'Promise to pay', 'The promise is noted.');
  await act(page, 'Assign owner');
  await page.getByLabel('Owner', { exact: true }).selectOption({ index: 1 });
  await end(page, 'Assign owner', 'The owner is assigned.');
  await act(page, 'Assign owner');
  await page.getByLabel('Owner', { exact: true }).selectOption({ label: 'Nobody' });
  await end(page, 'Assign owner', 'The customer has no owner now.');
  await act(page, 'Open portal');
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Open the portal' }).click();
  const portal = await opened;
  await portal.getByText('Ann Archer').first().waitFor();
  await portal.close();
  await visitor.open(`customers/${ann}`);
  await page.getByRole('heading', { name: 'Contacts' }).waitFor();
  await look(page, 'customer-care');
});

test('another customer is merged after its name was typed', async () => {
  const page = await begin(visitor, ann, 'Merge');
  await page.getByRole('button', { name: /^Other customer/ }).click();
  await page.getByRole('searchbox').fill('bolt');
  await page.getByRole('option', { name: 'Bolt Ltd' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByText('It moves: Invoices 0').waitFor();
  await page.getByLabel('Type the name').fill('Bolt');
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
  await page.getByText('This is not its name: Bolt Ltd').waitFor();
  await look(page, 'merge-refused');
  await page.getByLabel('Type the name').fill('Bolt Ltd');
  await end(page, 'Merge', 'The customers are merged.');
  const { body } = await site.api.sandbox.get('/customers?filter[name][contains]=Bolt');
  await visitor.open(`customers/${body[0].id}`);
  const banner = page.locator('.onhold');
  await banner.getByText('This customer was merged.').waitFor();
  await look(page, 'customer-merged');
  expect(await page.getByRole('main').getByRole('button', { name: ACTS }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);
  await banner.getByRole('link', { name: 'Ann Archer' }).click();
  await page.getByRole('heading', { name: 'Ann Archer', level: 1, exact: true }).waitFor();
});

test('further acts are in a menu, which opens, moves and closes by the keyboard', async () => {
  const { page, open } = visitor;
  await open(`customers/${ann}`);
  const more = button(page, 'More');
  await more.waitFor();
  await more.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Add a note' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await more.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('heading', { name: 'Add a task' }).waitFor();
  await page.keyboard.press('Escape');
});

test('the statement of a kind and range is shown as it is mailed, and its buttons stay in sight on a phone', async () => {
  const page = await begin(visitor, ann, 'Send statement');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Kind').selectOption('open_item');
  await dialog.getByLabel('From').fill('2026-01-01');
  const asked = page.waitForRequest(
    (one) => one.url().includes('/statement?') && one.headers().accept === 'application/pdf',
  );
  const downloaded = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download its PDF' }).click();
  expect(new URL((await asked).url()).searchParams.get('type')).toBe('open_item');
  await downloaded;
  await dialog.getByText('See the mail').click();
  await dialog.locator('.mailed .words').waitFor();
  expect(await dialog.locator('.mailed .words').textContent()).toContain('Ann Archer');
  await dialog.getByLabel('Message').fill('Please pay.');
  await dialog.locator('.mailed').getByText('Please pay.').waitFor();
  await dialog.locator('.mailed').getByText('ann@example.com').first().waitFor();
  const size = { width: 360, height: 560 };
  await page.setViewportSize(size);
  const box = await dialog.getByRole('button', { name: 'Send statement' }).boundingBox();
  expect(box && box.y + box.height).toBeLessThanOrEqual(size.height);
  await look(page, 'statement-mail');
  await page.keyboard.press('Escape');
});

test('a task is completed on its page, or by the call that it asked for', async () => {
  const { page, open } = visitor;
  const { sandbox } = site.api;
  const wanted = { customer: ann, action: 'phone' };
  const first = await sandbox.make('/tasks', { ...wanted, name: 'Ask about PO' });
  const second = await sandbox.make('/tasks', { ...wanted, name: 'Ask for papers' });
  await open(`tasks/${first.id}`);
  await button(page, 'Complete').click();
  await page.getByLabel('Outcome').fill('PO 77');
  await look(page, 'task-complete');
  await end(page, 'Complete', 'The task is completed.');
  await page.getByText('PO 77').first().waitFor();
  expect(await button(page, 'Complete').count()).toBe(0);
  await open(`customers/${ann}`);
  await act(page, 'Log a call');
  await page.getByLabel('Outcome').fill('Sends them');
  await page.getByLabel('Completes the task').selectOption({ label: 'Ask for papers' });
  await page.getByLabel('On', { exact: true }).fill('2027-03-08');
  await end(page, 'Log a call', 'The call is logged.');
  const { body } = await sandbox.get(`/tasks/${second.id}?expand=next_task`);
  expect(body).toMatchObject({ complete: true, outcome: 'Sends them', next_task: { name: 'Call again' } });
  const { body: all } = await sandbox.get(`/tasks?filter[customer]=${ann}`);
  expect(all.filter(({ outcome }: { outcome: string }) => outcome === 'Sends them')).toHaveLength(1);
});

test('a dispute tells its amount, its deadline and its customer, and leads to its payment', async () => {
  const { page, open } = visitor;
  const dispute = await seedDispute(site.api, site.api.sandbox, ann);
  await open(`disputes/${dispute}`);
  const head = page.locator('.head');
  await head.getByText('Open', { exact: true }).waitFor();
  await head.getByRole('link', { name: 'Ann Archer' }).waitFor();
  await head.getByText(/^Evidence due:.*\(in \d days\)/).waitFor();
  const payments = page.getByRole('region', { name: 'Payments' });
  await payments.getByRole('rowheader').getByRole('link').waitFor();
  await look(page, 'dispute');
  await payments.getByRole('rowheader').getByRole('link').click();
  await page.getByText('Method').first().waitFor();
  await open('disputes');
  await page.getByRole('link', { name: 'Ann Archer' }).waitFor();
});

test('a customer shows its cadence, what was sent, and what comes next; an invoice says why nothing does', async () => {
  const { page, open } = visitor;
  const { sandbox } = site.api;
  await open(`customers/${ann}`);
  await page.getByText('Nothing is planned: no chasing cadence fits this customer.').waitFor();
  const steps = [{ name: 'Friendly reminder', action: 'email', schedule: 'past_due_age:3' }];
  await sandbox.make('/chasing_cadences', { name: 'Standard', assignment_mode: 'default', steps });
  await open(`customers/${ann}`);
  const panel = page.getByRole('region', { name: 'Chasing' });
  await panel.getByText('Standard').waitFor();
  await panel.getByText('Nothing yet').waitFor();
  await panel.getByText('Friendly reminder').waitFor();
  await open(`invoices/${draft}`);
  await page.getByText('Nothing is planned: it is a draft.').waitFor();
  const { id } = await sandbox.make('/invoices', { customer: ann, items: [{ name: 'Trial', unit_cost: 1 }] });
  await sandbox.post(`/invoices/${id}/void`, {});
  await open(`invoices/${id}`);
  await page.getByText('Nothing is planned: it is voided.').waitFor();
  const dora = await sandbox.make('/customers', { name: 'Dora Dale', email: 'dora@example.com' });
  const overdue = { date: now - 40 * DAY, due_date: now - 10 * DAY };
  const owed = { customer: dora.id, items: [{ name: 'Trial', unit_cost: 1 }], ...overdue };
  const invoice = (await sandbox.make('/invoices', owed)).id;
  const accountId = sandbox.account.id;
  const take = (step: typeof advanceInvoice | typeof advanceChasing, id: number, at: number) =>
    withAccount(accountId, () =>
      inTransaction(site.api.em, (em) => step(em, { accountId, id, lookUpDelay: 60_000 }, new Date(at * 1000))),
    );
  await take(advanceInvoice, invoice, now);
  await open(`invoices/${invoice}`);
  await page.locator('.next').getByText('Friendly reminder').waitFor();
  await look(page, 'invoice-next');
  // In the afternoon, and on enough days that one of them is a working day, whatever day and hour it is now.
  const afternoon = Math.floor(now / DAY) * DAY + 15 * 3600;
  for (const day of [5, 6, 7, 8]) await take(advanceChasing, dora.id, afternoon + day * DAY);
  await open(`customers/${dora.id}`);
  await panel.getByText('reminder to dora@example.com is about to be mailed').waitFor(); // no worker sends it here
  await panel.getByText('Nothing is planned: every step of the cadence was taken.').waitFor();
  await look(page, 'customer-chased');
});
