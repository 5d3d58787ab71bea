import { expect, test } from '@jest/globals';
import { MOST_LISTED, type RemindedItem, type ReminderFacts, reminderEmail } from '../../present/emails/reminder.ts';
import { darkStyle } from '../../present/emails/style.ts';
import { payUrlOf } from '../../present/kernel/links.ts';

/** Texts of reminders of open invoices, in every language. */

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'he', 'ja', 'zh'];
const STOP = 'https://billing.example/reminders/1/7/of-ada';

const day = (text: string) => new Date(`${text}T00:00:00Z`);

const pay = (id: number) => payUrlOf({ accountId: 1, id, token: 'secret' });

function item(id: number, amount: string, more: Partial<RemindedItem['invoice']> & { due?: string | null } = {}) {
  const { due = '2027-03-31', ...fields } = more;
  const invoice = {
    accountId: 1,
    id,
    token: 'secret',
    number: `INV-${id}`,
    date: day('2027-03-01'),
    currency: 'usd',
    timeZone: 'UTC',
    issuedAt: day('2027-03-01'),
    paid: false,
    closed: false,
    ...fields,
  };
  return { invoice, amount, dueAt: due === null ? null : day(due) };
}

const facts = (change: Partial<ReminderFacts> = {}, language = 'en'): ReminderFacts => ({
  seller: {
    name: 'Acme',
    email: 'books@acme.example',
    currency: 'usd',
    language: 'en',
    country: null,
    timeZone: 'UTC',
  },
  customer: { number: 'CUST-7', language, country: null },
  to: { name: 'Ada' },
  items: [item(1, '100'), item(2, '50', { currency: 'eur', due: '2027-05-01' })],
  credits: [{ currency: 'usd', amount: '20' }],
  now: day('2027-04-12'),
  optOutUrl: STOP,
  ...change,
});

test.each(LANGUAGES)('%s: a reminder is complete, names the invoices, and its html and text agree', (language) => {
  const late = reminderEmail(facts({}, language));
  const early = reminderEmail(facts({ now: day('2027-03-02') }, language));
  for (const { subject, message, html, text } of [late, early]) {
    for (const part of [subject, message, html.replace(darkStyle({ logo: null }), ''), text])
      expect(part).not.toMatch(/[{}]|undefined|null|NaN|Invalid/);
    expect(subject).toContain('Acme');
    expect(subject).toMatch(/80.*50/);
    for (const part of [html, text])
      for (const shown of ['INV-1', 'INV-2', '/documents/1/invoice/1/secret/pay', STOP, 'books@acme.example'])
        expect(part).toContain(shown);
    expect(text).toContain(message);
    expect(html).toContain(`<html lang="${language}" dir="${language === 'ar' || language === 'he' ? 'rtl' : 'ltr'}">`);
  }
  expect(late.subject).not.toBe(early.subject);
  expect(late.message).not.toBe(early.message);
});

test('a reminder tells each invoice with its dates, and the sums of each currency less the credit', () => {
  const { subject, message, text } = reminderEmail(facts());
  expect(subject).toBe('Payment past due: $80.00 + €50.00 is open at Acme');
  expect(message).toBe(
    'Hello Ada, we have not received your payment yet. Please pay what is past due now, or tell us what is wrong with it.\n\n' +
      'If your payment is already on its way, you do not need to do anything. If you have a question, please write to books@acme.example.',
  );
  expect(text).toContain(`
Invoice INV-1  $100.00
Date: March 1, 2027 · Due March 31, 2027 · 12 days past due
${pay(1)}

Invoice INV-2  €50.00
Date: March 1, 2027 · Due May 1, 2027
${pay(2)}

Open invoices  $100.00
Your credit    −$20.00
Amount due     $80.00
Amount due     €50.00
`);
});

test('nothing is past due until the due day is over in the zone of the invoice', () => {
  const at = (now: string, timeZone: string) =>
    reminderEmail(facts({ items: [item(1, '100', { timeZone })], now: new Date(now) })).subject;
  expect(at('2027-03-31T23:00:00Z', 'UTC')).toMatch(/^Friendly reminder/);
  expect(at('2027-04-01T00:00:00Z', 'UTC')).toMatch(/^Payment past due/);
  expect(at('2027-03-31T23:00:00Z', 'Asia/Tokyo')).toMatch(/^Payment past due/);
});

test('an invoice without a due date is listed last and is not past due', () => {
  const { subject, text } = reminderEmail(
    facts({ items: [item(1, '5', { due: null }), item(2, '7')], now: day('2027-03-02') }),
  );
  expect(subject).toMatch(/^Friendly reminder/);
  expect(text.indexOf('INV-2')).toBeLessThan(text.indexOf('INV-1'));
  expect(text).toContain('Date: March 1, 2027\n');
});

test('a single invoice has a button to pay; one that cannot be paid leads to its page', () => {
  expect(reminderEmail(facts({ items: [item(1, '100')] })).html).toContain(
    `<a href="${pay(1)}" style="display:inline-block`,
  );
  const closed = reminderEmail(facts({ items: [item(1, '100', { closed: true })] }));
  expect(closed.html).not.toContain(pay(1));
  expect(closed.html).toContain('/documents/1/invoice/1/secret"');
  expect(reminderEmail(facts()).html).not.toContain('display:inline-block');
});

test('a currency whose credit covers it is not in the subject', () => {
  const { subject, text } = reminderEmail(facts({ credits: [{ currency: 'usd', amount: '100' }] }));
  expect(subject).toBe('Payment past due: €50.00 is open at Acme');
  expect(text).toContain('Amount due     $0.00');
});

test('a long list is cut, and its sum is whole', () => {
  const items = Array.from({ length: MOST_LISTED + 5 }, (_, index) => item(index + 1, '1'));
  const { text } = reminderEmail(facts({ items, credits: [] }));
  expect(text.match(/INV-/g)).toHaveLength(MOST_LISTED);
  expect(text).toContain('Further open invoices (5)');
  expect(text).toContain(`$${MOST_LISTED + 5}.00`);
});

test('hostile names stay text', () => {
  const seller = { ...facts().seller, name: '<b>Acme\r\nBcc: x@y.example\u202e', email: '"><i>@x.example' };
  const mail = reminderEmail(facts({ seller, items: [item(1, '1', { number: '<script>1</script>' })] }));
  expect(mail.subject).not.toMatch(/[\r\n\u202e]/);
  expect(mail.html).not.toMatch(/<script|<b>|<i>|\u202e/);
});
