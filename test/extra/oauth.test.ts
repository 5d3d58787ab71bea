import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as oauth from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { send, type TestApi } from '../support/api.ts';
import { type OtherSite, SIZES, type Site, startOtherSite, startSite } from '../support/browser.ts';
import { addMember, type Credentials, oauthClient, register } from '../support/oauth.ts';
import { looksIn } from '../support/pageLooks.ts';

const picture = looksIn('oauth');

let site: Site;
let api: TestApi;
let browser: Browser;
let credentials: Credentials;
let ledger: OtherSite;
let callback: string;

beforeAll(async () => {
  site = await startSite();
  ({ api, browser } = site);
  ledger = await startOtherSite(() => '<h1>Ledger Sync</h1>');
  callback = `${ledger.origin.replace('localhost', '127.0.0.1')}/callback`;
  credentials = await addMember(api, api.live.account, 'ann@acme.example');
});

afterAll(async () => {
  await site?.close();
  await ledger?.close();
});

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: SIZES.desktop });
  return context.newPage();
}

async function fillSignIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Email').fill(credentials.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a person signs in and grants access, and the application calls the API', async () => {
  const registered = await register(api, api.sandbox, { redirectUris: [callback] });
  const config = oauthClient(api, registered);
  oauth.allowInsecureRequests(config);
  const verifier = oauth.randomPKCECodeVerifier();
  const page = await newPage();
  const refused: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && refused.push(message.text())));
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'read_write',
    state: 'from-the-site',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  await page.goto(url.href);
  await picture(page, 'sign-in');
  await fillSignIn(page, 'not the password');
  await page.getByRole('alert').waitFor();
  await picture(page, 'sign-in-refused');
  refused.length = 0; // the 401 of the wrong password
  await fillSignIn(page, credentials.password);
  await page.getByRole('heading', { name: 'Ledger Sync wants access to Acme' }).waitFor();
  await picture(page, 'consent');
  await page.getByRole('button', { name: 'Allow access' }).click();
  await page.waitForURL(`${callback}?**`);
  expect(refused).toEqual([]);
  const tokens = await oauth.authorizationCodeGrant(config, new URL(page.url()), {
    pkceCodeVerifier: verifier,
    expectedState: 'from-the-site',
  });
  const headers = { Authorization: `Bearer ${tokens.access_token}` };
  const made = await send(`${api.sandbox.url}/customers`, { method: 'POST', headers, body: { name: 'Zoe' } });
  expect(made).toMatchObject({ status: 201, body: { name: 'Zoe' } });
  await page.context().close();
});

test('a person registers an application, replaces its secret and deletes it', async () => {
  const page = await newPage();
  await page.goto(`${api.deps.publicUrl}/oauth/applications`);
  await fillSignIn(page, credentials.password);
  await page.getByText('None yet').waitFor();
  await page.getByLabel('Name').fill('Warehouse');
  await page.getByLabel('Redirect URIs').fill(`${callback}\nhttps://warehouse.example/back`);
  await page.getByRole('button', { name: 'Register' }).click();
  const secret = page.getByText(/^cs_live_[0-9A-Za-z]{40}$/);
  const first = await secret.textContent();
  await picture(page, 'applications');
  await page.getByText('New secret', { exact: true }).click();
  await picture(page, 'applications-sure');
  await page.getByRole('button', { name: 'Make a new secret for Warehouse' }).click();
  await page.waitForURL('**/rotate_secret?account=*');
  expect(await secret.textContent()).not.toBe(first);
  await page.getByText('Delete', { exact: true }).click();
  await page.getByRole('button', { name: 'Delete Warehouse' }).click();
  await page.getByText('None yet').waitFor();
  await page.goto(`${api.deps.publicUrl}/oauth/authorize?client_id=nobody`);
  await picture(page, 'error');
  await page.context().close();
});
