import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { ApiDeps } from '../../api/server.ts';
import { buildDashboard } from '../../bin/dashboard.ts';
import { projectFolder } from '../suites.ts';
import type { Client } from './api.ts';
import { press, SIZES, type Site, startSite } from './browser.ts';
import { addMember, type Credentials } from './oauth.ts';

/** Starts an API that serves the dashboard, and a browser. */
export const startDashboard = (overrides: Partial<ApiDeps> = {}): Promise<Site> =>
  startSite({ dashboard: () => buildDashboard(join(projectFolder, '.data', 'cache'), () => {}), ...overrides });

/** A person in front of the dashboard. */
export interface Visitor {
  page: Page;
  credentials: Credentials;
  /** Errors of scripts and failed requests. */
  complaints: string[];
  /** Opens a path of a place: `customers`. */
  open(path: string, environment?: 'live' | 'sandbox'): Promise<void>;
}

/** Signs a new member in, through the pages, in a profile of its own. `role`: by its id; absent: an administrator. */
export async function visitDashboard(
  { api, browser, origin }: Site,
  email: string,
  { role, ...options }: BrowserContextOptions & { role?: string } = {},
): Promise<Visitor> {
  const { account } = api.live;
  const credentials = await addMember(api, account, email);
  if (role) await giveRole(api.live, email, role);
  const page = await (await browser.newContext({ viewport: SIZES.desktop, bypassCSP: true, ...options })).newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && void complaints.push(message.text()));
  await page.goto(`${origin}/dashboard/${account.id}/sandbox`);
  await page.getByLabel('Email').fill(credentials.email);
  await page.getByLabel('Password').fill(credentials.password);
  await press(page, 'Sign in');
  await page.getByRole('navigation', { name: 'Places' }).waitFor();
  return {
    page,
    credentials,
    complaints,
    open: async (path, environment = 'sandbox') => {
      await page.goto(`${origin}/dashboard/${account.id}/${environment}/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  };
}

async function giveRole(live: Client, email: string, role: string): Promise<void> {
  const { body: members } = await live.get('/members?per_page=100');
  const member = members.find((one: { email: string }) => one.email === email);
  await live.patch(`/members/${member.id}`, { role });
}

/** Customers and documents of all sorts in the sandbox. */
export async function fillSandbox(sandbox: Client): Promise<{ ann: number; invoice: number; draft: number }> {
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
  const now = Math.floor(Date.now() / 1000);
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
