import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { builtInRoles } from '../../billing/people/permissions.ts';
import { groups } from '../../dashboard/kinds/all.ts';
import { en } from '../../words/dashboard/en.ts';
import type { Site } from '../support/browser.ts';
import { fillSandbox, startDashboard, type Visitor, visitAs } from '../support/dashboard.ts';

/** Each role is offered what the API lets it do, and nothing else. */

let site: Site;
let made: Awaited<ReturnType<typeof fillSandbox>>;
/** Invoices by their state. */
const documents = { open: 0, draft: 0 };
let payment: number;
let subscription: number;

beforeAll(async () => {
  site = await startDashboard();
  made = await fillSandbox(site.api.sandbox);
  const caller = {
    id: 'caller',
    name: 'Caller',
    permissions: ['customers.read', 'documents.read', 'collections.write'],
  };
  await site.api.live.make('/roles', caller);
  const { ann: customer } = made;
  documents.open = (await site.api.sandbox.make('/invoices', { customer, items: LINES })).id;
  documents.draft = (await site.api.sandbox.make('/invoices', { customer, items: LINES, draft: true })).id;
  payment = (await site.api.sandbox.make('/payments', { customer, amount: 5, reference: 'X' })).id;
  await site.api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  subscription = (await site.api.sandbox.make('/subscriptions', { customer: made.ann, plan: 'gold' })).id;
  await site.api.sandbox.make(`/customers/${made.ann}/contacts`, { name: 'Cy', email: 'cy@example.com' });
});
afterAll(() => site?.close());

type Asked = [method: string, path: string, body?: object];

/** Nothing has this id: a request that is allowed changes nothing. */
const NONE = 2_147_483_000;

/** The first customer of an account. */
const ANN = 1;

/** Parameters that an act has to be given. */
const parametersOf: Readonly<Record<string, object>> = { write_off: { reason: 'Lost' }, assign: { owner: null } };

const bulk = (list: string, action: string): Asked => [
  'POST',
  '/jobs',
  { type: 'bulk', list, action, ids: [NONE], parameters: parametersOf[action] ?? {} },
];

/** Acts of a customer's page with the request behind each. */
const ofCustomer: Readonly<Record<string, Asked>> = {
  'Log a call': ['POST', '/tasks', {}],
  'Add a note': ['POST', '/notes', {}],
  'Add a task': ['POST', '/tasks', {}],
  'Send statement': ['POST', `/customers/${NONE}/emails`, {}],
  'Promise to pay': ['PATCH', `/invoices/${NONE}`, {}],
  'Assign owner': ['PATCH', `/customers/${NONE}`, {}],
  'Put on hold': ['PATCH', `/customers/${NONE}`, {}],
  Merge: ['POST', `/customers/${NONE}/merge`, {}],
  'Open portal': ['POST', `/customers/${ANN}/portal_sessions`, { return_url: 'https://app.example/', read_only: true }],
  'Add a contact': ['POST', `/customers/${NONE}/contacts`, {}],
  'Edit: Cy': ['PATCH', `/customers/${NONE}/contacts/1`, {}],
  'Remove: Cy': ['DELETE', `/customers/${NONE}/contacts/1`],
  'Complete: Call Ann': ['PATCH', `/tasks/${NONE}`, {}],
};

/** Lines with a late fee, so that each act is offered that a document can have. */
const LINES = [
  { name: 'Hour', unit_cost: 50 },
  { name: 'Late fee', type: 'late_fee', unit_cost: 5, taxable: false },
];

const begun = (list: string, path: string): Asked => ['POST', `/${list}`, { [path]: NONE }];

/** Acts of the pages of an open invoice and of a draft, with the request behind each. */
const ofInvoices: Readonly<Record<'open' | 'draft', Readonly<Record<string, Asked>>>> = {
  open: {
    Send: ['POST', `/invoices/${NONE}/emails`, {}],
    'Record payment': ['POST', '/payments', {}],
    Credit: begun('credit_notes', 'customer'),
    Duplicate: begun('invoices', 'customer'),
    'Promise to pay': ['PATCH', `/invoices/${NONE}`, {}],
    'Payment plan': ['PUT', `/invoices/${NONE}/payment_plan`, {}],
    'Remove late fee': begun('credit_notes', 'customer'),
    'Write off': ['POST', `/invoices/${NONE}/write_off`, {}],
    Void: ['POST', `/invoices/${NONE}/void`, {}],
  },
  draft: {
    Issue: ['PATCH', `/invoices/${NONE}`, {}],
    Duplicate: begun('invoices', 'customer'),
    Delete: ['DELETE', `/invoices/${NONE}`],
  },
};

/** Acts of the page of a payment that nobody has applied, with the request behind each. */
const ofPayment: Readonly<Record<string, Asked>> = {
  'Apply or move': ['PATCH', `/payments/${NONE}`, {}],
  'Apply to INV-00001 of Ann Archer': ['PATCH', `/payments/${NONE}`, {}],
  'None of these': ['DELETE', `/payments/${NONE}/matches`],
  'Send receipt': ['POST', `/payments/${NONE}/emails`, {}],
  Refund: ['POST', '/refunds', {}],
  'Returned by the bank': ['POST', '/refunds', {}],
  Void: ['DELETE', `/payments/${NONE}`],
};

/** Ways from the list of payments. */
const ofPayments: Readonly<Record<string, Asked>> = {
  'New payment': ['POST', '/payments', {}],
  'Match payments': ['PATCH', `/payments/${NONE}`, {}],
  'Import a bank statement': ['POST', '/payments/import', {}],
};

/** Acts of a subscription's page. */
const ofSubscription: Readonly<Record<string, Asked>> = {
  'Change plan or quantity': ['PATCH', `/subscriptions/${NONE}`, {}],
  Pause: ['PATCH', `/subscriptions/${NONE}`, {}],
  'Cancel subscription': ['DELETE', `/subscriptions/${NONE}`],
};

const ofMany: Readonly<Record<string, readonly string[]>> = {
  customers: ['assign', 'statement', 'csv'],
  invoices: ['send', 'remind', 'write_off', 'void', 'csv'],
  estimates: ['send', 'void', 'csv'],
  payments: ['csv'],
};

test.each([...builtInRoles.keys(), 'caller'])('%s', async (role) => {
  const visitor = await visitAs(site, `${role}@acme.example`, role);
  const { page, open } = visitor;
  await open('');
  await page.getByRole('main').getByRole('heading').first().waitFor();
  const isAllowed = await asker(visitor);
  const expected = async (asked: readonly (readonly [string, Asked])[]) => {
    const answers = await Promise.all(asked.map(async ([name, of]) => ((await isAllowed(of)) ? [name] : [])));
    return answers.flat().toSorted();
  };

  const lists = groups.flat();
  const places = await namesOf(page.getByRole('navigation').getByRole('link'));
  const named = lists.map((list): [string, Asked] => [en.place[list], ['GET', `/${list}?per_page=1`]]);
  expect(places.filter((name) => named.some(([one]) => one === name)).toSorted()).toEqual(await expected(named));

  await open(`customers/${made.ann}`);
  await page.getByRole('heading', { name: 'Contacts' }).waitFor();
  await page.getByRole('cell', { name: 'cy@example.com' }).or(page.getByText('cy@example.com')).first().waitFor();
  expect(await actsOn(page)).toEqual(await expected(Object.entries(ofCustomer)));
  expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(
    (await isAllowed(['PATCH', `/customers/${NONE}`, {}])) ? 1 : 0,
  );

  if (await isAllowed(['GET', '/invoices?per_page=1']))
    for (const state of ['open', 'draft'] as const) {
      await open(`invoices/${documents[state]}`);
      await page.getByRole('heading', { name: 'Lines' }).waitFor();
      await page.waitForLoadState('networkidle');
      expect([state, await actsOn(page)]).toEqual([state, await expected(Object.entries(ofInvoices[state]))]);
    }

  if (await isAllowed(['GET', '/payments?per_page=1'])) {
    await open(`payments/${payment}`);
    await page.getByRole('heading', { name: 'Details' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await actsOn(page)).toEqual(await expected(Object.entries(ofPayment)));
    await open('payments');
    await page.waitForLoadState('networkidle');
    const ways = await namesOf(page.getByRole('main').getByRole('link'));
    const known = Object.keys(ofPayments);
    expect(ways.filter((name) => known.includes(name)).toSorted()).toEqual(await expected(Object.entries(ofPayments)));
  }

  if (await isAllowed(['GET', '/subscriptions?per_page=1'])) {
    await open(`subscriptions/${subscription}`);
    await page.locator('.upcoming summary').first().waitFor();
    expect(await actsOn(page)).toEqual(await expected(Object.entries(ofSubscription)));
  }

  for (const [list, acts] of Object.entries(ofMany)) {
    if (!(await isAllowed(['GET', `/${list}?per_page=1`]))) continue;
    await open(list);
    await page.getByRole('checkbox').nth(1).click();
    const asked = acts.map((act): [string, Asked] => [
      Object.entries(en.acts).find(([key]) => key === act)?.[1] ?? act,
      bulk(list, act),
    ]);
    expect([list, await bulkActs(page)]).toEqual([list, await expected(asked)]);
  }
  await page.context().close();
});

test('a member limited to its own customers sees these alone, and of others neither page nor name', async () => {
  const { page, open } = await visitAs(site, 'limited@acme.example', 'employee');
  const { body: members } = await site.api.live.get('/members?per_page=100');
  const { id } = members.find(({ email }: { email: string }) => email === 'limited@acme.example');
  await site.api.live.patch(`/members/${id}`, { owner_limited: true });
  await site.api.sandbox.make('/customers', { name: 'Own Corp', owner: id });
  await open('customers');
  await page.getByRole('link', { name: 'Own Corp' }).waitFor();
  expect(await page.getByRole('link', { name: 'Ann Archer' }).count()).toBe(0);
  await page.goto(page.url().replace(/customers.*/, `customers/${made.ann}`));
  await page.getByRole('heading', { level: 1, name: 'Not found here' }).waitFor();
  await open('');
  await page.getByRole('region', { name: 'What is owed' }).waitFor();
  expect(await page.getByText('Ann Archer').count()).toBe(0);
  await page.context().close();
});

const namesOf = (of: ReturnType<Page['getByRole']>): Promise<string[]> =>
  of.evaluateAll((all) => all.map((one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim()));

/** Says whether the API lets the visitor do something. What it sends is wrong otherwise, so that nothing happens. */
async function asker({ page }: Visitor): Promise<(asked: Asked) => Promise<boolean>> {
  const account = {
    'Perennial-Account': String(site.api.live.account.id),
    'Sec-Fetch-Site': 'same-origin',
    Origin: site.origin,
  };
  const api = `${site.origin}/sandbox/api`;
  const me = await (await page.request.get(`${api}/me`, { headers: account })).json();
  return async ([method, path, data]) => {
    const headers = { ...account, 'X-CSRF-Token': me.csrf_token };
    const answer = await page.request.fetch(`${api}${path}`, { method, headers, ...(data ? { data } : {}) });
    return answer.status() !== 403;
  };
}

/** The acts that a customer's page offers. */
async function actsOn(page: Page): Promise<string[]> {
  const names = await namesOf(page.getByRole('main').getByRole('button'));
  const more = page.getByRole('main').getByRole('button', { name: 'More', exact: true });
  if ((await more.count()) > 0) {
    await more.click();
    names.push(...(await namesOf(page.getByRole('menuitem'))));
    await page.keyboard.press('Escape');
  }
  return names.filter((name) => !['Copy id', 'More'].includes(name)).toSorted();
}

async function bulkActs(page: Page): Promise<string[]> {
  const menu = page.getByRole('button', { name: en.acts.act, exact: true });
  if ((await menu.count()) === 0) return [];
  await menu.click();
  const names = await namesOf(page.getByRole('menuitem'));
  await page.keyboard.press('Escape');
  return names.toSorted();
}
