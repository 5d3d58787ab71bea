import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';
import { payingCustomer } from '../support/story.ts';

const time = steppedTime('2027-03-01T09:00:00Z');
const CARD = 'tok_4242424242424242';
let product: Product;

beforeAll(async () => {
  product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
});
afterAll(() => product.close());

/** Subjects of the mails to an address. */
const mailsTo = (email: string) =>
  product.mailbox.messages().flatMap((mail) => (mail.to.includes(email) ? [mail.subject] : []));

/** The last month in which the default card of a customer is valid, as `2030-12`. */
async function expiryOf(customer: number): Promise<string> {
  const { payment_source: card } = await product.client.get('/customers/{id}', { id: customer });
  if (card?.object !== 'card') throw new Error('no card');
  return `${card.exp_year}-${String(card.exp_month).padStart(2, '0')}`;
}

test('in real time a customer is told once, 30 days before the card of AutoPay expires; by a replaced card or without AutoPay never', async () => {
  const { id } = await payingCustomer(product, CARD, { email: 'told@example.com' });
  expect(await expiryOf(id)).toBe('2030-12');
  const replaced = await payingCustomer(product, CARD, { email: 'replaced@example.com' });
  const bank = { method: 'ach', gateway_token: 'tok_110000000_123456789', make_default: true } as const;
  await product.client.post('/customers/{id}/payment_sources', bank, { id: replaced.id });
  const paysByCheck = await payingCustomer(product, CARD, { email: 'check@example.com' });
  await product.client.patch('/customers/{id}', { autopay: false }, { id: paysByCheck.id });
  const waits = `select w.subject_id, w.at::text from wakeup w where process = 'payment_source'`;
  // January 1, 2031 - 30 days
  expect(await product.rows(waits)).toEqual([{ subject_id: 1, at: '2030-12-02 00:00:00+00' }]);

  time.moveTo('2030-12-02T00:00:00Z');
  const subject = 'Your card for Acme expires soon';
  const mail = await product.mailbox.waitFor(({ to }) => to.includes('told@example.com'), subject);
  expect(mail.subject).toBe(subject);
  expect(mail.text).toContain('charged automatically to Visa ending in 4242.');
  await product.row(`select count(*)::int as waits from wakeup`, ({ waits }: { waits: number }) => waits === 0);
  // Switching AutoPay off and on again plans no second notice; switching it on for the first time plans the missed one.
  await product.client.patch('/customers/{id}', { autopay: false }, { id });
  await product.client.patch('/customers/{id}', { autopay: true }, { id });
  await product.client.patch('/customers/{id}', { autopay: true }, { id: paysByCheck.id });
  await product.mailbox.waitFor(({ to }) => to.includes('check@example.com'), subject);
  expect(['told', 'replaced', 'check'].map((name) => mailsTo(`${name}@example.com`))).toEqual([
    [subject],
    [],
    [subject],
  ]);
  expect(await product.audit()).toEqual([]);
});

test('on a test clock the notice comes at its own time, by the setting of the account and in the language of the customer', async () => {
  await product.client.patch('/account', { card_expiry_notice_days: 7 });
  const clock = await clockAt(product, '2027-03-01T09:00:00Z');
  const person = { email: 'clock@example.com', language: 'de', test_clock: clock.id };
  const { id } = await payingCustomer(product, CARD, person);
  const arrived = await advanceTo(product, clock, '2031-02-01T00:00:00Z');
  // The month after December begins on January 1: 7 days before is December 25.
  expect(story(arrived)).toEqual([
    expect.stringMatching(/^2030-12-25 00:00 payment_source \d+: mailed that the card expires in 2030-12$/),
  ]);
  const german = await product.mailbox.waitFor(({ to }) => to.includes('clock@example.com'), 'the notice');
  expect(german.subject).toBe('Ihre Karte bei Acme läuft bald ab');
  expect(german.text).toMatch(/^Gültig bis +Dezember 2030/m);
  const timeline = await product.client.get('/customers/{id}/timeline', { id });
  expect(timeline.map(({ what }) => what)).toContain('card expiry notice mailed');
  await product.client.patch('/account', { card_expiry_notice_days: null });
});
