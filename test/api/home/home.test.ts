import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { seedDispute } from '../../support/disputes.ts';
import { workUntil } from '../../support/dueWork.ts';
import { colleague } from '../../support/people.ts';
import { takeSubscriptionSteps } from '../../support/subscriptionSteps.ts';

let api: TestApi;
/** A live account, of which Home reads open invoices only; later a sandbox, which has a gateway. */
let client: Client;
let acme: number;
let globex: number;
let now = at('2027-02-10T15:00:00Z');

function at(text: string): number {
  return Date.parse(text) / 1000;
}

const bill = (customer: number, amount: number, more = {}) =>
  client.make('/invoices', { customer, items: [{ name: 'Work', unit_cost: amount }], ...more });

/** Takes all steps that are due until a time, as processes do. */
const goOn = (text: string) =>
  workUntil(
    api,
    {
      accountId: client.account.id,
      now: () => now,
      moveTo: (time) => {
        now = time;
      },
    },
    at(text),
  );

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  client = api.live;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

/** A minute after the last answer, of which a part that took long to read is kept. */
const home = async (as = client) => {
  now += 60;
  const { status, body } = await as.get('/home');
  expect({ status, incomplete: body.incomplete }).toEqual({ status: 200, incomplete: [] });
  return body;
};
interface Link {
  path: string;
  query: Record<string, string>;
}
const follow = async ({ path, query }: Link) => {
  const { status, body } = await client.get(`${path}?${new URLSearchParams(query)}`);
  expect([path, status]).toEqual([path, 200]);
  return body;
};

test('an account with nothing in it has a list of steps to go live, which the account itself ticks', async () => {
  const empty = await home();
  expect(empty).toMatchObject({
    today: '2027-02-10',
    money: { this_month: { start: '2027-02-01', end: '2027-02-10', sums: [] } },
    open: { currencies: [] },
    mrr: { currencies: [] },
    retrying: { count: 0, sums: [], invoices: [] },
    needs_a_person: { items: [] },
    next_seven_days: { items: [] },
  });
  const done = ({ go_live: { done, steps } }: Awaited<ReturnType<typeof home>>) => [
    done,
    ...steps.filter((step: { done: boolean }) => step.done).map(({ step }: { step: string }) => step),
  ];
  expect(done(empty)).toEqual([false]);
  await client.patch('/account', {
    email: 'us@example.com',
    address1: 'Main St 1',
    country: 'US',
    time_zone: 'America/Chicago',
  });
  await client.make('/tax_rates', { id: 'none', name: 'None', value: 0 });
  const keys = { secret_key: 'sk_live_HomeNumbers', publishable_key: 'pk_live_Home' };
  const merchant = await client.make('/merchant_accounts', { gateway: 'stripe', name: 'Ours', ...keys });
  await colleague(api, client, { role: 'administrator' });
  await colleague(api, client, { role: 'employee' });
  acme = (await client.make('/customers', { name: 'Acme' })).id;
  await bill(acme, 1, { draft: true });
  expect(done(await home())).toEqual([false, 'business', 'tax', 'gateway', 'colleague']);
  await bill(acme, 64, { due_date: at('2027-03-17T17:00:00Z') });
  const { go_live: live } = await home();
  expect(live.steps.at(-2)).toMatchObject({ step: 'first_invoice', done: true });
  for (const { link } of live.steps) await follow(link);
  await client.delete(`/merchant_accounts/${merchant.id}`);
  expect(done(await home())).toEqual([false, 'business', 'tax', 'first_invoice', 'colleague']);
});

test('its numbers are those of the reports to which they lead', async () => {
  globex = (await client.make('/customers', { name: 'Globex' })).id;
  await client.make('/plans', { id: 'gold', name: 'Gold', amount: 30, interval: 'month' });
  await bill(globex, 128, { due_date: at('2027-02-12T17:00:00Z') });
  await bill(globex, 256, { currency: 'eur', due_date: at('2027-02-12T17:00:00Z') });
  const late = await bill(globex, 512, { due_date: at('2027-02-12T17:00:00Z') });
  await client.make('/payments', { customer: acme, amount: 5 });
  await goOn('2027-02-20T15:00:00Z');
  await client.make('/payments', {
    customer: globex,
    amount: 7,
    applied_to: [{ type: 'invoice', invoice: late.id, amount: 7 }],
  });
  await client.make('/subscriptions', { customer: globex, plan: 'gold' });
  await goOn('2027-03-15T15:00:00Z');
  const paid = await client.make('/payments', { customer: globex, amount: 11, currency: 'eur' });
  await client.make('/refunds', { payment: paid.id, amount: 4, method: 'wire_transfer' });
  await client.make('/subscriptions', { customer: acme, plan: 'gold', quantity: 2 });
  const { money, open, mrr, needs_a_person: needs } = await home();
  const [usd] = money.last_month.sums;
  expect(money).toMatchObject({
    this_month: {
      start: '2027-03-01',
      end: '2027-03-15',
      sums: [{ currency: 'eur', received: 11, returned: 4, net: 11 - 4 }],
    },
    last_month_to_date: { start: '2027-02-01', end: '2027-02-15', sums: [{ currency: 'usd', received: 5 }] },
    last_month: { start: '2027-02-01', end: '2027-02-28', sums: [{ currency: 'usd', received: 12, net: 12 }] },
  });
  expect((await follow(usd.link)).totals).toMatchObject([{ currency: 'usd', received: 12 }]);
  const [eur] = money.this_month.sums;
  expect((await follow(eur.link)).totals).toMatchObject([{ currency: 'eur', received: 11, returned: 4, net: 7 }]);
  const aging = (await client.get('/reports/aging')).body.totals;
  const byId = (buckets: { id: string; amount: number }[]) =>
    Object.fromEntries(buckets.map(({ id, amount }) => [id, amount]));
  expect(open.currencies).toHaveLength(2);
  for (const { currency, total, overdue, buckets, link } of open.currencies) {
    const report = aging.find((row: { currency: string }) => row.currency === currency);
    expect(report).toMatchObject({ total, ...byId(buckets) });
    expect(overdue).toBe(total - report.not_due);
    expect((await follow(link)).totals).toMatchObject([{ currency, amount: total }]);
    const month = buckets.find(({ id }: { id: string }) => id === 'days_31_60');
    expect((await follow(month.link)).totals).toMatchObject([{ currency, amount: month.amount }]);
  }
  expect(open.currencies[1]).toMatchObject({ currency: 'usd', overdue: 128 + 505 });
  expect(mrr).toMatchObject({
    start: '2027-02-16',
    end: '2027-03-15',
    currencies: [{ currency: 'usd', month_ago: 0, now: 90, new: 90, churn: 0 }],
  });
  expect((await follow(mrr.currencies[0].link)).totals).toMatchObject([{ currency: 'usd', amount: 90 }]);
  const unapplied = needs.items.find(({ kind }: { kind: string }) => kind === 'unapplied_payments');
  expect(unapplied).toMatchObject({
    count: 2,
    sums: [
      { currency: 'eur', amount: 11 - 4 },
      { currency: 'usd', amount: 5 },
    ],
  });
  expect((await follow(unapplied.link)).rows).toHaveLength(2);
});

test('what needs a person, what is tried again and what comes next are counted until somebody does it', async () => {
  client = api.sandbox;
  acme = (await client.make('/customers', { name: 'Acme' })).id;
  globex = (await client.make('/customers', { name: 'Globex' })).id;
  await client.make('/plans', { id: 'gold', name: 'Gold', amount: 30, interval: 'month' });
  const promised = await bill(acme, 64, { due_date: at('2027-03-17T17:00:00Z') });
  await client.patch(`/invoices/${promised.id}`, { expected_payment_date: { date: at('2027-03-19T17:00:00Z') } });
  await client.make('/subscriptions', { customer: globex, plan: 'gold', start_date: at('2027-02-20T15:00:00Z') });
  await client.make('/payments', { customer: globex, amount: 9 });
  const payer = (await client.make('/customers', { name: 'Payer', autopay: true })).id;
  const card = { method: 'credit_card', gateway_token: 'tok_4000000000000069', make_default: true };
  await client.make(`/customers/${payer}/payment_sources`, card);
  const failing = await bill(payer, 40);
  await goOn('2027-03-16T15:00:00Z');
  await client.patch(`/customers/${acme}`, { credit_hold: true });
  const { id } = await client.make('/subscriptions', { customer: acme, plan: 'gold' });
  await takeSubscriptionSteps(api.em, { accountId: client.account.id, id }, new Date(now * 1000));
  const dispute = await seedDispute(api, client, globex);
  await api.em
    .fork()
    .execute('update dispute set evidence_due_at = ? where id = ?', [new Date('2027-03-21T15:00:00Z'), dispute]);
  const task = await client.make('/tasks', { customer: globex, name: 'Call', action: 'phone', due_date: now });
  await client.make('/tasks', { customer: globex, name: 'Later', action: 'phone', due_date: now + 3 * 86_400 });
  const planned = await bill(globex, 60);
  const installments = [at('2027-03-18T17:00:00Z'), at('2027-05-01T17:00:00Z')].map((date) => ({ date, amount: 30 }));
  await client.request('PUT', `/invoices/${planned.id}/payment_plan`, { installments });
  const { retrying, needs_a_person: needs, next_seven_days: week } = await home();
  const { next_payment_attempt, payment_failure } = (await client.get(`/invoices/${failing.id}`)).body;
  const failure = payment_failure.message;
  expect(retrying).toMatchObject({
    count: 1,
    sums: [{ currency: 'usd', count: 1, amount: 40 }],
    invoices: [
      {
        invoice: failing.id,
        customer: payer,
        customer_name: 'Payer',
        code: 'insufficient_funds',
        message: failure,
        next_attempt: next_payment_attempt,
      },
    ],
  });
  expect((await follow(retrying.link)).rows).toMatchObject([
    { invoice: failing.id, next_attempt: expect.stringMatching(/^2027-03-/), attempts: expect.any(Number), failure },
  ]);
  const kinds = Object.fromEntries(needs.items.map((item: { kind: string }) => [item.kind, item]));
  expect(kinds).toMatchObject({
    problems: { count: 1, sums: [{ currency: 'usd', amount: 30 }] },
    disputes: { count: 1, sums: [{ currency: 'usd', amount: 3 }], first_at: expect.any(Number) },
    held_bills: { count: 1, sums: [{ currency: 'usd', amount: 30 }] },
    tasks: { count: 1, sums: [], first_at: task.due_date },
  });
  for (const { link } of needs.items) await follow(link);
  const days = week.items.map(({ day, kind, sums }: { day: string; kind: string; sums: { amount: number }[] }) =>
    [day, kind, ...sums.map(({ amount }) => amount)].join(' '),
  );
  expect(days).toEqual(
    expect.arrayContaining([
      '2027-03-16 tasks', // it is due now, and counts on the whole day
      '2027-03-17 due 64',
      '2027-03-18 installments 30',
      '2027-03-19 promises 64',
      '2027-03-19 tasks',
      '2027-03-20 renewals',
      '2027-03-21 evidence 3',
    ]),
  );
  expect(days.filter((line: string) => line.includes('charges 40'))).toHaveLength(1);
  for (const { kind, day, count, link } of week.items) {
    if (!link) continue;
    const found = await follow(link);
    expect([kind, day, (found.rows ?? found).length]).toEqual([kind, day, count]);
  }
  await client.patch(`/tasks/${task.id}`, { complete: true });
  expect((await home()).needs_a_person.items.map(({ kind }: { kind: string }) => kind)).not.toContain('tasks');
});

test('a caller sees the parts that it may read, a limited member those of its customers', async () => {
  await client.make('/roles', { id: 'clerk', name: 'Clerk', permissions: ['payments.read'] });
  const clerk = await home((await colleague(api, client, { role: 'clerk' })).client);
  expect(clerk).toMatchObject({ money: null, open: null, mrr: null, retrying: null, go_live: null });
  expect(clerk.needs_a_person.items.map(({ kind }: { kind: string }) => kind)).toEqual([
    'disputes',
    'unapplied_payments',
  ]);
  expect(clerk.next_seven_days.items.map(({ kind }: { kind: string }) => kind)).toEqual(['evidence']);
  const limited = await colleague(api, client, { role: 'administrator', isLimited: true });
  const nothing = { open: { currencies: [] }, retrying: { count: 0 }, needs_a_person: { items: [] }, go_live: null };
  expect(await home(limited.client)).toMatchObject({ ...nothing, next_seven_days: { items: [] } });
  await client.patch(`/customers/${acme}`, { owner: limited.id });
  const own = await home(limited.client);
  expect(own.open.currencies).toMatchObject([{ currency: 'usd', overdue: 0 }]);
  expect(own.needs_a_person.items.map(({ kind }: { kind: string }) => kind)).toContain('held_bills');
  expect(own.retrying.count).toBe(0);
  const ahead = own.next_seven_days.items.map(({ kind }: { kind: string }) => kind);
  expect(ahead).toContain('promises');
  expect(ahead).not.toContain('evidence'); // of a customer of somebody else
});
