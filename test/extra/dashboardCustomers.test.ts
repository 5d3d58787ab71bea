import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessibilityFaults } from '../support/accessibility.ts';
import { enterCard, type Site } from '../support/browser.ts';
import { fillSandbox, startDashboard, type Visitor, visitAs, visitDashboard } from '../support/dashboard.ts';
import { ACTS, act, button, end } from '../support/dashboardActs.ts';
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
  await page.getByLabel('Name').fill('');
  await button(page, 'Create').click();
  await page.getByText('Enter an email address such as').waitFor();
  await page.getByText('Name is missing').waitFor(); // all that is wrong is told at once, and nothing was sent
  expect(await page.evaluate('document.activeElement?.labels?.[0]?.textContent')).toContain('Name');
  await look(page, 'new-customer-refused');
  await page.getByLabel('Name').fill('Cara Cole');
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
  await page.getByText('Saved.').waitFor();
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
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Somebody else changed this meanwhile' }).waitFor();
  expect((await sandbox.get(`${contacts}/${id}`)).body.phone).toBe('+1 555 0144');
  await button(page, 'Save again').click();
  await page.getByText('+1 555 0143').first().waitFor(); // the timeline tells it, too
  await act(page, 'Assign owner');
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

test('who may only read is offered nothing that changes', async () => {
  await site.api.sandbox.make('/notes', { customer: ann, notes: 'Only once' });
  const { page, open } = await visitAs(site, 'reader@acme.example', 'read_only');
  await open(`customers/${ann}`);
  await page.getByRole('heading', { name: 'Contacts' }).waitFor();
  await page.getByText('Only once').first().waitFor();
  const offered = await page.getByRole('main').getByRole('button', { name: ACTS }).allTextContents();
  expect(offered).toEqual(['Open portal']); // which is read only
  expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);
  await open('customers');
  await page.getByRole('link', { name: 'Ann Archer' }).waitFor();
  expect(await page.getByRole('link', { name: 'New customer' }).count()).toBe(0);
});

test('money of a payment that is not applied is shown in its own currency, and leads to the payment, however small it is', async () => {
  const { page, open } = visitor;
  const customer = await site.api.sandbox.make('/customers', { name: 'Kuwait Oil' });
  await site.api.sandbox.make('/payments', { customer: customer.id, currency: 'kwd', amount: 0.005 });
  await open(`customers/${customer.id}`);
  await page.getByRole('link', { name: 'KWD 0.005' }).first().click();
  await page.getByRole('row').filter({ hasText: '0.005' }).waitFor();
});

test("a card is added in the gateway's own fields, made default and removed", async () => {
  const { page, open } = visitor;
  await open(`customers/${ann}`);
  await page.getByRole('link', { name: 'Add a card or bank account' }).click();
  await page.locator('[data-field=number]').waitFor();
  expect(await page.getByLabel('AutoPay charges it from now on').isChecked()).toBe(false);
  await page.getByLabel('AutoPay charges it from now on').check();
  await look(page, 'add-source');
  await enterCard(page, '4242424242424241');
  await button(page, 'Add a card or bank account').click();
  await page.locator('.mounted .error:not(:empty)').waitFor();
  await enterCard(page, '4242424242424242');
  await button(page, 'Add a card or bank account').click();
  await page.getByRole('heading', { name: 'Ann Archer', level: 1, exact: true }).waitFor();
  await page.getByText('The payment source is stored.').waitFor();
  await page.getByText('···· 4242').waitFor();
  await page.getByText('Default', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Remove: .*4242/ }).click();
  await end(page, 'Remove', 'The payment source is removed.');
});

test('a bank account is added in the same fields, and waits for its verification', async () => {
  const { page, open } = visitor;
  await open(`customers/${ann}/add_source`);
  await page.locator('[data-field=number]').waitFor();
  await page.getByLabel('Method').selectOption('ach');
  await page.locator('[data-field=routing_number]').fill('110000000');
  await page.locator('[data-field=account_number]').fill('000123456789');
  await button(page, 'Add a card or bank account').click();
  await page.getByRole('heading', { name: 'Ann Archer', level: 1, exact: true }).waitFor();
  await page.getByText('···· 6789').waitFor();
});

test('a customer on a test clock shows the day of its clock', async () => {
  const { page, open } = visitor;
  const { sandbox } = site.api;
  const frozen_time = Date.UTC(2031, 1, 3, 12) / 1000;
  const { id: test_clock } = await sandbox.make('/test_clocks', { name: 'Far', frozen_time });
  const { id } = await sandbox.make('/customers', { name: 'Tess Time', test_clock });
  await open(`customers/${id}`);
  await page.getByText('Test clock: today is Feb 3, 2031').waitFor();
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
