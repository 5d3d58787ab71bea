import { expect, test } from '@jest/globals';
import { type PaymentPlanFacts, paymentPlanEmail } from '../../present/emails/paymentPlan.ts';
import { darkStyle } from '../../present/emails/style.ts';

/** The mail that tells a customer the installments of a payment plan, in every language. */

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'he', 'ja', 'zh'];
const TOKEN = 'a'.repeat(32);
const date = Date.UTC(2027, 2, 1);
const invoice = {
  accountId: 1,
  id: 7,
  token: TOKEN,
  number: 'INV-7',
  currency: 'usd',
  timeZone: 'UTC',
  autopay: false,
  pastDue: false,
};
const active: PaymentPlanFacts['plan'] = {
  status: 'active',
  approvalToken: null,
  approval: null,
  installments: [
    { id: 1, date, amount: '30.00', balance: '0.00' },
    { id: 2, date: date + 86_400_000, amount: '30.00', balance: '20.00' },
    { id: 3, date: date + 172_800_000, amount: '40.00', balance: '40.00' },
  ],
};
const waiting = { ...active, status: 'pending_signup' } as const;

test.each(LANGUAGES)('%s: every mail about a payment plan is complete, and no two are the same', (language) => {
  const facts: PaymentPlanFacts = {
    seller: { name: 'Acme', language: 'en', country: null, timeZone: 'UTC' },
    customer: { number: 'CUST-7', language, country: null },
    invoice,
    plan: active,
    isChanged: false,
    now: new Date(date),
    to: { name: 'Ada' },
    links: { pay: 'https://a.example/pay', approve: null, source: 'https://a.example/source' },
  };
  const approve = 'https://a.example/approve';
  const asked = { ...facts, plan: { ...waiting, approvalToken: TOKEN }, links: { ...facts.links, approve } };
  const mails = {
    approve: paymentPlanEmail(asked),
    pay: paymentPlanEmail(facts),
    '/pay': paymentPlanEmail({ ...facts, isChanged: true }),
    source: paymentPlanEmail({ ...facts, plan: waiting, invoice: { ...invoice, autopay: true } }),
    [TOKEN]: paymentPlanEmail({ ...facts, invoice: { ...invoice, autopay: true } }),
  };
  for (const [link, { subject, message, html, text }] of Object.entries(mails)) {
    for (const part of [subject, message, html.replace(darkStyle({ logo: null }), ''), text])
      expect(part).not.toMatch(/[{}]|undefined|null|NaN|Invalid/);
    for (const part of [subject, html, text]) expect(part).toContain('INV-7');
    for (const part of [html, text]) expect(part).toContain(link);
    expect(message).toContain('Ada');
    expect(text).toMatch(/[6\u0666][0\u0660][.,\u066b][0\u0660]{2}/); // 20 + 40
    expect(text.match(/[34\u0663\u0664][0\u0660][.,\u066b][0\u0660]{2}/g)).toHaveLength(1);
  }
  const kinds = Object.values(mails).map(({ subject, message }) => subject + message);
  expect(new Set(kinds).size).toBe(kinds.length);
});
