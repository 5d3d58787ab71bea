import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reportToTeam } from '../../../commands/mail/problemMails.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { problemEmail } from '../../../present/emails/problem.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Reports a problem of an invoice as a worker does, in a business with these settings. Returns the mails about it. */
async function mailsAfter(settings: object, { unit_cost = 25, reports = 1 } = {}) {
  const { sandbox: client } = await api.open('Stuck');
  await client.patch('/account', settings);
  const customer = (await client.make('/customers', { name: 'Ada Lovelace' })).id;
  const { id } = await client.make('/invoices', { customer, items: [{ unit_cost }] });
  const report = { accountId: client.account.id, process: 'invoice' as const, id, step: 'attempt 1' };
  const message = 'Ada Lovelace has no gateway';
  for (let n = 0; n < reports; n += 1)
    await inTransaction(api.em, (em) => reportToTeam(em, { ...report, message }, new Date()));
  return { id, mails: await mailsOf(client) };
}

const mailsOf = ({ account }: Client) =>
  api.em.execute<{ to: string; subject: string; text: string }[]>(
    `select to_address as to, subject, text from email where account_id = ? and template = 'problem_email' order by id`,
    [account.id],
  );

const team = { alert_recipients: ['team@example.com'] };

test('a problem with money at risk is mailed to the team once, however often it is reported, without names', async () => {
  const { id, mails } = await mailsAfter(team, { reports: 3 });
  expect(mails).toMatchObject([{ to: 'team@example.com', subject: '$25.00 cannot be collected' }]);
  expect(mails[0]?.text).toContain(`invoice ${id}`);
  expect(JSON.stringify(mails)).not.toContain('Lovelace');
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
    const english = problemEmail({
      seller: { ...seller, language: 'en' },
      problem: { id: 7, amount: '25.00', currency: 'eur', object: 'invoice 77' },
    });
    const mail = problemEmail({ seller, problem: { id: 7, amount: '25.00', currency: 'eur', object: 'invoice 77' } });
    for (const whole of [mail.html, mail.text]) {
      expect(whole).toContain('invoice 77');
      expect(whole).not.toMatch(/\{\w+\}/);
    }
    expect(mail.message === english.message).toBe(language === 'en');
  },
);
