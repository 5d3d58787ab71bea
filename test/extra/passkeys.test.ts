import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { press, SIZES, type Site, startSite } from '../support/browser.ts';
import { addMember } from '../support/oauth.ts';
import { looksIn } from '../support/pageLooks.ts';

const look = looksIn('people');

let site: Site;
let api: TestApi;
let browser: Browser;

beforeAll(async () => {
  // Passkeys belong to a name, and browsers take plain http for this one only.
  site = await startSite({ host: 'localhost' });
  ({ api, browser } = site);
});
afterAll(() => site?.close());

/** A page with a device that makes passkeys, as the DevTools protocol simulates it. `faults`: what the browser complains about. */
async function newPage({ size = SIZES.desktop, bypassCSP = false, canVerify = true } = {}): Promise<{
  page: Page;
  faults: string[];
}> {
  const context = await browser.newContext({ viewport: size, bypassCSP });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    const isAnswer = message.text().startsWith('Failed to load resource'); // 401, and browsers ask for an icon
    if (message.type() === 'error' && !isAnswer) faults.push(message.text());
  });
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const kind = canVerify
    ? ({ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const)
    : ({ protocol: 'u2f', transport: 'usb', hasResidentKey: false, hasUserVerification: false } as const);
  const options = { ...kind, isUserVerified: canVerify, automaticPresenceSimulation: true };
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  return { page, faults };
}

let people = 0;
async function signInByPassword(page: Page): Promise<{ again: () => Promise<void> }> {
  const { email, password } = await addMember(api, api.live.account, `device${++people}@acme.example`);
  const again = async () => {
    await page.goto(`${api.deps.publicUrl}/sign_in?return_to=/security`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Sign in');
  };
  await again();
  return { again };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

async function signOut(page: Page): Promise<void> {
  await press(page, 'Sign out');
  await heading(page, 'Sign in');
}

/** Opens what asks for confirmation, and confirms, by keyboard. */
async function remove(page: Page): Promise<void> {
  await page.locator('li summary').first().focus();
  await page.keyboard.press('Enter');
  await press(page, 'Remove the passkey');
  await page.getByText('The passkey no longer signs you in').waitFor();
}

test('a person adds a passkey, signs in with it alone and after the password, and removes it', async () => {
  const { page, faults } = await newPage({ bypassCSP: true });
  const { again } = await signInByPassword(page);
  await heading(page, 'Passkeys');
  await look(page, 'security-without-passkey');
  await page.getByLabel('Name of the new passkey').fill('Laptop at home');
  await press(page, 'Add a passkey');
  await page.getByText('Copy your recovery codes now').waitFor();
  await page.getByRole('heading', { name: 'Laptop at home' }).waitFor();
  await look(page, 'passkey-added');
  await press(page, 'Add a passkey');
  await page.getByRole('alert').getByText('This device has a passkey of yours already').waitFor();
  await look(page, 'passkey-known');
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  await look(page, 'sign-in-passkey');
  await press(page, 'Sign in with a passkey');
  await heading(page, 'Your accounts');
  await signOut(page);
  await again();
  await heading(page, 'Confirm that it is you');
  await look(page, 'passkey-second-factor');
  await press(page, 'Use a passkey');
  await heading(page, 'Passkeys');
  await page.locator('li summary').first().focus();
  await page.keyboard.press('Enter');
  await look(page, 'passkey-remove');
  await page.keyboard.press('Enter'); // closes it again
  await remove(page);
  await look(page, 'passkey-removed');
  await signOut(page);
  await press(page, 'Sign in with a passkey');
  await page.getByRole('alert').waitFor();
  await look(page, 'passkey-refused');
  expect(faults).toEqual([]);
  await page.context().close();
});

test('on a phone, under the policy of the pages, all of it works by keyboard', async () => {
  const { page, faults } = await newPage({ size: SIZES.phone });
  const { again } = await signInByPassword(page);
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor();
  await page.getByLabel('Name of the new passkey').focus();
  await page.keyboard.type('Phone');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Phone' }).waitFor();
  await signOut(page);
  await page.getByLabel('Password').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab'); // past the button of the password
  await page.keyboard.press('Enter');
  await heading(page, 'Your accounts');
  await signOut(page);
  await again();
  await heading(page, 'Confirm that it is you');
  await press(page, 'Use a passkey');
  await heading(page, 'Passkeys');
  await remove(page);
  expect(faults).toEqual([]);
  await page.context().close();
});

test('a device that cannot check who holds it signs in after the password only', async () => {
  const { page } = await newPage({ canVerify: false });
  const { again } = await signInByPassword(page);
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor();
  await press(page, 'Add a passkey');
  await page.getByText('Copy your recovery codes now').waitFor();
  await signOut(page);
  await press(page, 'Sign in with a passkey');
  await page.getByRole('alert').waitFor();
  await again();
  await heading(page, 'Confirm that it is you');
  await press(page, 'Use a passkey');
  await heading(page, 'Passkeys');
  await page.context().close();
});

test('without scripts, the pages offer no passkeys', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${api.deps.publicUrl}/sign_in`);
  expect(await page.getByRole('button').allTextContents()).toEqual(['Sign in']);
  await context.close();
});
