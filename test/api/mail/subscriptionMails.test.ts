import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { dayOf2027 as day, goldSubscriptions } from '../../support/goldSubscriptions.ts';

/** Mails that confirm a subscription, or say that it is canceled. The test takes the steps as their processes would. */

/** Invoices are not mailed here: their mails have tests of their own. */
const gold = goldSubscriptions(({ patch }) => patch('/account', { email_new_invoices: 'none' }));

let customers = 0;

/** Creates a customer with an address of its own. */
async function reader(fields: object = {}): Promise<number> {
  customers += 1;
  return gold.customerWith({ name: 'Ada', email: `ada${customers}@example.com`, ...fields });
}

interface Mail {
  email: string;
  subject: string;
  message: string;
  template: string;
}

const mailsTo = async (customer: number): Promise<Mail[]> =>
  (await gold.api.sandbox.get(`/emails?filter[customer]=${customer}&sort=id`)).body;

test('the mails of a subscription link to its page', async () => {
  const customer = await reader();
  const id = await gold.begin({ customer });
  const { url } = (await gold.api.sandbox.get(`/subscriptions/${id}`)).body;
  await gold.api.sandbox.delete(`/subscriptions/${id}`);
  const mails = await gold.api.em
    .fork()
    .execute<{ template: string; html: string; text: string }[]>(
      'select template, html, text from email where customer_id = ? order by id',
      [customer],
    );
  expect(mails.map(({ template }) => template)).toEqual([
    'subscription_confirmation_email',
    'subscription_canceled_email',
  ]);
  for (const { html, text } of mails) {
    expect(html).toMatch(new RegExp(`<a [^>]*href="${url}"[^>]*>[^<]*View subscription`));
    expect(text).toContain(url);
  }
});

test('a new subscription is confirmed in its transaction: plan, quantity, price, period and next bill', async () => {
  const customer = await reader();
  await gold.begin({ customer, quantity: 3 });
  const [mail, ...others] = await mailsTo(customer);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    template: 'subscription_confirmation_email',
    subject: 'Your subscription to Gold from Acme',
    message: 'Hello Ada, thank you for subscribing to Gold. It renews each period until it is canceled.',
    state: 'queued',
  });
  const [row] = await gold.api.em.fork().execute('select text from email where customer_id = ?', [customer]);
  for (const line of [
    /^Quantity +3$/m,
    /^Price per period +\$30\.00$/m, // 3 x 10.00
    /^Billing period +1 month$/m,
    /^Current period +Mar 1\s–\s31, 2027$/m,
    /^Next billing date +April 1, 2027$/m,
  ])
    expect(row?.text).toMatch(line);
});

test('a start in the future is confirmed at once, and one that is paused is confirmed as paused', async () => {
  const customer = await reader();
  await gold.begin({ customer, start_date: day(5, 20) });
  await gold.begin({ customer, paused: true });
  expect((await mailsTo(customer)).map(({ message }) => message)).toEqual([
    expect.stringContaining('It starts on May 20, 2027.'),
    expect.stringContaining('It is paused: nothing is billed until it resumes.'),
  ]);
  const sql = 'select text from email where customer_id = ? order by id';
  const texts = await gold.api.em.fork().execute(sql, [customer]);
  expect(texts.map(({ text }) => /Next billing date +May 20, 2027/.test(text))).toEqual([true, false]);
});

test('a start whose first period has ended is not confirmed, because it was agreed earlier', async () => {
  const customer = await reader();
  const { sandbox } = gold.api;
  gold.moveTo(day(5));
  await sandbox.make('/subscriptions', { customer, plan: 'gold', start_date: day(4) }); // ended today
  expect(await mailsTo(customer)).toEqual([]);
  await sandbox.make('/subscriptions', { customer, plan: 'gold', start_date: day(4) + 1 });
  expect(await mailsTo(customer)).toHaveLength(1);
});

test('it goes to the customer and its primary contacts, in the language of the customer, and to nobody without an address', async () => {
  const customer = await reader({ language: 'de', country: 'DE' });
  const contact = { name: 'Bo', email: 'bo@example.com', primary: true };
  await gold.api.sandbox.post(`/customers/${customer}/contacts`, contact);
  await gold.begin({ customer });
  const mails = await mailsTo(customer);
  expect(mails.map(({ message }) => message.split(',')[0])).toEqual(['Guten Tag Ada', 'Guten Tag Bo']);
  expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill('Ihr Abonnement Gold bei Acme'));
  const silent = await reader({ email: null });
  await gold.begin({ customer: silent });
  expect(await mailsTo(silent)).toEqual([]);
});

test('a refused or repeated request sends no mail', async () => {
  const customer = await reader();
  const { sandbox } = gold.api;
  await sandbox.post('/plans', { id: 'dear', name: 'Dear', amount: 10_000, interval: 'month' });
  const dear = await sandbox.post('/subscriptions', { customer, plan: 'dear', quantity: 1_000_000_000 });
  expect(dear).toMatchObject(refused({ param: 'quantity' })); // 10^13 are too much
  const body = { customer, plan: 'gold' };
  const key = { 'Idempotency-Key': 'subscribe-once' };
  const first = await sandbox.post('/subscriptions', body, key);
  expect((await sandbox.post('/subscriptions', body, key)).body).toEqual(first.body);
  expect(await mailsTo(customer)).toHaveLength(1);
});

const canceledIn = async (customer: number) =>
  (await mailsTo(customer)).filter(({ template }) => template === 'subscription_canceled_email');

test('a cancellation by request is told at once, with the day on which it ended', async () => {
  const customer = await reader();
  const id = await gold.begin({ customer });
  gold.moveTo(day(3, 20) + 3600);
  await gold.api.sandbox.delete(`/subscriptions/${id}`);
  expect(await gold.api.sandbox.delete(`/subscriptions/${id}`)).toMatchObject(refused({}));
  expect(await canceledIn(customer)).toMatchObject([
    {
      subject: 'Your subscription to Gold is canceled',
      message: 'Hello Ada, your subscription to Gold ended on this day. Invoices that are still open remain due.',
    },
  ]);
});

test('a cancellation at the end of the period is told when it takes effect', async () => {
  const customer = await reader();
  const id = await gold.begin({ customer });
  await gold.api.sandbox.patch(`/subscriptions/${id}`, { cancel_at_period_end: true });
  await gold.advanceTo(id, day(4) - 1);
  expect(await canceledIn(customer)).toEqual([]);
  await gold.advanceTo(id, day(4));
  const [mail, ...others] = await canceledIn(customer);
  expect(others).toEqual([]);
  expect(mail?.message).toContain('ended on this day, at the end of its term.');
});

test('a subscription that finishes by its cycles sends no mail about a cancellation', async () => {
  const customer = await reader();
  const id = await gold.begin({ customer, cycles: 1 });
  await gold.advanceTo(id, day(4));
  expect(await gold.read(id)).toMatchObject({ status: 'finished' });
  expect((await mailsTo(customer)).map(({ template }) => template)).toEqual(['subscription_confirmation_email']);
});

test('no request failed with a server error', () => {
  expect(gold.api.faults).toEqual([]);
});
