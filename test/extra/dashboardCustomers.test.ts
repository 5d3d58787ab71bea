import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../support/accessibility.ts';
import { enterCard, type Site } from '../support/browser.ts';
import { fillSandbox, startDashboard, type Visitor, visitAs, visitDashboard } from '../support/dashboard.ts';
import { looksIn } from '../support/pageLooks.ts';

const look = looksIn('dashboard');

let site: Site;
let visitor: Visitor;
let ann: number;

beforeAll(async () => {
  site = await startDashboard();
  ({ ann } = await fillSandbox(site.api.sandbox));
  await site.api.sandbox.make('/custom_fields', { id: 'seats', object: 'customer', name: 'Seats', type: 'integer' });
  visitor = await visitDashboard(site, 'ann@acme.example');
});
afterAll(() => site?.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Opens the customer and begins an act. */
async function begin(name: string): Promise<Page> {
  const { page, open } = visitor;
  await open(`customers/${ann}`);
  await button(page, name).click();
  await page.getByRole('dialog').waitFor();
  return page;
}

/** Ends the act in the open dialog, and waits for what is told about it. */
async function end(page: Page, name: string, told: string): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  await page.getByText(told).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
}

test('a customer is made after its error was mended at its field, and a reload loses nothing', async () => {
  const { page, open, complaints } = visitor;
  await open('customers');
  await page.getByRole('link', { name: 'New customer' }).click();
  await page.getByLabel('Name').fill('Cara Cole');
  await page.getByLabel('Email').fill('cara at example');
  await page.getByLabel('Credit limit').fill('1234.50');
  await page.getByLabel('Country').selectOption('IE');
  await page.getByLabel('Seats').fill('many');
  await button(page, 'Add a key').click();
  await page.getByLabel('Key 1').fill('crm');
  await page.getByLabel('Value 1').fill('A-17');
  await page.reload();
  await page.getByText('What you typed before is restored.').waitFor();
  expect(await page.getByLabel('Value 1').inputValue()).toBe('A-17');
  await button(page, 'Create').click();
  await page.locator('.field .error').waitFor();
  expect(await page.evaluate('document.activeElement?.getAttribute("type")')).toBe('email');
  await look(page, 'new-customer-refused');
  await page.getByLabel('Email').fill('cara@example.com');
  await button(page, 'Create').click();
  await page.getByText('must be a whole number').waitFor();
  expect(await page.evaluate('document.activeElement?.inputMode')).toBe('numeric');
  await page.getByLabel('Seats').fill('12');
  await button(page, 'Create').click();
  await page.getByRole('heading', { name: 'Cara Cole', level: 1 }).waitFor();
  const { body } = await site.api.sandbox.get('/customers?filter[email]=cara@example.com');
  expect(body).toMatchObject([
    { credit_limit: 1234.5, country: 'IE', metadata: { crm: 'A-17', seats: '12' }, chase: true },
  ]);
  await open('customers/new');
  expect(await page.getByLabel('Name').inputValue()).toBe('');
  expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
});

test('two people edit one customer: the second sees both versions, and saves again', async () => {
  const { page, open } = visitor;
  await open(`customers/${ann}/edit`);
  await page.getByLabel('Phone').fill('+1 555 0199');
  await page.getByLabel('City').fill('Dallas');
  await site.api.sandbox.patch(`/customers/${ann}`, { phone: '+1 555 0123', attention_to: 'Books' });
  await button(page, 'Save').click();
  await page.getByRole('heading', { name: 'Somebody else changed this meanwhile' }).waitFor();
  await page.getByLabel('Phone: take theirs').check();
  await look(page, 'edit-stale');
  await button(page, 'Save again').click();
  await page.getByRole('heading', { name: 'Ann Archer', level: 1, exact: true }).waitFor();
  const { body } = await site.api.sandbox.get(`/customers/${ann}`);
  expect(body).toMatchObject({ phone: '+1 555 0123', city: 'Dallas', attention_to: 'Books', state: 'TX' });
});

test('a colleague changed the contact that is open: both versions; changed something else: it is saved', async () => {
  const { page, open } = visitor;
  const { sandbox } = site.api;
  const contacts = `/customers/${ann}/contacts`;
  const { id } = await sandbox.make(contacts, { name: 'Bo Books', phone: '+1 555 0142' });
  await open(`customers/${ann}`);
  await button(page, 'Edit: Bo Books').click();
  await page.getByLabel('Phone').fill('+1 555 0143');
  await sandbox.patch(`${contacts}/${id}`, { phone: '+1 555 0144' });
  await page.getByRole('dialog').getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('heading', { name: 'Somebody else changed this meanwhile' }).waitFor();
  expect((await sandbox.get(`${contacts}/${id}`)).body.phone).toBe('+1 555 0144');
  await button(page, 'Save again').click();
  await page.getByText('+1 555 0143').waitFor();
  await button(page, 'Assign owner').click();
  await page.getByRole('dialog').getByLabel('Owner').selectOption({ index: 1 });
  await sandbox.patch(`/customers/${ann}`, { attention_to: 'Ledger' });
  await end(page, 'Assign owner', 'The owner is assigned.');
  const { body } = await sandbox.get(`/customers/${ann}`);
  expect(body).toMatchObject({ attention_to: 'Ledger', owner: expect.any(Number) });
  await sandbox.delete(`${contacts}/${id}`);
  await sandbox.patch(`/customers/${ann}`, { attention_to: 'Books', owner: null });
});

test('a session that ended keeps what was typed, and the save is repeated after the sign-in', async () => {
  const { page, open, credentials } = visitor;
  await open(`customers/${ann}/edit`);
  await page.getByLabel('Tax id').fill('US-77');
  await page.context().clearCookies();
  await button(page, 'Save').click();
  await page.getByRole('alertdialog').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Sign in in a new tab' }).click();
  const tab = await opened;
  await tab.getByLabel('Email').fill(credentials.email);
  await tab.getByLabel('Password').fill(credentials.password);
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
  await tab.waitForURL((url) => !url.pathname.startsWith('/sign_in'));
  await tab.close();
  await button(page, 'I have signed in').click();
  await page.getByRole('heading', { name: 'Ann Archer', level: 1, exact: true }).waitFor();
  expect((await site.api.sandbox.get(`/customers/${ann}`)).body.tax_id).toBe('US-77');
});

test('a call is logged with its outcome and the next contact, and its task is completed', async () => {
  const page = await begin('Log a call');
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
  const page = await begin('Add a note');
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
  const page = await begin('Send statement');
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
  await button(page, 'Put on hold').click();
  await end(page, 'Put on hold', 'The customer is on hold.');
  await button(page, 'Release hold').click();
  await end(page, 'Release hold', 'The customer is released.');
});

test('contacts are added and removed, a promise is noted, an owner is assigned, and the portal opens', async () => {
  const page = await begin('Add a contact');
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Gets the mails').check();
  await end(page, 'Add a contact', 'The contact is added.');
  await page.getByRole('button', { name: 'Remove: Grace Hopper' }).click();
  await end(page, 'Remove', 'The contact is removed.');
  await button(page, 'Promise to pay').click();
  await page.getByLabel('Pays on').fill('2027-03-05');
  await end(page, 'Promise to pay', 'The promise is noted.');
  await button(page, 'Assign owner').click();
  await page.getByLabel('Owner', { exact: true }).selectOption({ index: 1 });
  await end(page, 'Assign owner', 'The owner is assigned.');
  await button(page, 'Open portal').click();
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
  const page = await begin('Merge');
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
});

test('who may only read is offered nothing to do', async () => {
  const { page, open } = await visitAs(site, 'reader@acme.example', 'read_only');
  await open(`customers/${ann}`);
  await page.getByRole('heading', { name: 'Contacts' }).waitFor();
  await page.getByText('Only once').waitFor();
  const offered = /Log|Add|Send|Promise|Assign|hold|Merge|Complete|Remove|Open portal|default/;
  expect(await page.getByRole('main').getByRole('button', { name: offered }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);
  await open('customers');
  await page.getByRole('link', { name: 'Ann Archer' }).waitFor();
  expect(await page.getByRole('link', { name: 'New customer' }).count()).toBe(0);
});

test("a card is added in the gateway's own fields, made default and removed", async () => {
  const { page, open } = visitor;
  await open(`customers/${ann}`);
  await page.getByRole('link', { name: 'Add a card or bank account' }).click();
  await page.locator('[data-field=number]').waitFor();
  await look(page, 'add-source');
  await enterCard(page, '4242424242424241');
  await button(page, 'Add a card or bank account').click();
  await page.locator('.mounted .error:not(:empty)').waitFor();
  await enterCard(page, '4242424242424242');
  await button(page, 'Add a card or bank account').click();
  await page.getByRole('heading', { name: 'Ann Archer', level: 1, exact: true }).waitFor();
  await page.getByText('···· 4242').waitFor();
  await page.getByText('Default', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Remove: .*4242/ }).click();
  await end(page, 'Remove', 'The payment source is removed.');
});

test('origins of gateways are allowed on the page that takes a card alone, which keeps to its policy', async () => {
  const { page, open, complaints } = await visitDashboard(site, 'strict@acme.example', { bypassCSP: false });
  const policyOf = async (path: string) => {
    const answer = page.waitForResponse((one) => one.url().endsWith(path));
    await open(path);
    return (await answer).headers()['content-security-policy'] ?? '';
  };
  expect(await policyOf(`customers/${ann}/add_source`)).toContain('js.stripe.com');
  await page.locator('[data-field=number]').waitFor();
  expect(await policyOf(`customers/${ann}`)).not.toContain('stripe');
  await page.getByRole('heading', { name: 'Contacts' }).waitFor();
  expect(complaints).toEqual([]);
});
