import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import { type Site, startSite } from '../support/browser.ts';
import { addMember, type Credentials } from '../support/oauth.ts';

/** A page of ours in a real browser: learns its CSRF token, gets a link, and lets the browser save the file. */

let site: Site;
let api: TestApi;
let browser: Browser;
let credentials: Credentials;

beforeAll(async () => {
  site = await startSite();
  ({ api, browser } = site);
  credentials = await addMember(api, api.live.account, 'ann@acme.example');
});
afterAll(() => site?.close());

/** The script of a page of ours. Answers with the link. */
const scriptFor = (account: number, body: object) => `(async () => {
  const headers = { 'Perennial-Account': '${account}', 'Content-Type': 'application/json' };
  const me = await (await fetch('/sandbox/api/me', { headers })).json();
  const answer = await fetch('/sandbox/api/downloads', {
    method: 'POST',
    headers: { ...headers, 'X-CSRF-Token': me.csrf_token },
    body: ${JSON.stringify(JSON.stringify(body))},
  });
  return (await answer.json()).url;
})()`;

test('a PDF, the log as CSV and a page are saved under their names, and the page stays where it is', async () => {
  const { sandbox, live } = api;
  const { id: customer } = await sandbox.make('/customers', { name: 'Ada' });
  const { id } = await sandbox.make('/invoices', { customer, items: [{ unit_cost: 9 }] });
  const context = await browser.newContext();
  await context.route('**/ours', (route) => route.fulfill({ contentType: 'text/html', body: '<title>ours</title>' }));
  const page = await context.newPage();
  await page.goto(`${api.deps.publicUrl}/accounts`);
  await page.getByLabel('Email').fill(credentials.email);
  await page.getByLabel('Password').fill(credentials.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Your accounts' }).waitFor();
  const ours = `${api.deps.publicUrl}/ours`;
  await page.goto(ours);
  for (const [path, format, name] of [
    [`/invoices/${id}`, 'pdf', /\.pdf$/],
    ['/audit_log?kind=change', 'csv', /^audit_log\.csv$/],
  ] as const) {
    const url = await page.evaluate<string>(scriptFor(live.account.id, { path, format }));
    const saving = page.waitForEvent('download');
    await page.evaluate(`location.assign(${JSON.stringify(url)})`);
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(name);
    expect(await saved.failure()).toBeNull();
    expect([page.url(), await page.title()]).toEqual([ours, 'ours']);
  }
  await context.close();
});
