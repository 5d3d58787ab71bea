import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reportToTeam } from '../../../commands/mail/problemMails.ts';
import { lockMailsAbout } from '../../../db/queries/processes/problems.ts';
import { inTransaction, transactionOnce } from '../../../db/transaction.ts';
import { problemEmail } from '../../../present/emails/teamMails.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { LOCK_WAITS, until } from '../../support/wait.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Reports a problem of an invoice as a worker does, in a business with these settings. Returns the mails about it. */
async function mailsAfter(settings: object, { unit_cost = 25, reports = 1 } = {}) {
  const { sandbox: client, live } = await api.open('Stuck');
  await client.patch('/account', settings);
  const customer = (await client.make('/customers', { name: 'Ada Lovelace' })).id;
  const { id } = await client.make('/invoices', { customer, items: [{ unit_cost }] });
  const report = { accountId: client.account.id, process: 'invoice' as const, id, step: 'attempt 1' };
  const message = 'Ada Lovelace has no gateway';
  for (let n = 0; n < reports; n += 1)
    await inTransaction(api.em, (em) => reportToTeam(em, { ...report, message }, new Date()));
  return { id, live: live.account.id, mails: await mailsOf(client) };
}

const mailsOf = ({ account }: Client) =>
  api.em.execute<{ to: string; subject: string; text: string }[]>(
    `select to_address as to, subject, text from email where account_id = ? and template = 'problem_email' order by id`,
    [account.id],
  );

const team = { alert_recipients: ['team@example.com'] };

test('a problem with money at risk is mailed to the team once, however often it is reported, without names', async () => {
  const { id, live, mails } = await mailsAfter(team, { reports: 3 });
  expect(mails).toMatchObject([{ to: 'team@example.com', subject: '$25.00 cannot be collected' }]);
  expect(mails[0]?.text).toContain(`invoice ${id}`);
  expect(mails[0]?.text).toContain(`/dashboard/${live}/sandbox/invoices/${id}\n`);
  expect(JSON.stringify(mails)).not.toContain('Lovelace');
});

/** A new invoice of 25.00 in a business, whose problem can be reported, each time in a transaction of `inOne`. */
async function stuckInvoice(client: Client, customer: object = {}, inOne = inTransaction) {
  const { id: owner } = await client.make('/customers', { name: 'Bob', ...customer });
  const { id } = await client.make('/invoices', { customer: owner, items: [{ unit_cost: 25 }] });
  const of = {
    accountId: client.account.id,
    process: 'invoice' as const,
    id,
    step: 'attempt 1',
    message: 'no gateway',
  };
  return (now: Date) => inOne(api.em, (em) => reportToTeam(em, of, now));
}

const START = Date.parse('2027-03-01T12:00:00Z');
const after = (minutes: number) => new Date(START + minutes * 60_000);

test('many problems of one cause are three mails in an hour; the next mail counts the others, each is told once', async () => {
  const { sandbox: client } = await api.open('Many');
  await client.patch('/account', team);
  const again = [];
  for (let n = 0; n < 8; n += 1) {
    const report = await stuckInvoice(client);
    await report(after(n));
    again.push(report);
  }
  expect(await mailsOf(client)).toHaveLength(3);
  await again[4]?.(after(59)); // 59 minutes after the first mail
  expect(await mailsOf(client)).toHaveLength(3);
  await again[4]?.(after(61));
  const mails = await mailsOf(client);
  expect(mails).toHaveLength(4);
  expect(mails.slice(0, 3).map(({ text }) => text.includes('Further problems'))).toEqual([false, false, false]);
  expect(mails[3]?.text).toMatch(/Further problems of this kind:?\s+4\b/); // 8 problems less 3 told, less the one of the mail
  for (const one of again) await one(after(300));
  expect(await mailsOf(client)).toHaveLength(4);
});

test('problems that are reported at the same time are not more mails', async () => {
  const { sandbox: client } = await api.open('Racing');
  await client.patch('/account', team);
  const reports = await Promise.all([...Array(12)].map(() => stuckInvoice(client)));
  await Promise.all(reports.map((report) => report(after(0))));
  expect(await mailsOf(client)).toHaveLength(3);
});

test('a problem that a worker of an earlier version told of is not told again', async () => {
  const { sandbox: client } = await api.open('Upgrading');
  await client.patch('/account', team);
  const report = await stuckInvoice(client);
  await report(after(0));
  const accountId = client.account.id;
  const earlier = `with mail as (update email e set cause = 'problem:' || p.id from problem p where e.account_id = ? and p.account_id = ?
    and e.cause = 'problem:invoice:' || p.id) update problem set told_at = null where account_id = ?`;
  await api.em.execute(earlier, [accountId, accountId, accountId]);
  await report(after(1));
  expect(await mailsOf(client)).toHaveLength(1);
});

test('open problems that are retried at the same time are one mail, which counts the others', async () => {
  const { sandbox: client } = await api.open('Retrying');
  const reports = await Promise.all([...Array(6)].map(() => stuckInvoice(client, {}, transactionOnce)));
  for (const report of reports) await report(after(0)); // nobody is told: no recipients
  await client.patch('/account', team);
  const retries: Promise<unknown>[] = [];
  await inTransaction(api.em, async (em) => {
    await em.execute('lock table email in access exclusive mode'); // nobody can count the mails of the last hour
    retries.push(...reports.slice(0, 3).map((report) => report(after(1))));
    await until(async () => (await api.em.fork().execute(LOCK_WAITS)).length === 3, {
      what: 'the three retries to wait',
    });
  });
  await Promise.all(retries); // no deadlock, which would be a second try
  const mails = await mailsOf(client);
  expect(mails.map(({ text }) => /Further problems of this kind:?\s+5\b/.test(text))).toEqual([true]); // 6 problems less the one of the mail
});

test('a report that waits for another one holds no row that the other one may write', async () => {
  const { sandbox: client } = await api.open('Waiting');
  const report = await stuckInvoice(client);
  await report(after(0));
  await client.patch('/account', team);
  const accountId = client.account.id;
  const waiting: Promise<unknown>[] = [];
  await inTransaction(api.em, async (em) => {
    await lockMailsAbout(em, { accountId, subjectType: 'invoice' });
    waiting.push(report(after(1)));
    const waits = `select 1 from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`;
    await until(async () => (await api.em.fork().execute(waits)).length > 0, { what: 'the report to wait' });
    const free = await em.execute('select id from problem where account_id = ? for update skip locked', [accountId]);
    expect(free).toHaveLength(1);
  });
  await Promise.all(waiting);
  expect(await mailsOf(client)).toHaveLength(1);
});

test('problems of test clocks are not mailed', async () => {
  const { sandbox: client } = await api.open('Clocks');
  await client.patch('/account', team);
  const { id: test_clock } = await client.make('/test_clocks', { name: 'c', frozen_time: START / 1000 });
  const report = await stuckInvoice(client, { test_clock });
  await report(after(0));
  expect(await mailsOf(client)).toEqual([]);
});

test('no mail is sent without money at risk, without addresses, or when the account does not want it', async () => {
  const free = await mailsAfter(team, { unit_cost: 0 });
  const none = await mailsAfter({});
  const unwilling = await mailsAfter({ ...team, alert_problems: false });
  expect([free, none, unwilling].map(({ mails }) => mails)).toEqual([[], [], []]);
});

test.each(['ar', 'de', 'en', 'es', 'fr', 'he', 'ja', 'zh'])(
  'in %s, the mail says which amount is stuck, with html and text alike',
  (language) => {
    const seller = { name: 'Acme', language, country: null, timeZone: 'UTC' };
    const object = { type: 'invoice', id: 77 };
    const problem = { id: 7, amount: '25.00', currency: 'eur', object, more: 4321 };
    const workplace = { account: 5, environment: 'live' as const };
    const english = problemEmail({ seller: { ...seller, language: 'en' }, problem, workplace });
    const mail = problemEmail({ seller, problem, workplace });
    for (const whole of [mail.html, mail.text]) {
      expect(whole).toContain('invoice 77');
      expect(whole).toContain('/dashboard/5/live/invoices/77');
      expect(whole).toMatch(/4.?321/);
      expect(whole).not.toMatch(/\{\w+\}/);
    }
    expect(mail.message === english.message).toBe(language === 'en');
  },
);
