import { expect, test } from '@jest/globals';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { dayOf2027 as day, goldSubscriptions } from '../../support/goldSubscriptions.ts';

/** Notices ahead of renewals and ends of contracts. The test takes the steps as their processes would. */

/** A day of 2028. */
const nextYear = (month: number, of = 1) => day(12 + month, of);

const gold = goldSubscriptions(async ({ make, patch }) => {
  await patch('/account', { email_new_invoices: 'none' });
  return make('/plans', { id: 'annual', name: 'Annual', amount: 120, interval: 'year' });
});
const { cancel, change, expectCleanBooks } = gold;

const settings = (body: object) => gold.api.sandbox.patch('/account', body);

let customers = 0;

/** Subscribes a new customer with an address. */
async function subscribe(body: object): Promise<{ id: number; customer: number }> {
  customers += 1;
  const customer = await gold.customerWith({ name: 'Ada', email: `ada${customers}@example.com` });
  return { id: await gold.begin({ customer, ...body }), customer };
}

interface Mail {
  subject: string;
  message: string;
  template: string;
}

/** The notices that were mailed to a customer. */
async function noticesTo(customer: number): Promise<Mail[]> {
  const mails: Mail[] = (await gold.api.sandbox.get(`/emails?filter[customer]=${customer}&sort=id`)).body;
  return mails.filter(({ template }) => !/confirmation|canceled/.test(template));
}

/** The planned steps: "renews_soon 2028-02-27". */
async function planned(id: number): Promise<string[]> {
  const sql = `select rule, at from wakeup where process = 'subscription' and subject_id = ? order by at, rule`;
  const rows = await gold.api.em.fork().execute<{ rule: string; at: string | Date }[]>(sql, [id]);
  return rows.map(({ rule, at }) => `${rule} ${new Date(at).toISOString().slice(0, 10)}`);
}

/** Takes the steps that are due at a time, as the process does. Returns them in words. */
async function stepsAt(id: number, seconds: number): Promise<string[]> {
  gold.moveTo(seconds);
  const key = { accountId: gold.api.sandbox.account.id, id };
  const told: string[] = [];
  for (let more = true; more; ) {
    const step = await inTransaction(gold.api.em, (em) => advanceSubscription(em, key, new Date(seconds * 1000)));
    if (step.did) told.push(step.did.replace(/INV-\d+/, 'an invoice'));
    more = step.more;
  }
  return told;
}

test('a yearly renewal is announced once, three days ahead, with its date and price', async () => {
  const { id, customer } = await subscribe({ plan: 'annual', quantity: 2 });
  expect(await planned(id)).toEqual(['renews_soon 2028-02-27', 'bill 2028-03-01']);
  const timeline = await gold.api.sandbox.get(`/subscriptions/${id}/timeline?filter[rule]=renews_soon`);
  expect(timeline.body).toMatchObject([
    { upcoming: true, timestamp: nextYear(2, 27), what: 'renewal notice', why: 'it renews three days later' },
  ]);
  expect(await stepsAt(id, nextYear(2, 27) - 1)).toEqual([]);
  expect(await stepsAt(id, nextYear(2, 27))).toEqual(['renewal notice']);
  expect(await stepsAt(id, nextYear(2, 27))).toEqual([]);
  expect(await planned(id)).toEqual(['bill 2028-03-01']);
  expect(await noticesTo(customer)).toMatchObject([
    {
      template: 'subscription_renews_soon_email',
      subject: 'Your subscription to Annual renews on March 1, 2028',
      message:
        'Hello Ada, your subscription to Annual renews on March 1, 2028. To change or cancel it, please contact us before then.',
    },
  ]);
  const sql = `select text from email where customer_id = ? and template = 'subscription_renews_soon_email'`;
  const [row] = await gold.api.em.fork().execute(sql, [customer]);
  expect(row?.text).toMatch(/^Price per period +\$240\.00$/m); // 2 x 120.00
  expect(row?.text).toMatch(/^Next billing date +March 1, 2028$/m);
  await change(id, { metadata: { a: 'b' } });
  expect(await planned(id)).toEqual(['bill 2028-03-01']);
  expect(await stepsAt(id, nextYear(3))).toEqual(['renewal 1: issued an invoice for 240.00 usd']);
  expect(await planned(id)).toEqual(['renews_soon 2029-02-26', 'bill 2029-03-01']);
  await expectCleanBooks();
});

test('the end of a trial is announced with the price from then on', async () => {
  const { id, customer } = await subscribe({ trial_days: 14 });
  expect(await planned(id)).toEqual(['renews_soon 2027-03-12', 'bill 2027-03-15']);
  expect(await stepsAt(id, day(3, 12))).toEqual(['renewal notice']);
  expect(await noticesTo(customer)).toMatchObject([
    {
      template: 'subscription_renews_soon_email',
      subject: 'Your trial of Gold ends on March 14, 2027',
      message: expect.stringContaining('Billing starts on March 15, 2027.'),
    },
  ]);
});

test('the notice of a renewal that is billed ahead tells the day of the renewal and the day of the bill', async () => {
  const { id, customer } = await subscribe({ plan: 'annual', bill_in_advance_days: 30 });
  expect(await planned(id)).toEqual(['renews_soon 2028-01-28', 'bill 2028-01-31']); // 1 March 2028 less 30 days
  expect(await stepsAt(id, nextYear(1, 28))).toEqual(['renewal notice']);
  expect(await noticesTo(customer)).toMatchObject([{ subject: 'Your subscription to Annual renews on March 1, 2028' }]);
  const sql = `select text from email where customer_id = ? and template = 'subscription_renews_soon_email'`;
  const [row] = await gold.api.em.fork().execute(sql, [customer]);
  expect(row?.text).toMatch(/^Next billing date +January 31, 2028$/m);
});

test('a renewal whose bill is moved to another day and back is not announced again', async () => {
  const { id, customer } = await subscribe({ plan: 'annual', bill_in_advance_days: 1 });
  await stepsAt(id, nextYear(2, 26)); // three days before the bill of 29 February
  await change(id, { quantity: 2, when: 'renewal' });
  await stepsAt(id, nextYear(2, 27)); // three days before the bill of 1 March
  expect(await noticesTo(customer)).toHaveLength(2);
  gold.moveTo(nextYear(2, 28));
  await change(id, { pending_change: null });
  await stepsAt(id, nextYear(2, 28));
  expect(await noticesTo(customer)).toHaveLength(2);
  expect(await stepsAt(id, nextYear(2, 29))).toEqual([
    'renewal 1: it bills 1 day before its periods: issued an invoice for 120.00 usd',
  ]);
});

test('a renewal that has passed during an outage is billed, and not announced afterwards', async () => {
  const { id, customer } = await subscribe({ plan: 'annual' });
  expect(await stepsAt(id, nextYear(3))).toEqual(['renewal 1: issued an invoice for 120.00 usd']);
  expect(await noticesTo(customer)).toEqual([]);
  expect(await planned(id)).toEqual(['renews_soon 2029-02-26', 'bill 2029-03-01']);
});

test('no event is written for a notice', async () => {
  const { id } = await subscribe({ plan: 'annual' });
  const events = async () => (await gold.api.sandbox.get(`/events?related_to=subscription,${id}`)).body;
  const before = await events();
  await stepsAt(id, nextYear(2, 28));
  expect(await events()).toEqual(before);
});

test('renewals of monthly plans are announced when the setting says so, and none when it says none', async () => {
  const { id: monthly } = await subscribe({});
  expect(await planned(monthly)).toEqual(['bill 2027-04-01']);
  await settings({ renewal_notices: 'all' });
  const { id: told, customer } = await subscribe({});
  expect(await stepsAt(told, day(3, 29))).toEqual(['renewal notice']);
  expect(await noticesTo(customer)).toMatchObject([{ subject: 'Your subscription to Gold renews on April 1, 2027' }]);
  await settings({ renewal_notices: 'none' });
  const { id: silent } = await subscribe({ plan: 'annual' });
  expect(await planned(silent)).toEqual(['bill 2028-03-01']);
  await settings({ renewal_notices: null });
});

test('a pause or a cancellation takes the notice back, and its undoing plans it again', async () => {
  const { id, customer } = await subscribe({ plan: 'annual' });
  await change(id, { cancel_at_period_end: true });
  expect(await planned(id)).toEqual(['cancel 2028-03-01']);
  await change(id, { cancel_at_period_end: false });
  expect(await planned(id)).toEqual(['renews_soon 2028-02-27', 'bill 2028-03-01']);
  await change(id, { paused: true });
  expect(await planned(id)).toEqual([]);
  gold.moveTo(nextYear(2, 28)); // the day of the notice has passed, the renewal has not
  await change(id, { paused: false });
  expect(await planned(id)).toEqual(['renews_soon 2028-02-27', 'bill 2028-03-01']);
  expect(await stepsAt(id, nextYear(2, 28))).toEqual(['renewal notice']);
  expect(await noticesTo(customer)).toHaveLength(1);
  await cancel(id);
  expect(await planned(id)).toEqual([]);
});

test('a pause in arrears takes the notice back, although the period is billed', async () => {
  const { id } = await subscribe({ plan: 'annual', bill_in: 'arrears' });
  expect(await planned(id)).toEqual(['renews_soon 2028-02-27', 'bill 2028-03-01']);
  await change(id, { paused: true });
  expect(await planned(id)).toEqual(['bill 2028-03-01']);
  await change(id, { paused: false });
  expect(await planned(id)).toEqual(['renews_soon 2028-02-27', 'bill 2028-03-01']);
});

test('a customer without an address is not told, and the notice counts as sent', async () => {
  const id = await gold.begin({ plan: 'annual' });
  const did = ['renewal notice: the customer has no email address'];
  expect(await stepsAt(id, nextYear(2, 27))).toEqual(did);
  expect(await planned(id)).toEqual(['bill 2028-03-01']);
});

test.each([
  ['none', 'Your contract for Gold ends on May 31, 2027', 'The subscription ends with it.'],
  ['manual', 'Your contract for Gold ends on May 31, 2027', 'It does not renew automatically.'],
  ['auto', 'Your contract for Gold renews on June 1, 2027', 'renews automatically on this day for 6 months.'],
  ['renew_once', 'Your contract for Gold renews on June 1, 2027', 'renews once, on this day, for 6 months.'],
])('the end of a contract with mode %s is announced by contract_notice_days', async (mode, subject, sentence) => {
  await settings({ contract_notice_days: 45 });
  const contract = { cycles: 3, contract_renewal_mode: mode, contract_renewal_cycles: 6 };
  const { id, customer } = await subscribe(contract);
  expect(await planned(id)).toEqual(['bill 2027-04-01', 'contract_ending 2027-04-17']); // 1 June less 31 and 14 days
  await stepsAt(id, day(4));
  expect(await stepsAt(id, day(4, 17))).toEqual(['contract notice']);
  await stepsAt(id, day(5));
  expect(await noticesTo(customer)).toMatchObject([
    { template: 'contract_ending_email', subject, message: expect.stringContaining(sentence) },
  ]);
  await settings({ contract_notice_days: null });
});

test('each contract is announced once, and without the setting none is', async () => {
  const unannounced = await subscribe({ cycles: 3 });
  expect(await planned(unannounced.id)).toEqual(['bill 2027-04-01']);
  await settings({ contract_notice_days: 10 });
  const { id, customer } = await subscribe({ cycles: 1, contract_renewal_mode: 'auto', contract_renewal_cycles: 2 });
  expect(await stepsAt(id, day(3, 22))).toEqual(['contract notice']); // 1 April less 10 days
  expect(await stepsAt(id, day(4))).toEqual(['renew the contract', 'renewal 1: issued an invoice for 10.00 usd']);
  expect(await planned(id)).toEqual(['bill 2027-05-01', 'contract_ending 2027-05-22']);
  await stepsAt(id, day(5, 25));
  expect((await noticesTo(customer)).map(({ subject }) => subject)).toEqual([
    'Your contract for Gold renews on April 1, 2027',
    'Your contract for Gold renews on June 1, 2027',
  ]);
  await settings({ contract_notice_days: null });
});

test('a pause lengthens the contract and delays its notice; a contract whose end has passed is not announced', async () => {
  await settings({ contract_notice_days: 10 });
  const { id, customer } = await subscribe({ cycles: 2 });
  await change(id, { paused: true });
  expect(await planned(id)).toEqual([]);
  gold.moveTo(day(4, 25)); // the end would have been on 1 May, the notice on 21 April
  await change(id, { paused: false });
  expect(await planned(id)).toEqual(['bill 2027-05-01', 'contract_ending 2027-05-22']);
  expect(await stepsAt(id, day(6))).toEqual([
    'renewal 2: issued an invoice for 10.00 usd',
    'finish at the end of the contract',
  ]);
  expect(await noticesTo(customer)).toEqual([]);
  await settings({ contract_notice_days: null });
});

test('after an outage bills and notices are taken in order of time', async () => {
  await settings({ contract_notice_days: 45 });
  const { id } = await subscribe({ cycles: 3 });
  expect(await stepsAt(id, day(5, 2))).toEqual([
    'renewal 1: issued an invoice for 10.00 usd', // 1 April
    'contract notice', // 17 April
    'renewal 2: issued an invoice for 10.00 usd', // 1 May
  ]);
  await settings({ contract_notice_days: null });
});

test('the database refuses a second notice of one period', async () => {
  const one = await subscribe({ plan: 'annual' });
  const other = await subscribe({ plan: 'annual' });
  for (const { id } of [one, other]) await stepsAt(id, nextYear(2, 27));
  const second = `update email set cause = (select cause from email where customer_id = ? and cause like '%:renewal:%')
    where customer_id = ? and cause like '%:renewal:%'`;
  await expect(gold.api.em.fork().execute(second, [one.customer, other.customer])).rejects.toThrow('email_cause');
});

test('no request failed with a server error', () => {
  expect(gold.api.faults).toEqual([]);
});
