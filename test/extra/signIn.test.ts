import { afterAll, beforeAll, test } from '@jest/globals';
import { generateSync } from 'otplib';
import type { Browser, Page } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { press, SIZES, type Site, startSite } from '../support/browser.ts';
import { addMember, type Credentials } from '../support/oauth.ts';
import { looksIn } from '../support/pageLooks.ts';

const look = looksIn('people');

let site: Site;
let api: TestApi;
let browser: Browser;
let credentials: Credentials;
let now = Date.now();

beforeAll(async () => {
  site = await startSite({ systemNow: () => new Date(now) });
  ({ api, browser } = site);
  credentials = await addMember(api, api.live.account, 'ann@acme.example');
});
afterAll(() => site?.close());

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: SIZES.desktop, bypassCSP: true });
  return context.newPage();
}

const codeOf = (secret: string) => generateSync({ secret, epoch: now / 1000 });

async function fillSignIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Email').fill(credentials.email);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign in');
}

test('a person signs in, adds an authenticator app, and signs in with it', async () => {
  const page = await newPage();
  await page.goto(`${api.deps.publicUrl}/security`);
  await look(page, 'sign-in');
  await fillSignIn(page, 'wrong');
  await page.getByRole('alert').waitFor();
  await look(page, 'sign-in-refused');
  await fillSignIn(page, credentials.password);
  await page.getByRole('heading', { name: 'Second factor', exact: true }).waitFor();
  await look(page, 'security');
  await press(page, 'Add an authenticator app');
  const secret = (await page.locator('code').first().textContent()) ?? '';
  await look(page, 'offered');
  await page.getByLabel('Code that the app shows').fill(codeOf(secret));
  await press(page, 'Add the app');
  await page.getByText('Copy your recovery codes now').waitFor();
  await look(page, 'recovery-codes');
  await press(page, 'Sign out');
  now += 30_000;
  await fillSignIn(page, credentials.password);
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
  await look(page, 'code');
  await page.getByLabel('Code').fill(codeOf(secret));
  await press(page, 'Continue');
  await page.getByRole('heading', { name: 'Your accounts' }).waitFor();
  await look(page, 'accounts');
  await page.context().close();
});

test('somebody joins by a copied link', async () => {
  const { invitation_url: url } = await api.live.make('/members', { email: 'grace@acme.example', role: 'employee' });
  const page = await newPage();
  await page.goto(url);
  await look(page, 'invitation-copied');
  await press(page, 'Send the code');
  await page.getByLabel('Code from the mail').waitFor();
  const sql = `select text from email where to_address = 'grace@acme.example' order by created_at desc, id desc limit 1`;
  const [mail] = await api.em.fork().execute<{ text: string }[]>(sql);
  await page.getByLabel('Code from the mail').fill(/\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '');
  await page.getByLabel('Your name').fill('Grace');
  await page.getByLabel('New password').fill('password123');
  await press(page, 'Join Acme');
  await page.getByRole('alert').waitFor();
  await look(page, 'invitation-refused');
  await page.getByLabel('New password').fill('a long secret of mine');
  await press(page, 'Join Acme');
  await page.getByText('Employee').waitFor();
  await page.context().close();
});

test('a password is reset', async () => {
  const page = await newPage();
  await page.goto(`${api.deps.publicUrl}/reset`);
  await look(page, 'reset');
  await page.getByLabel('Email').fill('nobody@acme.example');
  await press(page, 'Send the link');
  await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
  await look(page, 'reset-sent');
  await page.goto(`${api.deps.publicUrl}/reset/made-up`);
  await look(page, 'reset-ended');
  await page.context().close();
});
