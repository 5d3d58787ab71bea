import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { ApiDeps } from '../../api/server.ts';
import { buildDashboard } from '../../bin/dashboard.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { projectFolder } from '../suites.ts';
import type { Client } from './api.ts';
import { launchChromium, press, SIZES, type Site, startSite } from './browser.ts';
import { addMember, type Credentials } from './oauth.ts';
import { type Product, startProduct } from './product.ts';
import { startReverseProxy } from './reverseProxy.ts';

const built = () => buildDashboard(join(projectFolder, '.data', 'cache'), () => {});

/** Starts an API that serves the dashboard, and a browser. */
export const startDashboard = (overrides: Partial<ApiDeps> = {}): Promise<Site> =>
  startSite({ dashboard: built, ...overrides });

/** The dashboard with everything behind it: API, worker and Temporal. */
export interface WholeDashboard extends Visited {
  product: Product;
  close(): Promise<void>;
}

export async function startWholeDashboard(): Promise<WholeDashboard> {
  const proxy = await startReverseProxy();
  const product = await startProduct({ api: { publicUrl: proxy.origin, dashboard: built } });
  proxy.forwardTo(new URL(product.url).origin);
  const browser = await launchChromium();
  const [live] = await product.rows<{ id: number }>("select id from account where environment = 'live'");
  return {
    product,
    browser,
    origin: proxy.origin,
    api: { em: product.deps.em, deps: product.deps, live: { account: { id: live?.id ?? 0 } } },
    close: async () => {
      await browser.close();
      await product.close();
      await proxy.close();
    },
  };
}

/** A person in front of the dashboard. */
export interface Visitor {
  page: Page;
  credentials: Credentials;
  /** Errors of scripts and failed requests. */
  complaints: string[];
  /** Opens a path of a place: `customers`. */
  open(path: string, environment?: 'live' | 'sandbox'): Promise<void>;
}

/** Where a visitor comes to: an API with its accounts, and a browser. */
interface Visited {
  api: { em: EntityManager; deps: { systemNow(): Date }; live: { account: Pick<Account, 'id'> } };
  browser: Browser;
  origin: string;
}

/** Signs a new administrator in, through the pages, in a profile of its own. */
export async function visitDashboard(
  { api, browser, origin }: Visited,
  email: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  return signInAt(
    { origin, browser, account: api.live.account.id },
    await addMember(api, api.live.account, email),
    options,
  );
}

/** Signs a new member with a role in. */
export async function visitAs(site: Site, email: string, role: string): Promise<Visitor> {
  const { api, browser, origin } = site;
  const credentials = await addMember(api, api.live.account, email);
  await giveRole(api.live, email, role);
  return signInAt({ origin, browser, account: api.live.account.id }, credentials, {});
}

async function signInAt(
  { origin, browser, account }: { origin: string; browser: Browser; account: number },
  credentials: Credentials,
  options: BrowserContextOptions,
): Promise<Visitor> {
  const page = await (await browser.newContext({ viewport: SIZES.desktop, bypassCSP: true, ...options })).newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && void complaints.push(message.text()));
  await page.goto(`${origin}/dashboard/${account}/sandbox`);
  await page.getByLabel('Email').fill(credentials.email);
  await page.getByLabel('Password').fill(credentials.password);
  await press(page, 'Sign in');
  await page.getByRole('navigation').first().waitFor(); // its name is in the language of the person
  return {
    page,
    credentials,
    complaints,
    open: async (path, environment = 'sandbox') => {
      await page.goto(`${origin}/dashboard/${account}/${environment}/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  };
}

async function giveRole(live: Client, email: string, role: string): Promise<void> {
  const { body: members } = await live.get('/members?per_page=100');
  const member = members.find((one: { email: string }) => one.email === email);
  await live.patch(`/members/${member.id}`, { role });
}

/** Customers and documents of all sorts in the sandbox. `now`: the time of the API, UNIX seconds. */
export async function fillSandbox(
  sandbox: Client,
  now = Math.floor(Date.now() / 1000),
): Promise<{ ann: number; invoice: number; draft: number }> {
  const ann = await sandbox.make('/customers', {
    name: 'Ann Archer',
    email: 'ann@example.com',
    phone: '+1 555 0100',
    address1: '5 Elm Street',
    city: 'Austin',
    state: 'TX',
    postal_code: '78701',
    country: 'US',
  });
  await sandbox.make('/customers', { name: 'Bolt Ltd', email: 'pay@bolt.example', payment_terms: 'NET 30' });
  await sandbox.make('/customers', { name: 'شركة النور', email: 'noor@example.com', currency: 'eur' });
  const day = 86_400;
  const items = [{ name: 'Consulting', quantity: 2, unit_cost: 40.25 }];
  const invoice = await sandbox.make('/invoices', {
    customer: ann.id,
    items,
    date: now - 40 * day,
    due_date: now - 10 * day,
  });
  await sandbox.make('/invoices', {
    customer: ann.id,
    items: [{ name: 'Support', unit_cost: 120 }],
    due_date: now + 5 * day,
  });
  const draft = await sandbox.make('/invoices', { customer: ann.id, items, draft: true });
  await sandbox.make('/payments', { customer: ann.id, amount: 30, method: 'check', reference: 'CH-7' });
  await sandbox.make('/estimates', { customer: ann.id, items });
  await sandbox.make('/tasks', { name: 'Call Ann', action: 'phone', customer_id: ann.id, due_date: now });
  return { ann: ann.id, invoice: invoice.id, draft: draft.id };
}

const COPIED_AT_ONCE = 5000;

/** Copies the customer of a name until its account has a number of them. */
export async function copyCustomer(em: EntityManager, { name, total }: { name: string; total: number }): Promise<void> {
  for (let first = 1; first < total; first += COPIED_AT_ONCE)
    await em.fork().execute(
      `insert into customer select made.* from customer c, generate_series(?::int, ?::int) n,
         lateral jsonb_populate_record(c, jsonb_build_object(
           'id', c.id + n, 'name', 'Customer ' || lpad(n::text, 6, '0'), 'number', 'C' || n, 'number_key', 'c' || n,
           'token', md5('a' || n), 'sign_up_token', md5('b' || n), 'portal_token', md5('c' || n))) made
       where c.name = ?`,
      [first, Math.min(total, first + COPIED_AT_ONCE) - 1, name],
    );
  await em.fork().execute('analyze customer');
}
