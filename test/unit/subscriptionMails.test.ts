import { expect, test } from '@jest/globals';
import { renewalModes } from '../../billing/subscriptions/subscription.ts';
import type { RenderedEmail } from '../../present/emails/layout.ts';
import { darkStyle } from '../../present/emails/style.ts';
import type { MailedContract, MailedPrice, MailedSubscription } from '../../present/emails/subscription.ts';
import {
  canceledEmail,
  confirmationEmail,
  contractEndingEmail,
  renewsSoonEmail,
} from '../../present/emails/subscriptionNotices.ts';
import { mailWordsOf } from '../../words/emails/words.ts';

/** Texts of the mails about subscriptions, in every language. */

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'he', 'ja', 'zh'];

const day = (text: string) => new Date(`${text}T00:00:00Z`);
const contract: MailedContract = {
  startAt: day('2027-03-01'),
  endAt: day('2028-03-01'),
  follows: 'auto',
  nextCycles: 4,
};
const next: MailedPrice = {
  plan: 'Gold',
  quantity: 3,
  price: '1234.5',
  interval: 'month',
  intervalCount: 3,
  usage: [],
};
/** A plan that bills usage by the call, and data in tiers. */
const metered: Partial<MailedSubscription> = {
  quantity: null,
  price: '0',
  usage: [
    { plan: 'Gold', pricing: { mode: 'per_unit', amount: '0.0025', tiers: null } },
    {
      plan: 'Data',
      pricing: {
        mode: 'tiered',
        amount: null,
        tiers: [
          { minQuantity: null, maxQuantity: '1000', unitCost: '0' },
          { minQuantity: '1001', maxQuantity: null, unitCost: '0.02' },
        ],
      },
    },
  ],
};
const gold: MailedSubscription = {
  ...next,
  url: 'https://billing.example/subscriptions/1/2/of-gold',
  currency: 'eur',
  timeZone: 'UTC',
  startAt: day('2027-03-01'),
  isPaused: false,
  endsWithPeriod: false,
  pausesAt: null,
  trialEndAt: null,
  period: { startAt: day('2027-03-01'), endAt: day('2027-06-01') },
  nextBillAt: day('2027-06-01'),
  contract,
};

/** A trial of two weeks. */
const trial: Partial<MailedSubscription> = {
  contract: null,
  trialEndAt: day('2027-03-15'),
  period: { startAt: day('2027-03-01'), endAt: day('2027-03-15') },
  nextBillAt: day('2027-03-15'),
};

/** The facts of a mail to a reader of a language. */
const to = (language: string, change: Partial<MailedSubscription> = {}) => ({
  seller: { name: 'Acme', language: 'en', country: null, timeZone: 'UTC' },
  customer: { number: 'CUST-7', language, country: null },
  to: { name: 'Ada' },
  subscription: { ...gold, ...change },
});

const ended = (cause: 'request' | 'period_end' | 'failed_payment') => ({ cause, endedAt: day('2027-06-01') });
const NOW = day('2027-03-01');

/** Every text that the templates can have. */
function mailsIn(language: string): RenderedEmail[] {
  const none = { contract: null };
  return [
    ...renewalModes.map((follows) =>
      confirmationEmail({ ...to(language, { contract: { ...contract, follows } }), confirmedAt: NOW }),
    ),
    confirmationEmail({ ...to(language, none), confirmedAt: NOW }),
    confirmationEmail({ ...to(language, { ...none, endsWithPeriod: true }), confirmedAt: NOW }),
    confirmationEmail({ ...to(language, { ...none, endsWithPeriod: true, period: null }), confirmedAt: NOW }),
    confirmationEmail({ ...to(language, { isPaused: true, nextBillAt: null }), confirmedAt: day('2027-02-01') }),
    confirmationEmail({ ...to(language, { ...none, pausesAt: day('2027-06-01') }), confirmedAt: NOW }),
    confirmationEmail({ ...to(language, trial), confirmedAt: NOW }),
    confirmationEmail({ ...to(language, { ...none, ...metered }), confirmedAt: NOW }),
    confirmationEmail({ ...to(language, { ...trial, ...metered }), confirmedAt: NOW }),
    confirmationEmail({ ...to(language, { ...trial, endsWithPeriod: true, nextBillAt: null }), confirmedAt: NOW }),
    renewsSoonEmail({ ...to(language), next, renewsAt: day('2027-06-01') }),
    renewsSoonEmail({ ...to(language, trial), next, renewsAt: day('2027-03-15') }),
    ...(['request', 'period_end', 'failed_payment'] as const).map((cause) =>
      canceledEmail({ ...to(language), cancellation: ended(cause) }),
    ),
    ...renewalModes.map((follows) =>
      contractEndingEmail({ ...to(language), next, contract: { ...contract, follows } }),
    ),
  ];
}

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();

test.each(LANGUAGES)('%s: every template is complete, names the plan, and its html and text agree', (language) => {
  const mails = mailsIn(language);
  expect(mails).toHaveLength(22);
  for (const { subject, message, html, text } of mails) {
    for (const part of [subject, message, html.replace(darkStyle({ logo: null }), ''), text])
      expect(part).not.toMatch(/[{}]|undefined|null|NaN|Invalid/);
    expect(subject).toContain('Gold');
    expect(message).toContain('Ada');
    expect(message).toContain('Gold');
    expect(text).toContain(message);
    expect(html).toContain(`<html lang="${language}" dir="${language === 'ar' || language === 'he' ? 'rtl' : 'ltr'}">`);
  }
  expect(new Set(mails.map(({ subject, message }) => subject + message)).size).toBe(mails.length);
});

test.each(LANGUAGES)('%s: each sentence has the placeholders of the English one', (language) => {
  const own = mailWordsOf(language);
  for (const [name, text] of Object.entries(mailWordsOf('en')))
    expect([name, placeholders(JSON.stringify(Reflect.get(own, name)))]).toEqual([
      name,
      placeholders(JSON.stringify(text)),
    ]);
});

test('a confirmation tells plan, quantity, price, period, next bill and contract', () => {
  const { subject, message, text } = confirmationEmail({ ...to('en'), confirmedAt: NOW });
  expect(subject).toBe('Your subscription to Gold from Acme');
  expect(message).toBe(
    // 4 cycles of 3 months
    'Hello Ada, thank you for subscribing to Gold. The contract runs until February 29, 2028 and then renews automatically for 12 months.',
  );
  expect(
    text
      .replaceAll(/[\u2009\u202f]/g, ' ')
      .split('\n')
      .slice(7),
  ).toEqual([
    'Plan               Gold',
    'Quantity           3',
    'Price per period   €1,234.50',
    'Billing period     3 months',
    'Current period     Mar 1 – May 31, 2027',
    'Next billing date  June 1, 2027',
    'Contract           Mar 1, 2027 – Feb 29, 2028',
    '',
    'View subscription',
    'https://billing.example/subscriptions/1/2/of-gold',
    '',
    'Sent by Acme about account CUST-7.',
    '',
  ]);
});

test('a confirmation of a metered subscription tells the price of each unit, and when usage is billed', () => {
  const { message, text } = confirmationEmail({ ...to('en', { contract: null, ...metered }), confirmedAt: NOW });
  expect(message).toContain('Usage is billed after each period. It renews each period');
  expect(text.split('\n').slice(7, 12)).toEqual([
    'Plan               Gold',
    'Price per period   By usage',
    'Usage              Gold: €0.0025 per unit',
    'Usage              Data · Up to 1,000: €0.00 per unit · From 1,001: €0.02 per unit',
    'Billing period     3 months',
  ]);
  const later = confirmationEmail({ ...to('en', { ...trial, ...metered }), confirmedAt: NOW });
  expect(later.message).toContain('From March 15, 2027 on, usage is billed.');
  const both = confirmationEmail({ ...to('en', { ...metered, quantity: 3, price: '10' }), confirmedAt: NOW });
  expect(both.text).toMatch(/Price per period +€10.00\nUsage/);
});

test.each<[string, Partial<MailedSubscription>, Date, string]>([
  ['without an end', { contract: null }, NOW, 'It renews each period until it is canceled.'],
  ['to be canceled', { contract: null, endsWithPeriod: true }, NOW, 'It ends on May 31, 2027 and does not renew.'],
  ['that starts later', { contract: null }, day('2027-02-01'), 'It starts on March 1, 2027. It renews each period'],
  ['with a trial', trial, NOW, 'The trial ends on March 14, 2027. Billing starts on March 15, 2027. It renews each'],
  [
    'with a trial and a contract',
    { ...trial, contract },
    NOW,
    'Billing starts on March 15, 2027. The contract runs until February 29, 2028',
  ],
  [
    'to be canceled with its trial',
    { ...trial, endsWithPeriod: true },
    NOW,
    'The trial ends on March 14, 2027, and the subscription ends with it.',
  ],
  [
    'that pauses with its trial',
    { ...trial, pausesAt: day('2027-03-15') },
    NOW,
    'The trial ends on March 14, 2027. It pauses after March 14, 2027: from then on, nothing is billed until it resumes. It renews each',
  ],
  ['that is paused', { isPaused: true, nextBillAt: null }, NOW, 'It is paused: nothing is billed until it resumes.'],
])('the confirmation of a subscription %s says so', (_, change, confirmedAt, sentence) => {
  expect(confirmationEmail({ ...to('en', change), confirmedAt }).message).toContain(sentence);
});

test('the end of a trial is announced with its last day and the first day that is billed, and not as a renewal', () => {
  const renewsAt = day('2027-03-15');
  const { subject, message, html, text } = renewsSoonEmail({ ...to('en', trial), next, renewsAt });
  expect(subject).toBe('Your trial of Gold ends on March 14, 2027');
  expect(message).toBe(
    'Hello Ada, your trial of Gold ends on March 14, 2027. Billing starts on March 15, 2027. To change or cancel it, please contact us before then.',
  );
  expect(text).toMatch(/^Trial +Mar\s1\s–\s14, 2027\nNext billing date +March 15, 2027$/m);
  for (const part of [html, text]) expect(part).not.toMatch(/renew/i);
});

test.each([
  ['request', 'ended on this day.'],
  ['period_end', 'ended on this day, at the end of its term.'],
  ['failed_payment', 'ended on this day because a payment failed.'],
] as const)('a mail about a cancellation by %s tells why, and until when it ran', (cause, sentence) => {
  const { message, text } = canceledEmail({ ...to('en'), cancellation: ended(cause) });
  const rest = 'Invoices that are still open remain due.';
  expect(message).toBe(`Hello Ada, your subscription to Gold ${sentence} ${rest}`);
  expect(text).toMatch(/^Ended on +May 31, 2027$/m);
});

test.each([
  ['none', 'Your contract for Gold ends on February 29, 2028', 'The subscription ends with it.'],
  ['manual', 'Your contract for Gold ends on February 29, 2028', 'It does not renew automatically.'],
  ['auto', 'Your contract for Gold renews on March 1, 2028', 'renews automatically on this day for 12 months.'],
  ['renew_once', 'Your contract for Gold renews on March 1, 2028', 'renews once, on this day, for 12 months.'],
] as const)('a mail about a contract that is followed by %s tells what happens', (follows, subject, sentence) => {
  const mail = contractEndingEmail({ ...to('en'), next, contract: { ...contract, follows } });
  expect(mail.subject).toBe(subject);
  expect(mail.message).toContain(sentence);
});

test('lengths, money and days are as the language writes them', () => {
  const german = confirmationEmail({ ...to('de'), confirmedAt: NOW });
  expect(german.message).toBe(
    'Guten Tag Ada, vielen Dank für Ihr Abonnement Gold. Der Vertrag läuft bis zum 29. Februar 2028 und verlängert sich dann automatisch um 12 Monate.',
  );
  const rows = /^Preis je Zeitraum +1\.234,50\s€\nAbrechnungszeitraum +3\sMonate$/m;
  expect(german.text).toMatch(rows);
  const arabic = renewsSoonEmail({ ...to('ar'), next, renewsAt: day('2027-06-01') });
  expect(arabic.text).toMatch(/^فترة الفوترة\s+3\sأشهر$/m);
  expect(arabic.html).toContain('<td align="left"');
});

test('hidden characters of a name of a plan do not reach a mail', () => {
  const { subject, html, text } = renewsSoonEmail({
    ...to('en', { plan: 'Go\u202eld<b>' }),
    next: { ...next, plan: 'Go\u202eld<b>' },
    renewsAt: NOW,
  });
  expect(subject).toBe('Your subscription to Gold<b> renews on March 1, 2027');
  for (const part of [html, text]) expect(part).not.toContain('\u202e');
  expect(html).toContain('Gold&lt;b&gt;');
});
