import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { invoiceFor } from '../support/story.ts';

/** Mails of issued invoices by the processes: those of renewals, and steps of cadences at issue. */

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  await product.client.post('/plans', { id: 'monthly', name: 'Monthly', amount: 30, interval: 'month' });
});
afterAll(() => product.close());

async function personOnClock(email: string, fields: object = {}) {
  const clock = await clockAt(product, '2027-01-04T08:00:00Z'); // a Monday
  const customer = await product.client.post('/customers', { name: 'Ann', email, test_clock: clock.id, ...fields });
  return { clock, customer };
}

const subjectsTo = (address: string): string[] =>
  product.mailbox
    .messages()
    .filter(({ to }) => to.includes(address))
    .map(({ subject }) => subject);

test('each renewal arrives once, with the number of its invoice', async () => {
  const { clock, customer } = await personOnClock('renewed@example.com');
  const { id } = await product.client.post('/subscriptions', { customer: customer.id, plan: 'monthly' });
  await advanceTo(product, clock, '2027-03-05T00:00:00Z');
  const invoices = await product.client.get('/invoices', { filter: { subscription: id }, sort: 'id asc' });
  expect(invoices).toHaveLength(3); // January, February and March 4
  const mails = await product.client.get('/emails', {
    filter: { customer: customer.id, template: 'new_invoice_email' },
  });
  expect(mails.map(({ subject, state }) => `${subject} ${state}`).sort()).toEqual(
    invoices.map(({ number }) => `Invoice ${number} from Acme sent`).sort(),
  );
  const arrived = subjectsTo('renewed@example.com').filter((subject) => subject.startsWith('Invoice'));
  expect(arrived.sort()).toEqual(invoices.map(({ number }) => `Invoice ${number} from Acme`).sort());
  await expectSound(product);
});

test('a step at issue of a cadence is not taken for an invoice that was mailed at its issue', async () => {
  const step = (schedule: string) => ({ name: 'Ask', action: 'email' as const, schedule });
  const steps = [step('issue'), step('after_issue:2')];
  const cadence = { name: 'At issue', time_of_day: 9, steps };
  const { id: chasing_cadence } = await product.client.post('/invoice_chasing_cadences', cadence);
  const mailed = await personOnClock('mailed@example.com', { email_new_invoices: 'all' });
  const quiet = await personOnClock('quiet@example.com');
  for (const { customer } of [mailed, quiet]) await invoiceFor(product, customer.id, 120, { chasing_cadence });
  const asked = async ({ clock }: typeof mailed) =>
    story(await advanceTo(product, clock, '2027-01-08T00:00:00Z'))
      .filter((line) => line.includes('chasing'))
      .map((line) => line.slice(0, 16));
  expect(await asked(mailed)).toEqual(['2027-01-06 09:00']);
  expect(await asked(quiet)).toEqual(['2027-01-04 09:00', '2027-01-06 09:00']);
  // Its mail at issue was that of the step: another cadence does not send one again.
  const other = await product.client.post('/invoice_chasing_cadences', { ...cadence, steps: [step('issue')] });
  const [invoice] = await product.client.get('/invoices', { filter: { customer: quiet.customer.id } });
  await product.client.patch('/invoices/{id}', { chasing_cadence: other.id }, { id: invoice?.id ?? 0 });
  const { clock } = quiet;
  expect(
    story(await advanceTo(product, clock, '2027-01-20T00:00:00Z')).filter((line) => line.includes('chasing')),
  ).toEqual([]);
  await expectSound(product);
});

test('the mail of a step at issue counts as the mail of the issue, also at the very time of the issue', async () => {
  const steps = [{ name: 'Ask', action: 'email' as const, schedule: 'issue' }];
  const { id: chasing_cadence } = await product.client.post('/invoice_chasing_cadences', {
    name: 'Same hour',
    time_of_day: 9,
    steps,
  });
  const clock = await clockAt(product, '2027-01-04T09:00:00Z');
  const customer = await product.client.post('/customers', {
    name: 'Ann',
    email: 'hour@example.com',
    test_clock: clock.id,
  });
  await invoiceFor(product, customer.id, 120, { chasing_cadence });
  await advanceTo(product, clock, '2027-01-04T10:00:00Z');
  const row = await product.row(
    `select issued_at, issue_mailed_at from invoice where customer_id = ${customer.id}`,
    ({ issue_mailed_at: at }) => at !== null,
  );
  expect(row.issue_mailed_at).toEqual(row.issued_at);
  const mails = await product.client.get('/emails', { filter: { customer: customer.id } });
  expect(mails).toMatchObject([{ template: 'late_payment_reminder_email' }]);
  await expectSound(product);
});

test('a step of a cadence sends its further template in its language, and the built-in wording where that is missing', async () => {
  const own = { template: 'late_payment_reminder_email', subject: 'Letzte Mahnung {{customer.number}}' };
  await product.client.post('/email_templates', { id: 'mahnung', language: 'de', ...own });
  const subjectOf = async (email: string, language: string, email_template_id: string) => {
    const cadence = await product.client.post('/invoice_chasing_cadences', {
      name: email,
      time_of_day: 9,
      steps: [{ name: 'Ask', action: 'email', schedule: 'after_issue:2', email_template_id }],
    });
    const { clock, customer } = await personOnClock(email, { language });
    await invoiceFor(product, customer.id, 120, { chasing_cadence: cadence.id });
    await advanceTo(product, clock, '2027-01-08T00:00:00Z');
    const mail = await product.mailbox.waitFor((one) => one.to.includes(email), `mail to ${email}`);
    expect(subjectsTo(email)).toHaveLength(1);
    return [mail.subject, /<html lang="(..)"/.exec(mail.html)?.[1]];
  };
  expect(await subjectOf('german@example.com', 'de', 'mahnung')).toEqual([
    expect.stringMatching(/^Letzte Mahnung/),
    'de',
  ]);
  expect(await subjectOf('both@example.com', 'en', 'mahnung-de')).toEqual([
    expect.stringMatching(/^Letzte Mahnung/),
    'de',
  ]);
  expect(await subjectOf('english@example.com', 'en', 'mahnung')).toEqual([
    expect.not.stringMatching(/^Letzte Mahnung/),
    'en',
  ]);
});

test('an invoice that is voided before its mail goes out is not mailed', async () => {
  const asleep = await startProduct({ worker: false });
  try {
    const { client } = asleep;
    await client.patch('/account', { email_new_invoices: 'all' });
    const people = ['voided@example.com', 'owing@example.com'];
    for (const email of people) {
      const { id: customer } = await client.post('/customers', { name: 'Ann', email });
      const { id } = await invoiceFor(asleep, customer, 120);
      if (email === 'voided@example.com') await client.post('/invoices/{id}/void', {}, { id });
    }
    await asleep.startWorker();
    await asleep.row(`select count(*)::int as left from email where state = 'queued'`, ({ left }) => left === 0);
    expect(await asleep.rows('select to_address, state, failure_reason from email order by id')).toEqual([
      {
        to_address: 'voided@example.com',
        state: 'bounced',
        failure_reason: 'The invoice was voided before it was sent',
      },
      { to_address: 'owing@example.com', state: 'sent', failure_reason: null },
    ]);
    expect(asleep.mailbox.messages().flatMap(({ to }) => to)).toEqual(['owing@example.com']);
    await expectSound(asleep);
  } finally {
    await asleep.close();
  }
});
