import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { disputeEmail } from '../../../present/emails/teamMails.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { seedDispute } from '../../support/disputes.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** The mails about disputes of an account, by recipient. */
const mailsOf = ({ account }: Client) =>
  api.em.execute<{ to: string; subject: string; text: string; customer: number | null; cause: string }[]>(
    `select to_address as to, subject, text, customer_id as customer, cause from email
     where account_id = ? and template = 'dispute_email' order by id`,
    [account.id],
  );

async function business(settings: object) {
  const { sandbox: client, live } = await api.open('Disputed');
  await client.patch('/account', settings);
  const customer = await client.make('/customers', { name: 'Ada Lovelace', email: 'ada@example.com' });
  return { client, customer, live: live.account.id };
}

test('a new dispute is mailed once to each address of the team, without the name of the customer', async () => {
  const { client, customer, live } = await business({ alert_recipients: ['team@example.com', 'books@example.com'] });
  const id = await seedDispute(api, client, customer.id);
  const mails = await mailsOf(client);
  const subject = 'Dispute of $3.00';
  expect(mails).toMatchObject([
    { to: 'team@example.com', subject, customer: null, cause: `dispute:${id}` },
    { to: 'books@example.com', subject, customer: null, cause: `dispute:${id}:1` },
  ]);
  const href = `/dashboard/${live}/sandbox/disputes/${id}\n`;
  for (const part of ['A payment is disputed.', '$3.00', 'Send your evidence by', customer.number, href])
    expect(mails[0]?.text).toContain(part);
  expect(JSON.stringify(mails)).not.toContain('Lovelace');
  await api.gateway.sendEvents(api.origin); // nothing new
  expect(await mailsOf(client)).toHaveLength(2);
});

test('no mail is sent without addresses, or when the account does not want it', async () => {
  const without = await business({});
  await seedDispute(api, without.client, without.customer.id);
  const unwilling = await business({ alert_recipients: ['team@example.com'], alert_disputes: false });
  await seedDispute(api, unwilling.client, unwilling.customer.id);
  expect([await mailsOf(without.client), await mailsOf(unwilling.client)]).toEqual([[], []]);
});

test.each([
  [['none']],
  [['a@example.com', 'A@example.com']],
  [[1]],
  [Array.from({ length: 21 }, (_, n) => `a${n}@example.com`)],
  ['a@example.com'],
])('alert_recipients %j are refused', async (alert_recipients) => {
  expect(await api.sandbox.patch('/account', { alert_recipients })).toMatchObject(
    refused({ param: 'alert_recipients' }),
  );
});

test.each([
  ['ar', '3.00'],
  ['de', 'Eine Zahlung wird angefochten.'],
  ['en', 'A payment is disputed.'],
  ['es', 'Un pago está en disputa.'],
  ['fr', 'Un paiement est contesté.'],
  ['he', 'תשלום נתון במחלוקת.'],
  ['ja', '異議'],
  ['zh', '争议'],
])('in %s, the mail says what is disputed, with html and text alike', (language, words) => {
  const seller = { name: 'Acme', language, country: null, timeZone: 'UTC' };
  const due = new Date('2027-03-10T12:00:00Z');
  const dispute = {
    id: 9,
    amount: '3.0000',
    currency: 'eur',
    reason: 'fraudulent',
    gatewayId: 'dp_1',
    evidenceDueAt: due,
  };
  const mail = disputeEmail({
    seller,
    dispute,
    customerNumber: 'CUST-1',
    workplace: { account: 5, environment: 'live' },
  });
  for (const whole of [mail.html, mail.text]) {
    for (const part of [words, 'CUST-1', 'fraudulent', 'dp_1', '/dashboard/5/live/disputes/9'])
      expect(whole).toContain(part);
    expect(whole).not.toMatch(/\{\w+\}/);
  }
  expect(mail.subject).not.toBe('');
});
