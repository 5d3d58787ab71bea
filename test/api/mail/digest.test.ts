import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceDigest } from '../../../commands/mail/digestSteps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { digestEmail } from '../../../present/emails/teamMails.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { seedDispute } from '../../support/disputes.ts';

/** Contents, recipients and times of digests. */

const [DAY, NEXT] = ['2027-03-10T12:00:00Z', '2027-03-11T12:00:00Z'];
let now = DAY;
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
});
afterAll(() => api.close());

const team = { alert_recipients: ['team@example.com', 'books@example.com'], time_zone: 'America/New_York' };

async function business(settings: object) {
  now = DAY;
  const { sandbox: client, live } = await api.open('Told');
  expect((await client.patch('/account', settings)).status).toBe(200);
  return Object.assign(client, { workplace: `/dashboard/${live.account.id}/sandbox` });
}

/** When the next digest comes; null: none is planned. */
async function planned({ account }: Client): Promise<string | null> {
  const [row] = await api.em.execute<{ at: Date }[]>(
    `select at from wakeup where account_id = ? and process = 'digest'`,
    [account.id],
  );
  return row ? new Date(row.at).toISOString() : null;
}

/** Takes the step of the digest at a time. */
function stepAt({ account }: Client, at: string) {
  now = at;
  const key = { accountId: account.id, id: account.id };
  return inTransaction(api.em.fork(), (em) => advanceDigest(em, key, new Date(at)));
}

const mailsOf = ({ account }: Client) =>
  api.em.execute<{ to: string; subject: string; text: string; cause: string }[]>(
    `select to_address as to, subject, text, cause from email where account_id = ? and template = 'digest_email' order by id`,
    [account.id],
  );

test('the digest tells of the money of the day before, in each currency, and of what is open, without test clocks and names', async () => {
  const client = await business(team);
  const { id: customer } = await client.make('/customers', { name: 'Ada Lovelace', email: 'ada@example.com' });
  const { id: clock } = await client.make('/test_clocks', { name: 'Story', frozen_time: Date.parse(DAY) / 1000 });
  const { id: clocked } = await client.make('/customers', { name: 'Bob', test_clock: clock });
  const pay = (amount: number, over: object = {}) => client.make('/payments', { customer, amount, ...over });
  await pay(100);
  await pay(20.5);
  await pay(7, { currency: 'eur', customer: undefined });
  await pay(5000, { customer: clocked });
  const { id: voided } = await pay(999);
  expect((await client.delete(`/payments/${voided}`)).status).toBe(200);
  await seedDispute(api, client, customer); // a charge of 3.00, and its dispute
  const declined = { method: 'credit_card', gateway_token: 'tok_4000000000000002', applied_to: [] };
  for (const amount of [40, 2.25])
    expect(await client.post('/charges', { customer, amount, ...declined })).toMatchObject(
      refused({ message: 'The card was reported lost.' }),
    );
  const due = (at: string) => ({ customer, name: 'Call', action: 'phone', due_date: Date.parse(at) / 1000 });
  await client.make('/tasks', due('2027-03-12T03:59:59Z')); // 23:59:59 in New York
  await client.make('/tasks', due('2027-03-12T05:00:00Z'));
  await client.make('/tasks', { ...due(DAY), complete: true });
  await client.make('/tasks', { ...due(DAY), customer: clocked });
  await api.em.execute(
    `insert into problem (account_id, subject_type, subject_id, step, message, since, tries, updated_at, clock_id)
     select ?, 'invoice', n, 'attempt 1', 'refused', now(), 1, now(), nullif(n, 1) from generate_series(1, 2) n`,
    [client.account.id],
  );
  expect(await planned(client)).toBe('2027-03-11T12:00:00.000Z'); // 7:00 in New York, before summer time
  now = '2027-03-11T05:00:00Z'; // midnight in New York: the next day
  await pay(50_000);

  expect((await stepAt(client, NEXT)).did).toBe('mailed the digest of 2027-03-10');
  const mails = await mailsOf(client);
  expect(mails.map(({ to, cause }) => [to, cause])).toEqual([
    ['team@example.com', 'digest:2027-03-10'],
    ['books@example.com', 'digest:2027-03-10:1'],
  ]);
  const [mail] = mails;
  expect(mail?.subject).toBe('Told: what happened on March 10, 2027');
  const rows = (mail?.text ?? '').split('\n').filter((line) => / {2}\S/.test(line));
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    ['Collected', '€7.00 (1)'],
    ['Collected', '$123.50 (3)'], // 100 + 20.50 + 3
    ['Failed charges', '$42.25 (2)'], // 40 + 2.25
    ['New disputes', '$3.00 (1)'],
    ['Open disputes', '1'],
    ['Open problems', '1'],
    ['Tasks due today or before', '1'],
  ]);
  for (const page of ['', '/disputes?filter%5Bstatus%5D=open', '/problems', '/tasks?filter%5Bcomplete%5D=false'])
    expect(mail?.text).toContain(`${client.workplace}${page}\n`);
  expect(JSON.stringify(mails)).not.toContain('Lovelace');
  expect(await planned(client)).toBe('2027-03-12T12:00:00.000Z');
});

test('a returned debit counts as a failed charge on the day of its return', async () => {
  const client = await business(team);
  const { id: customer } = await client.make('/customers', { name: 'Ada' });
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', applied_to: [] };
  const { charge } = await client.make('/charges', { customer, amount: 8, ...card });
  await api.em.execute(`update charge set returned_at = ? where account_id = ? and id = ?`, [
    '2027-03-12T01:00:00Z', // March 11 in New York
    client.account.id,
    charge.id,
  ]);
  await stepAt(client, NEXT);
  await stepAt(client, '2027-03-12T12:00:00Z');
  const texts = (await mailsOf(client)).filter(({ to }) => to === 'team@example.com').map(({ text }) => text);
  expect(texts.map((text) => text.match(/^(Collected|Failed charges) .*$/gm))).toEqual([
    ['Collected  $8.00 (1)'],
    ['Failed charges  $8.00 (1)'],
  ]);
});

test('an empty day sends no mail, and no day is told twice, whatever changes', async () => {
  const client = await business(team);
  expect((await stepAt(client, NEXT)).did).toBe('nothing to tell of 2027-03-10');
  await client.make('/payments', { amount: 10 });
  const morning = '2027-03-12T12:00:00Z';
  expect((await stepAt(client, morning)).did).toBe('mailed the digest of 2027-03-11');
  expect((await stepAt(client, morning)).did).toBeNull();
  for (const change of [{ digest_hour: 10 }, { time_zone: 'Pacific/Pago_Pago' }, { alert_digest: false }])
    expect((await client.patch('/account', change)).status).toBe(200);
  expect(await planned(client)).toBeNull();
  expect((await client.patch('/account', { alert_digest: true })).status).toBe(200);
  expect(await planned(client)).toBe('2027-03-13T21:00:00.000Z'); // 10:00 of March 13 in Pago Pago, 11 hours behind
  expect(await mailsOf(client)).toHaveLength(2);
});

test('a second digest of a day is refused by the database', async () => {
  const client = await business(team);
  await client.make('/payments', { amount: 10 });
  await stepAt(client, NEXT);
  await api.em.execute(`update digest set last_day = '2027-03-09' where account_id = ?`, [client.account.id]);
  await api.em.execute(`update wakeup set at = ? where account_id = ? and process = 'digest'`, [
    NEXT,
    client.account.id,
  ]);
  await expect(stepAt(client, NEXT)).rejects.toThrow(/email_cause/);
  expect(await mailsOf(client)).toHaveLength(2);
});

test('the digest is planned while there are addresses and the account wants it, at its hour; a new day at a time', async () => {
  const client = await business({ time_zone: 'America/New_York' });
  expect(await planned(client)).toBeNull();
  const after = async (settings: object) => {
    expect((await client.patch('/account', settings)).status).toBe(200);
    return planned(client);
  };
  // It is 7:00 in New York at 12:00 UTC: the hour of today has just passed.
  expect(await after({ alert_recipients: ['team@example.com'] })).toBe('2027-03-11T12:00:00.000Z');
  expect(await after({ digest_hour: 8 })).toBe('2027-03-11T13:00:00.000Z');
  expect(await after({ time_zone: 'UTC' })).toBe('2027-03-11T08:00:00.000Z');
  expect(await after({ alert_digest: false })).toBeNull();
  // March 9 has passed, and is not told later on the same day.
  expect(await after({ alert_digest: null, digest_hour: 23 })).toBe('2027-03-11T23:00:00.000Z');
  expect(await after({ alert_recipients: [] })).toBeNull();
});

test.each([
  ['digest_hour', 24],
  ['digest_hour', -1],
  ['digest_hour', 7.5],
  ['digest_hour', '7'],
  ['alert_digest', 'no'],
])('%s %j is refused', async (param, value) => {
  expect(await api.sandbox.patch('/account', { [param]: value })).toMatchObject(refused({ param }));
});

test.each(['ar', 'de', 'en', 'es', 'fr', 'he', 'ja', 'zh'])(
  'in %s, the digest is complete, with html and text alike',
  (language) => {
    const seller = { name: 'Acme', language, country: null, timeZone: 'UTC', currency: 'eur' };
    const some = [{ currency: 'eur', count: 7, amount: '1234.5' }];
    const facts = { collected: some, failed: some, disputes: some, openDisputes: 71, problems: 72, tasks: 73 };
    const [mail, english] = [seller, { ...seller, language: 'en' }].map((one) =>
      digestEmail({ seller: one, day: new Date(DAY), facts, workplace: { account: 5, environment: 'live' } }),
    );
    for (const whole of [mail?.html, mail?.text]) {
      for (const part of ['71', '72', '73', '(7)', '234', '/dashboard/5/live/problems']) expect(whole).toContain(part);
      expect(whole).not.toMatch(/\{\w+\}|undefined/);
    }
    expect(mail?.message === english?.message).toBe(language === 'en');
  },
);
