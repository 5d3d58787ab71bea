import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allowInsecureRequests } from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { newStartLink } from '../../commands/people/startLink.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { TestApi } from '../support/api.ts';
import { press, SIZES, type Site, startSite } from '../support/browser.ts';
import { addMember, authorize, oauthClient, register } from '../support/oauth.ts';
import { looksIn } from '../support/pageLooks.ts';
import { until } from '../support/wait.ts';

const look = looksIn('people');

let site: Site;
let api: TestApi;
let browser: Browser;

beforeAll(async () => {
  site = await startSite({ isSignUpOpen: true });
  ({ api, browser } = site);
});
afterAll(() => site?.close());

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: SIZES.desktop, bypassCSP: true });
  return context.newPage();
}

const PASSWORD = 'a long secret of mine';

/** The link that was mailed to an address. */
async function mailedLink(address: string): Promise<string> {
  const sql = 'select text from email where to_address = ? order by created_at desc, id desc limit 1';
  const link = async () => {
    const [mail] = await api.em.fork().execute<{ text: string }[]>(sql, [address]);
    return /http:\S+\/sign_up\/\w+/.exec(mail?.text ?? '')?.[0] ?? null;
  };
  return String(await until(link, { what: 'the mail' }));
}

test('somebody opens an account', async () => {
  const page = await newPage();
  await page.goto(`${api.deps.publicUrl}/sign_in`);
  await page.getByRole('link', { name: 'Open an account' }).click();
  await look(page, 'sign-up');
  await page.getByLabel('Name of your business').fill('\u200b'); // nothing that one can see
  await page.getByLabel('Your email').fill('ada@example.com');
  await press(page, 'Send the link');
  await page.getByRole('alert').waitFor();
  await look(page, 'sign-up-refused');
  await page.getByLabel('Name of your business').fill('Lovelace Analytical Engines');
  await press(page, 'Send the link');
  await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
  await look(page, 'sign-up-sent');
  const link = await mailedLink('ada@example.com');
  await page.goto(link);
  await look(page, 'sign-up-link');
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('New password').fill('password123');
  await press(page, 'Open the account');
  await page.getByRole('alert').waitFor();
  await look(page, 'sign-up-link-refused');
  await page.getByLabel('New password').fill(PASSWORD);
  await press(page, 'Open the account');
  await page.getByText('Lovelace Analytical Engines').waitFor();
  await look(page, 'sign-up-first-page');
  await page.goto(link);
  await look(page, 'sign-up-ended');
  await page.context().close();
});

test('somebody opens a second account with the same address', async () => {
  const page = await newPage();
  await page.goto(`${api.deps.publicUrl}/sign_up`);
  await page.getByLabel('Name of your business').fill('Second business');
  await page.getByLabel('Your email').fill('ada@example.com');
  await press(page, 'Send the link');
  await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
  await page.goto(await mailedLink('ada@example.com'));
  await look(page, 'sign-up-known');
  await page.getByRole('link', { name: 'Sign in to open it' }).click();
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await press(page, 'Sign in');
  await page.getByRole('button', { name: 'Open the account' }).waitFor();
  await look(page, 'sign-up-known-signed-in');
  await press(page, 'Open the account');
  await page.getByText('Second business').waitFor();
  await page.context().close();
});

test('the link of a start sets a password, and the next one signs in', async () => {
  const { live } = await api.open('Started');
  await api.em.fork().execute('update member set is_limited = true where account_id = ?', [live.account.id]);
  const { password: generated } = await addMember(api, live.account, 'owner@perennial.localhost');
  const link = async () => {
    const of = { accountId: live.account.id, generated };
    return `${api.deps.publicUrl}/start/${await inTransaction(api.em, (em) => newStartLink(em, of, new Date()))}`;
  };
  const page = await newPage();
  await page.goto(await link());
  await look(page, 'start');
  await page.getByLabel('Your email').fill('grace@example.com');
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('New password').fill('short');
  await press(page, 'Start');
  await page.getByRole('alert').waitFor();
  await look(page, 'start-refused');
  await page.getByLabel('New password').fill(PASSWORD);
  await press(page, 'Start');
  await page.getByText('grace@example.com').waitFor();
  await page.context().close();
  const again = await newPage();
  await again.goto(await link());
  await look(again, 'start-again');
  await press(again, 'Sign in');
  await again.getByRole('heading', { name: 'Your accounts' }).waitFor();
  expect(await again.getByText('Started').count()).toBe(1);
  await again.context().close();
});

test('a person ends the access of an application', async () => {
  const { live } = await api.open('Connected');
  const credentials = await addMember(api, live.account, 'mary@connected.example');
  for (const [name, scope] of [
    ['Ledger Sync', 'read_write'],
    ['Reporting', 'read'],
  ] as const) {
    const config = oauthClient(api, await register(api, live, { name }), { prefix: '' });
    allowInsecureRequests(config); // over the loopback interface
    await authorize(api, config, { credentials, scope });
  }
  const page = await newPage();
  await page.goto(`${api.deps.publicUrl}/connected_apps`);
  await page.getByLabel('Email').fill(credentials.email);
  await page.getByLabel('Password').fill(credentials.password);
  await press(page, 'Sign in');
  await page.getByRole('heading', { name: 'Connected applications' }).waitFor();
  await look(page, 'connected-apps');
  await page.getByText('End access').first().focus();
  await page.keyboard.press('Enter');
  await look(page, 'connected-apps-ending');
  await press(page, 'End the access of Ledger Sync');
  await page.getByRole('heading', { name: 'Ledger Sync' }).waitFor({ state: 'detached' });
  expect(await page.getByRole('heading', { name: 'Reporting' }).count()).toBe(1);
  await press(page, 'Sign out');
  await page.context().close();
});
