import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApiKey } from '../../../commands/accounts/apiKeys.ts';
import { disputeLineAsCustomer } from '../../../commands/invoices/customersWords.ts';
import { systemCaller } from '../../../commands/kernel/caller.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, clientOf, linkOf, refused, startApi, type TestApi } from '../../support/api.ts';
import { seedDispute } from '../../support/disputes.ts';
import { workUntil } from '../../support/dueWork.ts';
import { type Colleague, colleague } from '../../support/people.ts';
import { takeSubscriptionSteps } from '../../support/subscriptionSteps.ts';

// Everything that waits stands in the worklist once, by the money at risk.

let api: TestApi;
let client: Client;
let now = at('2027-02-10T15:00:00Z');
let ann: Colleague;

function at(text: string): number {
  return Date.parse(text) / 1000;
}

const bill = (customer: number, amount: number, more = {}) =>
  client.make('/invoices', { customer, items: [{ name: 'Work', unit_cost: amount }], ...more });

/** Takes all steps that are due until a time, as processes do. */
const goOn = (text: string) => {
  const moveTo = (time: number) => {
    now = time;
  };
  return workUntil(api, { accountId: client.account.id, now: () => now, moveTo }, at(text));
};

interface Item {
  id: string;
  kind: string;
  subject: { object: string; id: number; path: string };
  title: string;
  why: string;
  task: number | null;
  customer: number | null;
  user_id: number | null;
  currency: string | null;
  money_at_risk: number | null;
  due_at: number | null;
}

const worklist = async (query = '', as = client): Promise<Item[]> => {
  const { status, body } = await as.get(`/worklist${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body;
};

const short = ({ kind, currency, money_at_risk: amount }: Item) => [kind, amount, currency].join(' ');

/** Customers by what they are for. */
const who: Record<string, number> = {};
/** Documents and tasks by what they are for. */
const ids: Record<string, number> = {};

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  client = api.sandbox;
  ann = await colleague(api, client, { role: 'account_manager' });
  for (const name of ['caller', 'promiser', 'payer', 'disputer', 'held', 'euro', 'quarrel'])
    who[name] = (await client.make('/customers', { name })).id;
  await client.make('/plans', { id: 'gold', name: 'Gold', amount: 30, interval: 'month' });
  await client.patch(`/customers/${who.promiser}`, { owner: ann.id });
  const steps = [{ name: 'Call', action: 'phone', schedule: 'past_due_age:1' }];
  const cadence = await client.make('/chasing_cadences', { name: 'Calls', time_of_day: 9, steps });
  await client.patch(`/customers/${who.caller}`, { chasing_cadence: cadence.id });
  const due = { due_date: at('2027-02-12T17:00:00Z') };
  ids.called = (await bill(who.caller ?? 0, 64, due)).id;
  await bill(who.caller ?? 0, 36, due);
  ids.promised = (await bill(who.promiser ?? 0, 128)).id;
  const promise = { date: at('2027-02-15T17:00:00Z') };
  await client.patch(`/invoices/${ids.promised}`, { expected_payment_date: promise });
  await client.patch(`/customers/${who.payer}`, { autopay: true });
  const card = { method: 'credit_card', gateway_token: 'tok_4000000000000069', make_default: true };
  await client.make(`/customers/${who.payer}/payment_sources`, card);
  ids.failed = (await bill(who.payer ?? 0, 40)).id;
  await bill(who.euro ?? 0, 500, { currency: 'eur', ...due });
  ids.quarreled = (await bill(who.quarrel ?? 0, 77)).id;
  await goOn('2027-02-16T20:00:00Z');
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

test('each object that waits is one item with its money and its reason', async () => {
  ids.payment = (await client.make('/payments', { customer: who.euro, amount: 300, currency: 'eur' })).id;
  ids.stray = (await client.make('/payments', { amount: 11, reference: 'RF18' })).id;
  ids.review = (await client.make('/tasks', { customer: who.held, name: 'Review', action: 'review' })).id;
  ids.euros = (await client.make('/tasks', { customer: who.euro, name: 'Ring', action: 'phone', due_date: now })).id;
  await client.make('/tasks', { customer: who.euro, name: 'Later', action: 'phone', due_date: now + 2 * 86_400 });
  await client.patch(`/customers/${who.held}`, { credit_hold: true });
  const { id } = await client.make('/subscriptions', { customer: who.held, plan: 'gold' });
  await takeSubscriptionSteps(api.em, { accountId: client.account.id, id }, new Date(now * 1000));
  ids.dispute = await seedDispute(api, client, who.disputer ?? 0);
  const due = new Date('2027-02-21T15:00:00Z');
  await api.em.fork().execute('update dispute set evidence_due_at = ? where id = ?', [due, ids.dispute]);
  await client.patch('/account', { portal_disputes: true });
  const { items } = (await client.get(`/invoices/${ids.quarreled}`)).body;
  const line = { id: ids.quarreled ?? 0, lineId: items[0].id, reason: 'Never came' };
  await withAccount(client.account.id, () =>
    inTransaction(api.em, async (em) => {
      const caller = await systemCaller(em, client.account.id);
      await disputeLineAsCustomer(em, { ...line, caller }, new Date(now * 1000));
    }),
  );
  const found = await worklist();
  expect(found.map(short)).toEqual([
    'broken_promise 128 usd',
    'task 100 usd',
    'disputed_invoice 77 usd',
    'failed_charge 40 usd',
    'problem 30 usd',
    'unapplied_payment 11 usd',
    'dispute 3 usd',
    'task 500 eur',
    'unapplied_payment 300 eur',
    'task  ',
  ]);
  expect(new Set(found.map(({ id: item }) => item)).size).toBe(found.length);
  expect(found.map(({ subject: { object, id: subject } }) => `${object} ${subject}`)).toEqual(
    expect.arrayContaining([
      `invoice ${ids.promised}`,
      `invoice ${ids.failed}`,
      `payment ${ids.payment}`,
      `payment ${ids.stray}`,
      `dispute ${ids.dispute}`,
      `task ${ids.review}`,
      `task ${ids.euros}`,
    ]),
  );
  for (const { subject } of found) expect([subject, (await client.get(subject.path)).status]).toEqual([subject, 200]);
});

test('the reason is said in the language of the caller', async () => {
  const whys = async (language: string) => {
    const { body, headers } = await client.request('GET', '/worklist', undefined, { 'Accept-Language': language });
    expect(headers.get('Content-Language')).toBe(language);
    return body.map(({ why }: Item) => why);
  };
  expect(await whys('en')).toEqual([
    '$128.00 was promised for 15 February 2027 and did not come.',
    'It asks for 2 open invoices. First due date: 12 February 2027.',
    expect.stringMatching(
      /^The customer disputes a line: Never came. Nobody asks for the invoice until \d+ \w+ 2027.$/,
    ),
    expect.stringMatching(/^The charge failed: .+\. It is tried again on \d+ February 2027\.$/),
    expect.stringMatching(/credit hold.*Tried 1 time since 16 February 2027\.$/),
    '$11.00 arrived on 16 February 2027 and pays nothing yet. It belongs to no customer.',
    'The bank of the payer holds $3.00: fraudulent. Evidence is due by 21 February 2027.',
    'It was planned for 16 February 2027. The customer owes €500.00 past the due date.',
    '€300.00 arrived on 16 February 2027 and pays nothing yet. The customer owes €500.00.',
    'It has no due date.',
  ]);
  const [german] = await whys('de');
  expect(german).toBe('128,00\u00a0$ wurden bis zum 15. Februar 2027 zugesagt und kamen nicht.');
  for (const language of ['ar', 'es', 'fr', 'he', 'ja', 'zh'])
    for (const why of await whys(language))
      expect([language, why]).not.toEqual([language, expect.stringMatching(/[{}]|undefined/)]);
});

test('filters choose kinds, currencies, customers and whose work it is', async () => {
  const found = await worklist();
  const some = (is: (item: Item) => boolean) => found.filter(is);
  expect(await worklist('?filter[kind]=task')).toEqual(some(({ kind }) => kind === 'task'));
  expect(await worklist('?filter[kind][in]=task,dispute')).toHaveLength(4);
  expect(await worklist('?filter[currency]=eur')).toEqual(some(({ currency }) => currency === 'eur'));
  expect(await worklist(`?filter[customer]=${who.payer}`)).toEqual(some(({ customer }) => customer === who.payer));
  expect(await worklist('?filter[assignee]=team')).toEqual(found);
  expect(await worklist('?filter[assignee]=unassigned')).toEqual(some(({ user_id: user }) => user === null));
  const mine = await worklist('?filter[assignee]=me', ann.client);
  expect(mine.map(short)).toEqual(['broken_promise 128 usd']);
  expect(await worklist(`?filter[user_id]=${ann.id}`)).toEqual(mine);
  const first = await client.get('/worklist?per_page=4');
  const pages = [first.body];
  for (let next = linkOf(first, 'next'); next; ) {
    const page = await client.get(next);
    pages.push(page.body);
    next = linkOf(page, 'next');
  }
  expect(pages.map((page) => page.length)).toEqual([4, 4, 2]);
  expect(pages.flat()).toEqual(found);
  expect(first.headers.get('X-Total-Count')).toBe('10');
  for (const [query, param] of [
    ['filter[assignee]=nobody', 'filter[assignee]'],
    ['filter[kind]=call', 'filter[kind]'],
    ['filter[state]=x', 'filter[state]'],
    ['only=mine', 'only'],
  ] as const)
    expect({ query, ...(await client.get(`/worklist?${query}`)) }).toMatchObject({ query, ...refused({ param }) });
});

test('a key of the account has no work of its own', async () => {
  const made = { account: client.account, name: 'Machine', scope: 'read' as const, expiresAt: null, memberId: null };
  const { key } = await inTransaction(api.em, (em) => createApiKey(em, made, new Date()));
  const machine = clientOf(client.url, client.account, key);
  expect(await machine.get('/worklist?filter[assignee]=me')).toMatchObject(refused({ param: 'filter[assignee]' }));
  expect(await worklist('?filter[assignee]=team', machine)).toHaveLength(10);
});

test('a caller sees the kinds that it may read, a limited member those of its customers, another account nothing', async () => {
  await client.make('/roles', { id: 'clerk', name: 'Clerk', permissions: ['payments.read'] });
  const clerk = await colleague(api, client, { role: 'clerk' });
  expect(new Set((await worklist('', clerk.client)).map(({ kind }) => kind))).toEqual(
    new Set(['unapplied_payment', 'dispute']),
  );
  await client.make('/roles', { id: 'seller', name: 'Seller', permissions: ['catalog.read'] });
  const seller = await colleague(api, client, { role: 'seller' });
  expect(await seller.client.get('/worklist')).toMatchObject({ status: 403, body: { code: 'permission_missing' } });
  const limited = await colleague(api, client, { role: 'administrator', isLimited: true });
  expect(await worklist('', limited.client)).toEqual([]);
  await client.patch(`/customers/${who.held}`, { owner: limited.id });
  expect((await worklist('', limited.client)).map(short)).toEqual(['problem 30 usd', 'task  ']);
  await client.patch(`/customers/${who.held}`, { owner: null });
  expect(await worklist('', api.live)).toEqual([]);
});

test('what is done, put off or paid leaves the list', async () => {
  const found = await worklist();
  const of = (kind: string) => found.find((item) => item.kind === kind);
  const kinds = async () => (await worklist()).map(short);
  const task = (kind: string) => `/tasks/${of(kind)?.task}`;
  await client.patch(task('task'), { due_date: now + 86_400 * 3 });
  expect(await kinds()).not.toContain('task 100 usd');
  await client.patch(task('task'), { due_date: now });
  await client.patch(task('broken_promise'), { complete: true, outcome: 'She pays tomorrow' });
  await client.patch(task('dispute'), { complete: true });
  expect((await client.get(`/disputes/${ids.dispute}`)).body.status).toBe('open');
  await client.patch(task('disputed_invoice'), { complete: true });
  await client.make('/payments', {
    customer: who.caller,
    amount: 64,
    applied_to: [{ type: 'invoice', invoice: ids.called, amount: 64 }],
  });
  const left = await kinds();
  expect(left).toEqual([
    'failed_charge 40 usd',
    'task 36 usd',
    'problem 30 usd',
    'unapplied_payment 11 usd',
    'task 500 eur',
    'unapplied_payment 300 eur',
    'task  ',
  ]);
  const next = { name: 'Call again', action: 'phone', due_date: now + 86_400 * 2 };
  const call = { customer: who.payer, name: 'Called', action: 'phone', complete: true, outcome: 'A new card', next };
  await ann.client.make('/tasks', call);
  expect(await kinds()).not.toContain('failed_charge 40 usd');
  await client.patch(`/customers/${who.held}`, { credit_hold: false });
  await goOn('2027-02-19T20:00:00Z'); // the follow-up is due, and the charge has failed again
  const later = await worklist(`?filter[customer]=${who.payer}`);
  expect(later.map(short)).toEqual(['failed_charge 40 usd', 'task  ']);
});
